// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_HELPER_H
#define DPDL_HELPER_H

#include "dpdl-failure-helper.h"
#include "dpdl-ranks.h"
#include "dpdl-transport-setup.h"
#include "dpdl/experiment/experiment.h"
#include "dpdl/topology/topologies.h"

#include "ns3/application-container.h"
#include "ns3/command-line.h"
#include "ns3/dpdl-application.h"
#include "ns3/dpdl-loss-model.h"
#include "ns3/dpdl-message-transport.h"
#include "ns3/dpdl-packet-transport.h"
#include "ns3/dpdl-reliable-transport.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <boost/graph/graph_traits.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Builds a learning run on a set of nodes.
 *
 * @code
 * DpdlHelper dpdl;
 * dpdl.Set("algorithm", "dyn-d2p");
 * dpdl.Set("drop", "0.02");
 * ApplicationContainer apps = dpdl.Install(nodes);
 * Simulator::Run();
 * dpdl.Finish();
 * @endcode
 *
 * The options are those of `./dpdl run learn --help`. An error of dpdl that a script does not catch
 * ends the program with one line and status 2.
 */
class DpdlHelper
{
  public:
    /// Starts from the defaults. Seed and run are those of RngSeedManager at Install(), unless set.
    DpdlHelper();

    /// @param settings starts from these instead of the defaults
    explicit DpdlHelper(const ::dpdl::RunOptions& settings);

    /**
     * @brief Seed and run of RngSeedManager, which scripts, --RngRun and NS_GLOBAL_VALUE set.
     * @throws dpdl::UsageError if the run is 2^32 or more
     */
    static ::dpdl::RandomSeed GlobalSeed();

    /**
     * @brief Sets an option of the run.
     * @param option its name
     * @param value its value, as on the command line
     * @throws dpdl::UsageError if the option is unknown or does not accept the value
     */
    void Set(const std::string& option, const std::string& value);

    /**
     * @brief Offers an option of the run on a script's command line.
     *
     * What the command line says wins over Set(), before or after it.
     * @param option its name
     * @param cmd of the script; not parsed yet, and this outlives its parsing; parsing it twice
     * does no harm
     * @throws dpdl::UsageError if the option is unknown
     */
    void AddOption(const std::string& option, CommandLine& cmd);

    /**
     * @brief Sets an attribute of every application.
     * @param name the attribute's name
     * @param value its value
     */
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        m_factory.Set(name, value);
    }

    /**
     * @brief Lets nodes start at different times; on a shared medium, what all send in the same
     *        nanosecond collides, and again in every round that ends by its deadline.
     * @param longest every node starts up to so much later, drawn uniformly, and so do its
     *        deadlines: little beside option deadline; 0: all start together
     */
    void SetStartJitter(Time longest)
    {
        m_startJitter = longest;
    }

    /**
     * @brief Sets an attribute of the transport, such as Port where another run uses the same
     * nodes.
     *
     * An option that says the same wins.
     * @param name of an attribute of the transport that options network and transport choose
     * @param value its value
     */
    void SetTransportAttribute(const std::string& name, const AttributeValue& value)
    {
        m_attributes.ofTransport.emplace_back(name, value.Copy());
    }

    /**
     * @brief Sets an attribute of the devices that Install() gives nodes without stacks.
     * @param name of an attribute of ns3::PointToPointNetDevice, but DataRate: option dataRate
     * @param value its value
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value)
    {
        m_attributes.ofDevices.emplace_back(name, value.Copy());
    }

    /**
     * @brief Says which node sends to which, in place of option topology.
     *
     * Nodes have the numbers of their places in the container that Install() gets. The share that a
     * node keeps is no edge.
     * @param edges of all rounds, each once
     */
    void SetTopology(std::vector<::dpdl::Edge> edges)
    {
        m_settings.topology = ::dpdl::EnterTopology(std::move(edges));
    }

    /**
     * @brief The same for a graph that changes.
     * @param edges of a round; called once for each, when the first node begins it
     */
    void SetTopology(std::function<std::vector<::dpdl::Edge>(::dpdl::Round)> edges)
    {
        m_settings.topology = ::dpdl::EnterTopology(std::move(edges));
    }

    /**
     * @brief The same for a graph of Boost.Graph.
     * @tparam Graph has vertices 0..n-1, such as boost::adjacency_list<vecS, vecS, directedS>; if
     * it is undirected, edges work both ways
     * @param graph of all rounds
     */
    template <typename Graph, typename = typename Graph::vertex_descriptor>
    void SetTopology(const Graph& graph)
    {
        using Direction = typename boost::graph_traits<Graph>::directed_category;
        std::vector<::dpdl::Edge> all;
        for (auto [edge, end] = edges(graph); edge != end; ++edge)
        {
            const auto from = static_cast<uint32_t>(source(*edge, graph));
            const auto to = static_cast<uint32_t>(target(*edge, graph));
            all.push_back({from, to});
            if (std::is_convertible_v<Direction, boost::undirected_tag>)
            {
                all.push_back({to, from});
            }
        }
        SetTopology(std::move(all));
    }

    /**
     * @brief Says what goes wrong in the network, in place of options fail and failures.
     * @param failures the events
     */
    void SetFailures(const DpdlFailureHelper& failures)
    {
        m_settings.fail = failures.Events();
        m_settings.failures = failures.Files();
    }

    /**
     * @brief Loses messages in addition to those of options drop and fail; in message mode.
     *
     * In packet mode a device has its own ns3::ErrorModel: attribute ReceiveErrorModel.
     * @param model decides about every message; Install() assigns its streams
     */
    void SetLossModel(Ptr<DpdlLossModel> model)
    {
        m_lossModel = model;
    }

    /**
     * @brief The same, with an ns3::ErrorModel of this type for each directed link.
     * @param type such as ns3::BurstErrorModel
     * @param attributes names and values of its attributes, one after the other
     * @return the model, which takes another ns3::ErrorModel for a single link
     */
    template <typename... Attributes>
    Ptr<DpdlErrorModelLoss> SetLossModel(const std::string& type, const Attributes&... attributes)
    {
        const auto model = CreateObjectWithAttributes<DpdlErrorModelLoss>(
            "ErrorModel",
            ObjectFactoryValue(ObjectFactory(type, attributes...)));
        SetLossModel(model);
        return model;
    }

    /**
     * @brief Cuts the run into parts, one for each rank; in message mode.
     *
     * Every rank installs all nodes; each node is simulated by the rank that its system id names,
     * as DpdlRanks::CreateNodes() gives them, and every rank writes a trace of its own nodes.
     * @param ranks of the run, which outlive this; a single one that mpirun started measures
     *        no q, as several do, and nothing else changes
     */
    void SetRanks(const DpdlRanks& ranks)
    {
        m_ranks = &ranks;
    }

    /**
     * @brief Says what Install() is about to do, part by part.
     * @param watch is told the next part, such as "the data", before parts that may take long
     */
    void SetSetupCallback(std::function<void(const std::string&)> watch)
    {
        m_watch = std::move(watch);
    }

    /**
     * @brief Checks all that Install() would check of a run on several ranks, without them and
     *        without writing anything.
     * @param nodes the nodes
     * @param ranks how many there would be, at least 2
     * @throws dpdl::UsageError as Install()
     */
    void CheckRanks(const NodeContainer& nodes, uint32_t ranks);

    /**
     * @brief Records a fact about the run in its trace, next to the options.
     * @param name what
     * @param value its value
     */
    void SetMetadata(const std::string& name, const std::string& value)
    {
        m_metadata.emplace_back(name, value);
    }

    /**
     * @brief Builds the run and installs one application on each node; opens the trace.
     *
     * Sets ns-3's RngSeedManager to the run's seed, until Finish(). Can be called once.
     * @param nodes the nodes, at least two; their number is the run's
     * @return the applications of the nodes of this rank, which start at time 0 unless set
     * otherwise
     * @throws dpdl::UsageError if the options, or the files they name, are not acceptable
     */
    ApplicationContainer Install(const NodeContainer& nodes);

    /// One line on how the ranks of the run are coupled, after Install(): which part of the
    /// messages crosses ranks, and how far ahead a rank may simulate; "" if there is one process.
    const std::string& Cut() const
    {
        return m_cut;
    }

    /**
     * @brief Assigns fixed streams to all random variables that the run uses.
     * @param stream first stream index to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @brief Closes the run after Simulator::Run(): last evaluation, summary, trace.
     * @return true if every node that has not crashed permanently has done all its rounds
     */
    bool Finish();

    /**
     * @brief Prints one line on the run after Finish(): test accuracy of the mean and the worst
     *        node, certified epsilon, and where the trace is.
     */
    void PrintResult(std::ostream& out) const;

    /// When the last node ended its last round, or crashed for good; before that, now. Until
    /// Simulator::Destroy().
    Time EndOfRounds() const;

    /// Stops the simulation, after Install(), when no node has anything left to do. Install() calls
    /// it where node 0 has a DpdlRadio.
    void StopAtEnd();

    /// Position of a node: by its MobilityModel or, without one, by the topology.
    using Locator = std::function<std::optional<::dpdl::Position>(uint32_t)>;

    /**
     * @brief Positions of the nodes, after Install().
     * @return for the number of a node in the run, its position at that moment in metres, if it has
     *         one; usable as long as this helper
     */
    Locator Positions() const;

    /// The run, after Install().
    ::dpdl::Experiment& Experiment()
    {
        return *m_experiment;
    }

  private:
    static bool TakeTyped(DpdlHelper* helper, std::string option, const std::string& value);
    ::dpdl::RunOptions AskedOf(const NodeContainer& nodes);
    void ReadAttributes(::dpdl::RunOptions& asked, ::dpdl::NetworkFacts& facts);
    void ReadRanks(::dpdl::NetworkFacts& facts) const;
    void MakeTransport(const ::dpdl::RunOptions& asked, ::dpdl::NetworkFacts& facts);
    void MakeReliable(const ::dpdl::RunOptions& asked);
    ::dpdl::RunOptions Prepare(const NodeContainer& nodes, ::dpdl::NetworkFacts& facts);
    Time FeedbackDelay() const;
    void StopIfDone(uint32_t round, double weight);
    void Couple(const ::dpdl::ResolvedRun& run);
    void MakeGateway();
    void InstallApplications();
    void MeterRadios();
    ::dpdl::RunWorld World() const;
    void ResolveFeedbackDelay(const ::dpdl::RunOptions& asked, const ::dpdl::NetworkFacts& facts);
    void RecordAttributes(const Object& object);
    void RecordNetwork(::dpdl::TraceStore& store) const;
    uint32_t NodeOf(uint32_t application) const;

    bool IsOfSeveralRanks() const
    {
        return m_ranks != nullptr && !m_ranks->Part().IsWhole();
    }

    void WarnOfOwnStacks();

    ::dpdl::RunOptions m_settings;                            //!< options
    std::vector<std::pair<std::string, std::string>> m_typed; //!< of the command line, each once
    Time m_startJitter;                                       //!< see SetStartJitter()
    DpdlRunAttributes m_attributes;                           //!< of transport and devices
    ::dpdl::Experiment::Metadata m_metadata;                  //!< for the trace
    ObjectFactory m_factory;                                  //!< makes applications
    Ptr<DpdlTransport> m_transport;                           //!< carries the shares
    Ptr<DpdlMessageTransport> m_messages;               //!< the same, or under it, in message mode
    Ptr<DpdlPacketTransport> m_packets;                 //!< the same, or under it, in packet mode
    Ptr<DpdlReliableTransport> m_reliable;              //!< the same, if it repeats what is lost
    std::shared_ptr<DpdlPacketNetwork> m_packetNetwork; //!< in packet mode without own stacks
    std::function<std::string()> m_overheard;           //!< WatchDpdlMedium() of own stacks
    Ptr<DpdlLossModel> m_lossModel;                     //!< see SetLossModel()
    NodeContainer m_nodes;                              //!< of the run
    std::vector<Ptr<DpdlApplication>> m_applications;   //!< one a node of this rank
    Ptr<DpdlFailureDriver> m_failures;                  //!< makes things go wrong; empty: nothing
    std::unique_ptr<::dpdl::Experiment> m_experiment;   //!< see Experiment()
    std::function<void(const std::string&)> m_watch;    //!< see SetSetupCallback()
    bool m_takesGlobalSeed{false};                      //!< of RngSeedManager, unless set
    ::dpdl::RandomSeed m_globalSeed;                    //!< before the run
    Time m_lookAhead;                                   //!< see DpdlRanks::MakeGateway()
    std::string m_cut;                                  //!< see Cut()
    const DpdlRanks* m_ranks{nullptr};                  //!< see SetRanks()
    std::shared_ptr<DpdlGateway> m_gateway;             //!< to the other ranks; empty: none
};

} // namespace ns3

#endif // DPDL_HELPER_H
