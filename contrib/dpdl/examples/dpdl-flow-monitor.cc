// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Compares ns-3's FlowMonitor with dpdl's trace in packet mode. Each chunk of the model is one
 * datagram, so each packet of a flow is one message of the trace. For each link, the counts of
 * packets and of messages must agree, both sent and received.
 */

#include "dpdl/trace/trace-reader.h"

#include "ns3/core-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/flow-monitor-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"

#include <cstdio>
#include <map>
#include <utility>

using namespace ns3;

namespace
{

/// Numbers of sent and received packets (FlowMonitor) or messages (trace) on a directed link.
struct Count
{
    uint64_t sent{0};
    uint64_t arrived{0};
};

/// Counts of all directed links, by source and target node number.
using Counts = std::map<std::pair<uint32_t, uint32_t>, Count>;

/// Index of the node with an IPv4 address; the number of nodes if no node has it.
uint32_t
Owner(const NodeContainer& nodes, Ipv4Address address)
{
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        if (nodes.Get(i)->GetObject<Ipv4>()->GetInterfaceForAddress(address) >= 0)
        {
            return i;
        }
    }
    return nodes.GetN();
}

Counts
CountFlows(FlowMonitorHelper& helper, const NodeContainer& nodes)
{
    const auto classifier = DynamicCast<Ipv4FlowClassifier>(helper.GetClassifier());
    Counts counts;
    for (const auto& [flow, stats] : helper.GetMonitor()->GetFlowStats())
    {
        const Ipv4FlowClassifier::FiveTuple tuple = classifier->FindFlow(flow);
        Count& count =
            counts[{Owner(nodes, tuple.sourceAddress), Owner(nodes, tuple.destinationAddress)}];
        count.sent += stats.txPackets;
        count.arrived += stats.rxPackets;
    }
    return counts;
}

Counts
CountMessages(const std::string& trace, const NodeContainer& nodes)
{
    Counts counts;
    for (const ::dpdl::Delivery& row : ::dpdl::TraceReader(trace).Deliveries(nodes.GetN()))
    {
        Count& count = counts[{row.source, row.target}];
        count.sent += 1;
        count.arrived += row.arrivedAt ? 1 : 0;
    }
    return counts;
}

/// Prints the counts of FlowMonitor and of the trace for each link.
/// @param flows counts of FlowMonitor
/// @param messages counts of the trace
/// @return true if the counts of every link agree
bool
Compare(const Counts& flows, Counts messages)
{
    bool isSame = flows.size() == messages.size();
    std::printf("link    sent  arrived  of messages\n");
    for (const auto& [link, flow] : flows)
    {
        const Count& own = messages[link];
        isSame = isSame && flow.sent == own.sent && flow.arrived == own.arrived;
        std::printf("%2u->%-2u  %4llu  %7llu  %4llu %4llu\n",
                    link.first,
                    link.second,
                    static_cast<unsigned long long>(flow.sent),
                    static_cast<unsigned long long>(flow.arrived),
                    static_cast<unsigned long long>(own.sent),
                    static_cast<unsigned long long>(own.arrived));
    }
    std::printf("FlowMonitor and the trace %s\n", isSame ? "agree" : "DIFFER");
    return isSame;
}

} // namespace

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Usage("Counts the packets of a run with FlowMonitor and compares them with the trace.");
    cmd.Parse(argc, argv);

    NodeContainer nodes(5);

    DpdlHelper dpdl;
    dpdl.Set("dataset", "blobs");
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("samples", "500");
    dpdl.Set("testSamples", "200");
    dpdl.Set("batchSize", "20");
    dpdl.Set("rounds", "8");
    dpdl.Set("network", "packet");
    dpdl.Set("drop", "0.1");
    dpdl.Set("chunk", "300"); // 300 parameters, a message of 1252 bytes: one datagram
    dpdl.Set("trace", "dpdl-flow-monitor.db");
    dpdl.Set("overwrite", "true");
    dpdl.Install(nodes);
    FlowMonitorHelper flows; // after Install(), which installs the IP stacks
    flows.Install(nodes);

    Simulator::Stop(Seconds(10)); // FlowMonitor checks for lost packets indefinitely
    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    const bool isSame =
        Compare(CountFlows(flows, nodes), CountMessages("dpdl-flow-monitor.db", nodes));
    Simulator::Destroy();
    return complete && isSame ? 0 : 1;
}
