// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-calibration.h"

#include "dpdl-transport-setup.h"
#include "dpdl/base/json.h"
#include "dpdl/base/quantity.h"
#include "dpdl/data/dataset.h"
#include "dpdl/experiment/experiment.h"
#include "dpdl/topology/topologies.h"

#include "ns3/dpdl-message-transport.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <set>
#include <sstream>

// Sends probe messages through the packet transport with DpdlLinkProbe, fits each link with
// FitLink(), and sends the same messages in message mode to compare.

namespace ns3
{

namespace
{

/// Factor between the three sizes of probe messages. The largest message has the n parameters of
/// the run's model, the other messages have n / SIZE_STEP and n / SIZE_STEP^2.
constexpr uint64_t SIZE_STEP = 4;
/// Number of rounds, from round 0 on, whose links are measured if the graph is aperiodic.
constexpr ::dpdl::Round ROUNDS_LOOKED_AT = 16;
/// Simulated time in s without an arrival or loss after which the probe sends the next volley.
constexpr double PATIENCE = 3600.0;

std::vector<uint64_t>
SizesFor(const ::dpdl::RunOptions& settings)
{
    const auto dataset = ::dpdl::DataOf(settings, 1, 1);
    const ::dpdl::ModelSpec model =
        ::dpdl::MakeModel(settings.model, dataset->shape, dataset->classes);
    const uint64_t parameters = sizeof(float) * model.ParameterCount();
    std::vector<uint64_t> sizes;
    for (const uint64_t divisor : {SIZE_STEP * SIZE_STEP, SIZE_STEP, uint64_t{1}})
    {
        sizes.push_back(::dpdl::MESSAGE_HEADER_BYTES + parameters / divisor);
    }
    return sizes;
}

/// Relative errors of durations in message mode, formatted for the comment of a link file.
std::string
Describe(const ::dpdl::DurationError& error)
{
    const auto percent = [](double part) { return ::dpdl::ShowRounded(100.0 * part, 3) + " %"; };
    return "median " + percent(error.median) + ", p95 " + percent(error.p95) + ", largest " +
           percent(error.largest) + " of " + std::to_string(error.messages) + " messages" +
           (error.lost > 0 ? ", " + std::to_string(error.lost) + " lost in one of them" : "");
}

void
WriteError(std::ostream& out, const ::dpdl::DurationError& error)
{
    out << R"({"messages": )" << error.messages << R"(, "median": )"
        << ::dpdl::JsonNumber(error.median) << R"(, "p95": )" << ::dpdl::JsonNumber(error.p95)
        << R"(, "largest": )" << ::dpdl::JsonNumber(error.largest) << R"(, "lost": )" << error.lost
        << "}";
}

std::string
QueueText(const ::dpdl::QueueLimit& queue)
{
    return queue.bytes > 0 ? std::to_string(queue.bytes) + "B" : "none";
}

} // namespace

DpdlCalibration::DpdlCalibration(const ::dpdl::RunOptions& settings, uint32_t burst)
    : m_settings(settings),
      m_sizes(SizesFor(settings))
{
    m_settings.network = ::dpdl::NetworkKind::PACKET;
    m_settings.payloadBytes = false;
    const auto graph =
        ::dpdl::MakeGraphSequence(m_settings.topology, m_settings.nodes, m_settings.seed);
    const std::vector<::dpdl::Edge> edges = EdgesOf(*graph);
    const auto single = DpdlLinkProbe::ForEachLink(edges, m_sizes, burst);
    const auto together = DpdlLinkProbe::AllAtOnce(edges, m_sizes);
    const std::vector<::dpdl::TimedMessage> truth = TimePackets(single);
    const std::size_t perLink = truth.size() / edges.size();
    // The messages of one link are consecutive in `single`, `perLink` messages for each link.
    const auto ofLink = [perLink](const std::vector<::dpdl::TimedMessage>& all, std::size_t link) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(link * perLink);
        return std::vector<::dpdl::TimedMessage>(begin,
                                                 begin + static_cast<std::ptrdiff_t>(perLink));
    };
    for (std::size_t i = 0; i < edges.size(); ++i)
    {
        m_links.push_back({edges[i], ::dpdl::FitLink(ofLink(truth, i)), {}});
    }
    const std::vector<::dpdl::TimedMessage> model = TimeMessages(single);
    for (std::size_t i = 0; i < edges.size(); ++i)
    {
        m_links[i].error = ::dpdl::CompareDurations(ofLink(model, i), ofLink(truth, i));
    }
    m_fitted = ::dpdl::CompareDurations(model, truth);
    m_allAtOnce = ::dpdl::CompareDurations(TimeMessages(together), TimePackets(together));
}

std::vector<::dpdl::Edge>
DpdlCalibration::EdgesOf(const ::dpdl::GraphSequence& graph) const
{
    std::vector<::dpdl::Edge> edges;
    std::set<std::pair<::dpdl::NodeId, ::dpdl::NodeId>> seen;
    const ::dpdl::Round rounds = graph.Period() > 0 ? graph.Period() : ROUNDS_LOOKED_AT;
    const auto add = [&](::dpdl::NodeId source, ::dpdl::NodeId target) {
        if (seen.emplace(source, target).second)
        {
            edges.push_back({source, target});
        }
    };
    ::dpdl::ForEachEdge(graph, 0, std::min(rounds, m_settings.rounds), add);
    DPDL_REFUSE_IF(edges.empty(), "option 'topology'", m_settings.topology, "a graph with edges");
    return edges;
}

std::vector<::dpdl::TimedMessage>
DpdlCalibration::TimePackets(const std::vector<DpdlLinkProbe::Volley>& volleys) const
{
    RngSeedManager::SetSeed(m_settings.seed.seed);
    RngSeedManager::SetRun(m_settings.seed.run);
    NodeContainer nodes(static_cast<uint32_t>(m_settings.nodes));
    ::dpdl::NetworkFacts facts;
    const DpdlPacketSetup setup = MakeDpdlPacketSetup(m_settings, nodes, facts);
    setup.transport->AssignStreams(0);
    DpdlLinkProbe probe(nodes, volleys, Seconds(PATIENCE));
    std::vector<::dpdl::TimedMessage> messages = probe.Run(setup.transport);
    setup.transport->Dispose();
    Simulator::Destroy();
    return messages;
}

std::vector<::dpdl::TimedMessage>
DpdlCalibration::TimeMessages(const std::vector<DpdlLinkProbe::Volley>& volleys) const
{
    NodeContainer nodes(static_cast<uint32_t>(m_settings.nodes));
    std::stringstream text;
    WriteLinks(text);
    const auto table = std::make_shared<::dpdl::LinkTable>(m_settings.nodes);
    std::set<::dpdl::LinkColumn> claimed;
    table->Read(text, "calibration", ::dpdl::LinkColumn::DATA_RATE, claimed);
    const auto transport = CreateObject<DpdlMessageTransport>();
    transport->SetLinks(table);
    transport->AssignStreams(0);
    DpdlLinkProbe probe(nodes, volleys, Seconds(PATIENCE));
    std::vector<::dpdl::TimedMessage> messages = probe.Run(transport);
    transport->Dispose();
    Simulator::Destroy();
    return messages;
}

void
DpdlCalibration::WriteLinks(std::ostream& out) const
{
    out << "source target dataRate delay drop overhead queue\n";
    for (const Link& link : m_links)
    {
        out << link.ends.source << " " << link.ends.target << " "
            << ::dpdl::ShowNumber(std::round(link.fit.dataRate)) << "bps "
            << ::dpdl::ShowNumber(link.fit.delay) << "s "
            << ::dpdl::ShowNumber(std::min(link.fit.drop, 0.999)) << " "
            << ::dpdl::ShowNumber(std::round(link.fit.overhead)) << " " << QueueText(link.fit.queue)
            << "\n";
    }
}

void
DpdlCalibration::WriteLinkFile(std::ostream& out) const
{
    out << FIRST_LINE << "\n"
        << "# error one link at a time: " << Describe(m_fitted) << "\n"
        << "# error all links at once: " << Describe(m_allAtOnce) << "\n";
    WriteLinks(out);
}

void
DpdlCalibration::WriteTable(std::ostream& out) const
{
    out << "link         rate (Mbit/s)  delay (ms)  overhead (B)   drop  queue        median err  "
           "largest err\n"
        << std::fixed;
    for (const Link& link : m_links)
    {
        const std::string ends =
            std::to_string(link.ends.source) + "->" + std::to_string(link.ends.target);
        out << std::left << std::setw(12) << ends << std::right << std::setprecision(4)
            << std::setw(14) << link.fit.dataRate / 1e6 << std::setw(12) << link.fit.delay * 1e3
            << std::setprecision(0) << std::setw(14) << link.fit.overhead << std::setprecision(3)
            << std::setw(7) << link.fit.drop << "  " << std::left << std::setw(11)
            << QueueText(link.fit.queue) << std::right << std::setprecision(2) << std::setw(10)
            << 100.0 * link.error.median << " %" << std::setw(11) << 100.0 * link.error.largest
            << " %\n";
    }
    out << "\none link at a time: " << Describe(m_fitted)
        << "\nall links at once:  " << Describe(m_allAtOnce) << "\n";
}

void
DpdlCalibration::WriteJson(std::ostream& out) const
{
    out << R"({"sizes": [)";
    for (std::size_t i = 0; i < m_sizes.size(); ++i)
    {
        out << (i > 0 ? ", " : "") << m_sizes[i];
    }
    out << R"(], "oneLinkAtATime": )";
    WriteError(out, m_fitted);
    out << R"(, "allLinksAtOnce": )";
    WriteError(out, m_allAtOnce);
    out << R"(, "links": [)";
    for (std::size_t i = 0; i < m_links.size(); ++i)
    {
        const Link& link = m_links[i];
        out << (i > 0 ? ", " : "") << R"({"source": )" << link.ends.source << R"(, "target": )"
            << link.ends.target << R"(, "dataRate": )" << ::dpdl::JsonNumber(link.fit.dataRate)
            << R"(, "delay": )" << ::dpdl::JsonNumber(link.fit.delay) << R"(, "drop": )"
            << ::dpdl::JsonNumber(link.fit.drop) << R"(, "overhead": )"
            << ::dpdl::JsonNumber(link.fit.overhead) << R"(, "queueBytes": )"
            << (link.fit.queue.bytes > 0 ? std::to_string(link.fit.queue.bytes) : "null")
            << R"(, "error": )";
        WriteError(out, link.error);
        out << "}";
    }
    out << "]}\n";
}

} // namespace ns3
