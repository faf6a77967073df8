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
 * @brief Builds a learning run on a set of nodes: the options, applications, transport and trace.
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
 * The options are those of `./dpdl run learn --help`. An uncaught dpdl::Error ends the program with
 * one line on standard error and status 2, as does a setter that is called after Install().
 */
class DpdlHelper
{
  public:
    /// Starts from the default options. Options seed and run default to the values of
    /// RngSeedManager at Install().
    DpdlHelper();

    /// Starts from given options, whose seed and run override RngSeedManager.
    /// @param settings initial options
    explicit DpdlHelper(const ::dpdl::RunOptions& settings);

    /**
     * @brief Seed and run of ns-3's RngSeedManager.
     * @throws dpdl::UsageError if the run is 2^32 or more
     */
    static ::dpdl::RandomSeed GlobalSeed();

    /**
     * @brief Sets an option of the run.
     * @param option name of the option
     * @param value value of the option, as on the command line
     * @throws dpdl::UsageError naming the option, if it is unknown or does not accept the value
     */
    void Set(const std::string& option, const std::string& value);

    /**
     * @brief Adds an option of the run to a script's command line.
     *
     * A value on the command line overrides Set(), even if Set() is called later.
     * @param option name of the option
     * @param cmd command line of the script, which may be parsed repeatedly after this call, during
     *        the lifetime of this helper
     * @throws dpdl::UsageError if the option is unknown
     */
    void AddOption(const std::string& option, CommandLine& cmd);

    /**
     * @brief Sets an attribute of every application.
     * @param name attribute of ns3::DpdlApplication; ns-3 aborts the program if there is none
     * @param value value of the attribute
     */
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        BeforeInstall("SetAttribute").m_factory.Set(name, value);
    }

    /**
     * @brief Lets nodes start at different times. On a shared medium, messages sent at the same
     *        time collide. If rounds end at their deadlines, these collisions recur in every round.
     * @param longest each node's start and deadlines are delayed by a uniform time on [0, longest];
     *        choose it small compared with option deadline; 0: all start together
     */
    void SetStartJitter(Time longest)
    {
        BeforeInstall("SetStartJitter").m_startJitter = longest;
    }

    /**
     * @brief Sets an attribute of the transport, for example Port if several runs use the same
     * nodes.
     *
     * If the user gives an option for the same property, the option overrides the attribute.
     * @param name attribute of the transport type that options network and transport select; if
     *        there is none, Install() throws dpdl::UsageError
     * @param value value of the attribute
     */
    void SetTransportAttribute(const std::string& name, const AttributeValue& value)
    {
        BeforeInstall("SetTransportAttribute")
            .m_attributes.ofTransport.emplace_back(name, value.Copy());
    }

    /**
     * @brief Sets an attribute of the devices that Install() creates on nodes without stacks.
     * @param name attribute of ns3::PointToPointNetDevice, except DataRate, which option dataRate
     *        sets
     * @param value value of the attribute
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value)
    {
        BeforeInstall("SetDeviceAttribute").m_attributes.ofDevices.emplace_back(name, value.Copy());
    }

    /**
     * @brief Sets the edges of the topology; overrides option topology.
     *
     * Nodes are numbered by their index in the container of Install(). Install() throws dpdl::Error
     * for a duplicate, an edge from a node to itself, or an unknown node.
     * @param edges edges of every round
     */
    void SetTopology(std::vector<::dpdl::Edge> edges)
    {
        BeforeInstall("SetTopology").m_settings.topology = ::dpdl::EnterTopology(std::move(edges));
    }

    /**
     * @brief Sets a topology that changes each round.
     * @param edges returns the edges of a round; called once per round, when its first node begins
     */
    void SetTopology(std::function<std::vector<::dpdl::Edge>(::dpdl::Round)> edges)
    {
        BeforeInstall("SetTopology").m_settings.topology = ::dpdl::EnterTopology(std::move(edges));
    }

    /**
     * @brief Sets the topology from a graph of Boost.Graph.
     * @tparam Graph has vertices 0..n-1, such as boost::adjacency_list<vecS, vecS, directedS>; if
     * it is undirected, each edge counts in both directions
     * @param graph graph of every round
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
     * @brief Sets the failures of the network; overrides options fail and failures.
     * @param failures failure events, and files of failure events
     */
    void SetFailures(const DpdlFailureHelper& failures)
    {
        BeforeInstall("SetFailures").m_settings.fail = failures.Events();
        m_settings.failures = failures.Files();
    }

    /**
     * @brief Sets a loss model that acts in addition to options drop and fail, in message mode.
     *
     * In other modes Install() throws dpdl::UsageError. In packet mode use attribute
     * ReceiveErrorModel of the devices instead.
     * @param model decides for every message whether it is lost; Install() assigns its streams
     */
    void SetLossModel(Ptr<DpdlLossModel> model)
    {
        BeforeInstall("SetLossModel").m_lossModel = model;
    }

    /**
     * @brief Sets a loss model that has a separate ns3::ErrorModel for each directed link.
     * @param type subclass of ns3::ErrorModel, such as ns3::BurstErrorModel
     * @param attributes names and values of attributes of @p type, alternately
     * @return the model, in which another ns3::ErrorModel can be set for a single link
     */
    template <typename... Attributes>
    Ptr<DpdlErrorModelLoss> SetLossModel(const std::string& type, const Attributes&... attributes)
    {
        const auto model = CreateObjectWithAttributes<DpdlErrorModelLoss>(
            "ErrorModel",
            ObjectFactoryValue(
                ObjectFactory(DpdlErrorModelLoss::RequireErrorModel(type), attributes...)));
        SetLossModel(model);
        return model;
    }

    /**
     * @brief Distributes the nodes of a run in message mode over several processes (ranks).
     *
     * Every rank installs all nodes. The system id of a node (DpdlRanks::CreateNodes()) is the rank
     * that simulates it. Every rank writes a trace of the nodes it simulates.
     * @param ranks ranks of the run, which outlive this helper. With a single rank the call has no
     *        effect
     */
    void SetRanks(const DpdlRanks& ranks)
    {
        m_ranks = &ranks;
    }

    /**
     * @brief Sets a callback for the progress of Install().
     * @param watch is called at the start of each step of the preparation with its name, such as
     *        "the data"; the name of the last step is "the trace"
     */
    void SetSetupCallback(std::function<void(const std::string&)> watch)
    {
        m_watch = std::move(watch);
    }

    /**
     * @brief Runs the checks of Install() for a run on several ranks, in this process and
     *        without writing anything.
     * @param nodes all nodes of the run, as for Install()
     * @param ranks number of ranks, at least 2
     * @throws dpdl::UsageError if Install() would throw this error on one of these ranks
     */
    void CheckRanks(const NodeContainer& nodes, uint32_t ranks);

    /**
     * @brief Records metadata in the run's trace, next to the options; call it before Install().
     * @param name name of the entry; a second call with this name replaces the value
     * @param value value of the entry
     * @throws dpdl::UsageError naming the entry if an option has this name
     */
    void SetMetadata(const std::string& name, const std::string& value);

    /**
     * @brief Builds the run, installs one application on each node, and opens the trace.
     *
     * Sets ns-3's RngSeedManager to the run's seed until Finish(). Call this once.
     * @param nodes different nodes, at least two, or one with topology `none`; the index of a node
     *        here is its number in the run
     * @return the applications of the nodes that this rank simulates, in the order of the nodes.
     *         They start at time 0 unless the caller sets other start times
     * @throws dpdl::UsageError naming the option or file that is not accepted
     */
    ApplicationContainer Install(const NodeContainer& nodes);

    /// One line for the user after Install(): the number of ranks, the look-ahead in ms (least
    /// time of a message between ranks), and the percentage of these messages; "": one process.
    const std::string& Cut() const
    {
        return m_cut;
    }

    /**
     * @brief Assigns fixed streams to all random variables that the run uses; Install() calls it
     *        with 0.
     * @param stream first stream index to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @brief Closes the run after Simulator::Run(): final evaluation, summary, trace. Call it once.
     * @return true if every node that has not crashed permanently has done all its rounds
     */
    bool Finish();

    /**
     * @brief Prints Result(), the path of the trace, and a warning if messages were lost; call this
     *        after Finish().
     * @param out receives the lines
     */
    void PrintResult(std::ostream& out) const;

    /// Description of the run after Finish(), in three lines: test accuracy (mean, worst node),
    /// claimed and certified epsilon at the run's delta, and lost messages.
    std::string Result() const;

    /// Simulated time at which the last node of this rank ended its last round or crashed
    /// permanently. Before that time: the present time. Valid until Simulator::Destroy().
    Time EndOfRounds() const;

    /// Stops the simulation when all nodes have finished; call this after Install(). Install()
    /// itself calls it if node 0 has a DpdlRadio.
    void StopAtEnd();

    /// Returns the position of a node in metres, from its MobilityModel or, without one, from the
    /// topology; empty if neither has one.
    using Locator = std::function<std::optional<::dpdl::Position>(uint32_t)>;

    /**
     * @brief Positions of the nodes, after Install().
     * @return maps a node number to the node's current position in metres, if it has one; valid
     *         during the lifetime of this helper
     */
    Locator Positions() const;

    /// The run; valid from Install() on, during the lifetime of this helper.
    ::dpdl::Experiment& Experiment()
    {
        return *m_experiment;
    }

  private:
    /// This helper. @throws dpdl::UsageError naming the method @p call, if Install() was called
    DpdlHelper& BeforeInstall(const std::string& call);
    static bool TakeTyped(DpdlHelper* helper, std::string option, const std::string& value);
    ::dpdl::RunOptions AskedOf(const NodeContainer& nodes);
    void ReadAttributes(::dpdl::RunOptions& asked);
    void ReadRanks(::dpdl::RunOptions& asked, ::dpdl::NetworkFacts& facts) const;
    void MakeTransport(::dpdl::RunOptions& asked, ::dpdl::NetworkFacts& facts);
    void MakeReliable(const ::dpdl::RunOptions& asked);
    ::dpdl::RunOptions Prepare(const NodeContainer& nodes, ::dpdl::NetworkFacts& facts);
    Time FeedbackDelay() const;
    void StopIfDone(uint32_t round, double weight);
    void Couple(const ::dpdl::ResolvedRun& run);
    /// Look-ahead of conservative synchronisation: the minimum transfer time of a message between
    /// ranks or, if it is less, of the notification of a loss.
    /// @throws dpdl::UsageError if this time is 0, or attribute Sharing is downlink
    Time LookAhead(const ::dpdl::ResolvedRun& run, const ::dpdl::RankCut& cut) const;
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

    ::dpdl::RunOptions m_settings; //!< options of the run
    /// Options of AddOption() with their values from the command line, without duplicates.
    std::vector<std::pair<std::string, std::string>> m_typed;
    Time m_startJitter;             //!< longest random delay of a node's start; 0: none
    DpdlRunAttributes m_attributes; //!< attributes that the program set for transport and devices
    ::dpdl::Experiment::Metadata m_metadata; //!< entries of SetMetadata(), written to the trace
    ObjectFactory m_factory; //!< creates the applications, with the attributes of SetAttribute()
    Ptr<DpdlTransport> m_transport; //!< carries the shares
    /// Transport of message mode, which m_reliable may wrap; empty in other modes.
    Ptr<DpdlMessageTransport> m_messages;
    /// Transport of packet mode, which m_reliable may wrap; empty in other modes.
    Ptr<DpdlPacketTransport> m_packets;
    Ptr<DpdlReliableTransport> m_reliable; //!< m_transport if it retransmits, else empty
    /// Network that dpdl built in packet mode; empty: another mode, or the nodes have stacks.
    std::shared_ptr<DpdlPacketNetwork> m_packetNetwork;
    /// Returns the bytes sent on the air so far, from CountDpdlAirBytes(); empty: not counted.
    std::function<uint64_t()> m_airBytes;
    /// Returns which nodes overhear other nodes, from WatchDpdlMedium(); empty: not recorded.
    std::function<std::string()> m_overheard;
    Ptr<DpdlLossModel> m_lossModel; //!< loss model in message mode; empty: none
    NodeContainer m_nodes;          //!< nodes of the run
    /// Applications of the nodes of this rank, in ascending order of nodes.
    std::vector<Ptr<DpdlApplication>> m_applications;
    Ptr<DpdlFailureDriver> m_failures; //!< applies the failures; empty: nothing fails
    std::unique_ptr<::dpdl::Experiment> m_experiment; //!< the run; empty before Install()
    /// Receives the progress of Install(), from SetSetupCallback(); empty: none.
    std::function<void(const std::string&)> m_watch;
    /// True: seed and run are those of RngSeedManager, unless the options set them.
    bool m_takesGlobalSeed{false};
    ::dpdl::RandomSeed m_globalSeed;   //!< seed and run before Install(), which Finish() restores
    bool m_isFinished{false};          //!< true: Finish() was called
    Time m_lookAhead;                  //!< result of LookAhead(); 0: one process
    std::string m_cut;                 //!< line of Cut(); "": one process
    const DpdlRanks* m_ranks{nullptr}; //!< ranks that share the run; nullptr: one process
    std::shared_ptr<DpdlGateway> m_gateway; //!< gateway to the other ranks; empty: none
};

} // namespace ns3

#endif // DPDL_HELPER_H
