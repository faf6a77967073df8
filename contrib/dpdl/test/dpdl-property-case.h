// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PROPERTY_CASE_H
#define DPDL_PROPERTY_CASE_H

#include "dpdl-property-draws.h"
#include "dpdl-property-failures.h"
#include "dpdl/algorithm/algorithms.h"
#include "dpdl/experiment/run-options.h"
#include "dpdl/topology/topologies.h"

#include "ns3/node-container.h"

#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace dpdltest
{

/// A random run with random failures: a function of its number.
struct PropertyCase
{
    uint32_t number{0};                                          ///< names it
    dpdl::RunOptions settings;                                   ///< options
    bool isPlaced{false};                                        ///< nodes have an ns-3 place
    std::vector<std::pair<std::string, std::string>> attributes; ///< ns-3 defaults, by path
    /// Gives nodes places, devices and stacks, which may never rest; empty: the run's network.
    std::function<void(const ns3::NodeContainer&)> network{};

    /// Two lines for a report: the run, and what goes wrong.
    std::string Describe() const
    {
        const dpdl::RunOptions& s = settings;
        std::ostringstream text;
        text << s.nodes << " nodes, " << s.rounds << " rounds, " << s.topology << ", network "
             << static_cast<int>(s.network) << ", transport "
             << static_cast<int>(s.transport.value_or(dpdl::TransportKind::UDP)) << ", policy "
             << static_cast<int>(s.lossPolicy) << ", schedule " << static_cast<int>(s.schedule)
             << ", staleness " << s.staleness.value_or(0) << ", drop " << s.drop.value_or(0.0)
             << ", delay " << s.delay.value_or(0.0) << ", rate " << s.dataRate.value_or(0.0) << ", "
             << s.algorithm << " " << s.hyper << ", chunk " << s.chunkBytes << ", compress "
             << s.compress.value_or("none") << ", mix " << s.mix << ", deadline "
             << static_cast<int>(s.deadline.kind) << " " << s.deadline.seconds << ", train "
             << s.train << ", q " << s.measureQ << ", compute " << s.compute->seconds << " x "
             << s.compute->heterogeneity;
        for (const auto& [name, value] : attributes)
        {
            text << ", " << name << " " << value;
        }
        text << "\n ";
        for (const std::string& event : s.fail)
        {
            text << " \"--fail=" << event << "\"";
        }
        return text.str();
    }
};

/// Draws cases.
class PropertyCaseMaker
{
  public:
    /**
     * @param prefix of the paths of a case's files, which the next one overwrites
     */
    explicit PropertyCaseMaker(std::string prefix)
        : m_prefix(std::move(prefix))
    {
    }

    /// The case of a number.
    PropertyCase Make(uint32_t number) const
    {
        PropertyDraws draws(number);
        PropertyCase made;
        made.number = number;
        SetSize(made.settings, draws);
        SetLearning(made.settings, draws);
        SetNetwork(made, draws);
        SetRounds(made.settings, draws);
        made.isPlaced = draws.Chance(0.3);
        SetTopology(made, draws);
        const bool hasPlaces = made.isPlaced || made.settings.topology.rfind("radius:", 0) == 0;
        const bool isPacket = made.settings.network == dpdl::NetworkKind::PACKET;
        made.settings.fail =
            PropertyFailures(made.settings.nodes, 40 * made.settings.rounds, hasPlaces, isPacket)
                .Draw(draws);
        if (draws.Chance(0.04))
        {
            SetCorrelated(made.settings, draws);
        }
        SetCompression(made.settings, draws);
        SetHonesty(made);
        SetLeaks(made);
        return made;
    }

  private:
    /// Nodes, rounds, chunks, trace. @param s receives them @param draws random numbers
    void SetSize(dpdl::RunOptions& s, PropertyDraws& draws) const
    {
        s.nodes = 2 + draws.Below(11);
        s.rounds = 2 + draws.Below(7);
        s.model = "softmax-regression";
        s.samples = 24;
        s.testSamples = 1;
        s.batchSize = 2;
        s.workers = 1;
        s.seed = {1 + draws.Below(1000), 1 + draws.Below(1000)};
        s.chunkBytes = draws.Pick<std::size_t>({0, 0, 0, 16000, 8000});
        s.trace = m_prefix + "run.db";
        s.overwrite = true;
        s.evaluateEvery = draws.Pick<dpdl::Round>({0, 0, 0, 0, 0, 1, 3});
        s.snapshotEvery = draws.Pick<dpdl::Round>({0, 0, 0, 0, 0, 1, 2});
    }

    /// What a step does. @param s receives it @param draws random numbers
    static void SetLearning(dpdl::RunOptions& s, PropertyDraws& draws)
    {
        s.algorithm = draws.Pick<std::string>({"sgp", "sgp", "overlap-sgp"});
        s.accountant = "rdp"; // the fastest
        s.train = draws.Chance(0.2);
        if (draws.Chance(0.02))
        {
            s.train = true;
            s.algorithm = "dyn-d2p";
            s.noise = draws.Chance(0.5);
        }
        s.measureQ = draws.Chance(0.1);
        s.stepScale = draws.Pick<std::optional<dpdl::StepScale>>(
            {std::nullopt, dpdl::StepScale::PLAIN, dpdl::StepScale::BY_WEIGHT});
        s.compute = dpdl::StepTime{};
        s.compute->seconds = 1e-3 * draws.Pick({10, 10, 1, 0, 40});
        s.compute->heterogeneity = draws.Pick({1.0, 1.0, 4.0});
    }

    /// Noise that releases share, in batches of all examples that may be in them.
    /// @param s receives it @param draws random numbers
    static void SetCorrelated(dpdl::RunOptions& s, PropertyDraws& draws)
    {
        s.train = true;
        s.noise = true;
        s.sampler = "full";
        s.accountant = "gdp";
        s.algorithm =
            draws.Pick<std::string>({"decor", "decor", "corn", "lambda-cgd", "bandmf", "mafalda"});
        const auto graph = dpdl::MakeGraphSequence(s.topology, s.nodes, s.seed);
        if (s.algorithm == "bandmf" || s.algorithm == "mafalda")
        {
            // Each node has two examples, and draws from either half of all for sure.
            s.algorithm = graph->Period() == 0 ? "bandmf" : s.algorithm;
            s.samples = 2 * s.nodes;
            s.batchSize = 1;
            s.sampler = "poisson";
            s.hyper = "bands=2";
            return;
        }
        const uint32_t colluders = draws.Below(std::min<std::size_t>(3, s.nodes - 1));
        const bool isComplete = draws.Chance(0.5);
        s.hyper = s.algorithm != "decor" ? ""
                                         : "colluders=" + std::to_string(colluders) +
                                               ",secrets=" + std::to_string(isComplete ? 1 : 0);
        try
        {
            dpdl::MakeAlgorithm(s.algorithm, s.hyper).correlate(*graph, s.rounds);
        }
        catch (const dpdl::UsageError&)
        {
            s.algorithm = "decor"; // a graph that does not repeat, or nodes with few neighbours
            s.hyper = "secrets=1,colluders=" + std::to_string(colluders);
        }
    }

    /// Links, and what becomes of lost mass. @param made receives them @param draws random numbers
    static void SetNetwork(PropertyCase& made, PropertyDraws& draws)
    {
        dpdl::RunOptions& s = made.settings;
        s.lossPolicy = dpdl::LossPolicies().Get(
            draws.Pick<std::string>({"none", "running-sum", "reliable", "refund", "renormalise"}));
        s.dataRate = draws.Pick({10e6, 10e6, 100e6, 2e6});
        s.delay = draws.Pick({5e-3, 5e-3, 0.0, 30e-3});
        s.drop = draws.Pick({0.0, 0.0, 0.1, 0.3, 0.8});
        s.payloadBytes = draws.Chance(0.05);
        made.attributes.emplace_back("ns3::DpdlReliableTransport::MaxAttempts",
                                     draws.Pick<std::string>({"64", "2", "4", "1"}));
        made.attributes.emplace_back("ns3::DpdlApplication::FeedbackDelay",
                                     draws.Pick<std::string>({"-1s", "0s", "70ms"}));
        if (draws.Chance(0.05))
        {
            s.network = dpdl::NetworkKind::IDEAL;
        }
        else if (draws.Chance(0.02))
        {
            SetPacket(s, draws);
        }
        else if (draws.Chance(0.2))
        {
            const char* const sharing = "ns3::DpdlMessageTransport::Sharing";
            const char* const discipline = "ns3::DpdlMessageTransport::Discipline";
            const char* const limit = "ns3::DpdlMessageTransport::QueueLimit";
            made.attributes.emplace_back(sharing, draws.Pick<std::string>({"none", "uplink"}));
            made.attributes.emplace_back(discipline, draws.Pick<std::string>({"fifo", "fair"}));
            made.attributes.emplace_back(limit,
                                         draws.Pick<std::string>({"none", "2msg", "40000B"}));
        }
    }

    /// How shares travel. @param s receives it @param draws random numbers
    static void SetCompression(dpdl::RunOptions& s, PropertyDraws& draws)
    {
        const auto models = draws.Pick<std::string>({"none", "none", "quantize:8", "quantize:12"});
        const auto differences = draws.Pick<std::string>({models, "top-k:0.1", "random-k:0.3"});
        const bool isHeard =
            s.lossPolicy == dpdl::LossPolicy::RELIABLE || s.lossPolicy == dpdl::LossPolicy::REFUND;
        if (!s.payloadBytes)
        {
            s.compress = isHeard && s.chunkBytes == 0 ? differences : models;
        }
    }

    /// Nodes that lie, and rules that resist: by draws of their own, or all other draws of a case
    /// would change. @param made receives them
    static void SetHonesty(PropertyCase& made)
    {
        dpdl::RunOptions& s = made.settings;
        PropertyDraws draws(made.number + 0x40000000U);
        for (uint32_t liars = draws.Chance(0.3) ? 1 + draws.Below(s.nodes - 1) : 0; liars > 0;)
        {
            std::ostringstream event;
            event << "node " << --liars << " lies "
                  << draws.Pick<std::string>(
                         {"sign-flip", "label-flip", "noise scale=2", "stale", "zero"})
                  << " at " << draws.Below(40 * s.rounds) << "ms";
            event << (draws.Chance(0.5) ? " for " + std::to_string(1 + draws.Below(100)) + "ms"
                                        : "");
            s.fail.push_back(event.str());
        }
        if (s.compress.value_or("none") == "none" && draws.Chance(0.3))
        {
            const bool mayTrim = (s.topology == "complete" && s.nodes > 3) ||
                                 s.topology.rfind("random", 0) == 0 || s.topology == "mobility:500";
            const bool isKnown = s.topology.rfind("random-static", 0) == 0;
            s.mix = draws.Pick<std::string>(
                {"clipped:0.01", mayTrim && !isKnown ? "trimmed:1" : "clipped:1"});
        }
    }

    /// Nodes that leak secrets, by draws of their own, likewise. @param made receives them
    static void SetLeaks(PropertyCase& made)
    {
        dpdl::RunOptions& s = made.settings;
        const bool haveSecrets = s.algorithm == "decor" || s.algorithm == "corn";
        PropertyDraws draws(made.number + 0x20000000U);
        for (uint32_t leaks = draws.Chance(0.5) ? 1 + draws.Below(3) : 0; haveSecrets && leaks > 0;
             --leaks)
        {
            s.fail.push_back("node " + std::to_string(draws.Below(s.nodes)) + " leaks at " +
                             std::to_string(draws.Below(40 * s.rounds)) + "ms");
        }
    }

    /// A small run through sockets. @param s receives it @param draws random numbers
    static void SetPacket(dpdl::RunOptions& s, PropertyDraws& draws)
    {
        s.network = dpdl::NetworkKind::PACKET;
        s.transport = draws.Pick({dpdl::TransportKind::UDP, dpdl::TransportKind::TCP});
        s.nodes = std::min<std::size_t>(s.nodes, 5);
        s.rounds = std::min<dpdl::Round>(s.rounds, 4);
        *s.drop /= 50; // for each of 23 packets
    }

    /// Who waits for whom. @param s receives it @param draws random numbers
    static void SetRounds(dpdl::RunOptions& s, PropertyDraws& draws)
    {
        s.schedule = draws.Pick(
            {dpdl::Schedule::SYNCHRONOUS, dpdl::Schedule::ASYNCHRONOUS, dpdl::Schedule::WAIT_FREE});
        if (s.schedule == dpdl::Schedule::ASYNCHRONOUS && draws.Chance(0.9))
        {
            s.staleness = draws.Below(4);
        }
        s.deadline.kind = draws.Pick(
            {dpdl::Deadline::Kind::AUTO, dpdl::Deadline::Kind::AUTO, dpdl::Deadline::Kind::TIME});
        s.deadline.seconds = 1e-3 * draws.Pick({5, 25, 60, 200});
        const bool isRepaired = s.lossPolicy == dpdl::LossPolicy::RELIABLE;
        if ((s.drop == 0.0 || isRepaired) && draws.Chance(0.2))
        {
            s.deadline.kind = dpdl::Deadline::Kind::NONE;
        }
    }

    /// Who sends to whom. @param made receives it @param draws random numbers
    void SetTopology(PropertyCase& made, PropertyDraws& draws) const
    {
        dpdl::RunOptions& s = made.settings;
        const std::string degree = std::to_string(1 + draws.Below(s.nodes));
        s.topology = draws.Pick<std::string>({"exponential",
                                              "ring",
                                              "out-degree:" + degree,
                                              "complete",
                                              "undirected-ring",
                                              "strides",
                                              "alternating-exponential",
                                              "exponential-peers:2",
                                              "star",
                                              "lollipop",
                                              "random:0.3",
                                              "random-static:0.4",
                                              "random-peer",
                                              "random-out:2",
                                              "base:2",
                                              "equi-dynamic:2",
                                              "small-world:2,0.3",
                                              "radius:500",
                                              "mobility:500",
                                              "file:" + DrawEdges(s.nodes, draws),
                                              "contacts:" + DrawContacts(s.nodes, draws)});
        made.isPlaced = made.isPlaced || s.topology == "mobility:500";
        try
        {
            dpdl::MakeGraphSequence(s.topology, s.nodes, s.seed);
        }
        catch (const dpdl::UsageError&)
        {
            s.topology = "ring"; // so few nodes do not go with all graphs
        }
    }

    /// A directed graph, most likely unbalanced. @return the path of its file
    std::string DrawEdges(std::size_t nodes, PropertyDraws& draws) const
    {
        const std::string path = m_prefix + "edges.txt";
        std::ofstream file(path);
        const uint32_t phases = 1 + draws.Below(3);
        // A node has 2 n edges in a phase at most.
        const bool isWeighted = draws.Below(2) == 0;
        const auto weight = [&] {
            const double part = (1.0 + draws.Below(9)) / 10.0;
            return isWeighted ? " " + std::to_string(part / (2.0 * nodes)) + "\n" : "\n";
        };
        for (uint32_t phase = 0; phase < phases; ++phase)
        {
            file << phase << " 0 1" << weight();
            for (std::size_t edge = draws.Below(2 * nodes); edge > 0; --edge)
            {
                const uint32_t source = draws.Below(nodes);
                const uint32_t target = draws.Below(nodes);
                const bool isNew = source != target && (source != 0 || target != 1);
                file << (isNew && m_edges.insert({phase, source, target}).second
                             ? std::to_string(phase) + " " + std::to_string(source) + " " +
                                   std::to_string(target) + weight()
                             : "");
            }
        }
        m_edges.clear();
        return path;
    }

    /// Contacts that come and go. @return the path of their file
    std::string DrawContacts(std::size_t nodes, PropertyDraws& draws) const
    {
        const std::string path = m_prefix + "contacts.txt";
        std::ofstream file(path);
        for (std::size_t contact = 1 + draws.Below(4 * nodes); contact > 0; --contact)
        {
            const uint32_t source = draws.Below(nodes);
            const uint32_t target = (source + 1 + draws.Below(nodes - 1)) % nodes;
            const uint32_t begin = draws.Below(300);
            file << 1e-3 * begin << " " << 1e-3 * (begin + 1 + draws.Below(200)) << " " << source
                 << " " << target << "\n";
        }
        return path;
    }

    using Edge = std::tuple<uint32_t, uint32_t, uint32_t>;

    std::string m_prefix;           ///< of the paths of files
    mutable std::set<Edge> m_edges; ///< of the file that is being written
};

} // namespace dpdltest

#endif // DPDL_PROPERTY_CASE_H
