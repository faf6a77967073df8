// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * The module's trace sources, connected in both ways that ns-3 offers: by path to all nodes, and to
 * a single object. All events are written to dpdl-trace-sources.csv, one per line.
 */

#include "ns3/core-module.h"
#include "ns3/dpdl-application.h"
#include "ns3/dpdl-header.h"
#include "ns3/dpdl-helper.h"
#include "ns3/network-module.h"

using namespace ns3;

namespace
{

/// Writes a line: time in s, name of the event, @p path, and the arguments of the event.
template <typename... Values>
void
Write(Ptr<OutputStreamWrapper> file, const char* event, const std::string& path, Values... values)
{
    std::ostream& out = *file->GetStream();
    out << Simulator::Now().GetSeconds() << ',' << event << ',' << path;
    ((out << ',' << values), ...);
    out << '\n';
}

// NOLINTBEGIN(performance-unnecessary-value-param): ns-3 asks for these types, by value.
void
RoundStarts(Ptr<OutputStreamWrapper> file, std::string path, uint32_t round)
{
    Write(file, "round-start", path, round, "");
}

void
RoundEnds(Ptr<OutputStreamWrapper> file, std::string path, uint32_t round, double weight)
{
    Write(file, "round-end", path, round, weight);
}

void
ShareSent(Ptr<OutputStreamWrapper> file, std::string path, Ptr<const Packet> packet)
{
    DpdlHeader header;
    packet->PeekHeader(header);
    Write(file, "tx", path, header.round, packet->GetSize());
}

/// Callback connected to one application; its context is a name, not a path.
void
ShareArrives(Ptr<OutputStreamWrapper> file, std::string name, Ptr<const Packet> packet)
{
    DpdlHeader header;
    packet->PeekHeader(header);
    Write(file, "rx", name, header.round, packet->GetSize());
}

// NOLINTEND(performance-unnecessary-value-param)

} // namespace

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Usage("Writes what the trace sources of the module tell into dpdl-trace-sources.csv.");
    cmd.Parse(argc, argv);

    NodeContainer nodes(5);

    DpdlHelper dpdl;
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("samples", "500");
    dpdl.Set("testSamples", "200");
    dpdl.Set("batchSize", "20");
    dpdl.Set("rounds", "10");
    dpdl.Set("drop", "0.1");
    dpdl.Set("trace", "dpdl-trace-sources.db");
    dpdl.Set("overwrite", "true");
    const ApplicationContainer applications = dpdl.Install(nodes);

    Ptr<OutputStreamWrapper> file = AsciiTraceHelper().CreateFileStream("dpdl-trace-sources.csv");
    *file->GetStream() << "seconds,event,source,round,value\n";
    // Connect by path to all nodes; the applications must already be installed.
    const std::string all = "/NodeList/*/ApplicationList/*/$ns3::DpdlApplication/";
    Config::Connect(all + "RoundStart", MakeBoundCallback(&RoundStarts, file));
    Config::Connect(all + "RoundEnd", MakeBoundCallback(&RoundEnds, file));
    Config::Connect(all + "Tx", MakeBoundCallback(&ShareSent, file));
    // Connect to one object.
    applications.Get(0)->TraceConnect("Rx", "node 0", MakeBoundCallback(&ShareArrives, file));

    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    Simulator::Destroy();
    return complete ? 0 : 1;
}
