// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_NETWORK_ROWS_H
#define DPDL_TRACE_NETWORK_ROWS_H

/**
 * @file
 * @brief Rows of a trace about messages, push-sum mass, network and contraction.
 *
 * There is one struct per view of the trace (doc/formats/trace.md), named like the view, and a
 * TABLE that describes how its rows are stored. Times are simulated seconds since the start of the
 * run. Mass is push-sum weight.
 */

#include "dpdl/base/types.h"
#include "dpdl/trace/row-table.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dpdl
{

/// Fate of a message. The codes are stored in traces and never change.
enum class DeliveryFate : std::uint8_t
{
    DELIVERED = 1, ///< the message arrived intact, and in time for its round
    LOST = 2,      ///< the message did not arrive, and its mass did not return to the sender
    LATE = 3,      ///< the message arrived intact, but after the receiver had closed its round
    /// A further copy of a message. Each copy has a row; only the first copy is mixed.
    DUPLICATE = 4,
    CORRUPT = 5,  ///< the message arrived damaged and was dropped
    REFUNDED = 6, ///< the message did not arrive, and its mass returned to the sender
};

/// Names of the fates in view `delivery`, by code; the first has code 1.
inline constexpr std::array DELIVERY_FATES{"delivered",
                                           "lost",
                                           "late",
                                           "duplicate",
                                           "corrupt",
                                           "refunded"};

/// One message over one link; view `delivery`.
struct Delivery
{
    Round round{0};   ///< sender's round in which it sent the message, from 0
    NodeId source{0}; ///< node that sent the message
    NodeId target{0}; ///< node to which the message was sent
    double weight{0}; ///< mixing weight: fraction of the sender's mass in the message, in [0, 1]
    std::uint64_t bytes{0}; ///< size on the wire, in bytes
    double sentAt{0}; ///< time at which the sender passed the message to the transport, simulated s
    /// Time at which the last byte arrived, simulated s; empty: the message did not arrive.
    std::optional<double> arrivedAt{};
    /// Round in which the receiver mixed the mass; empty: not mixed.
    std::optional<Round> usedInRound{};
    DeliveryFate fate{DeliveryFate::DELIVERED}; ///< fate of the message
    std::uint32_t chunk{0};                     ///< index of the chunk of the model in the message
    std::string cause{}; ///< name of the DropReason of a loss; "": the message was not lost
    std::string place{}; ///< place of the loss, see MessageLoss::Place(); "": not lost, or unknown
};

template <>
inline constexpr auto TABLE<Delivery> =
    RowTable("delivery",
             "message",
             Column("round", &Delivery::round, OF_TIME),
             Column("source", &Delivery::source, OF_TIME),
             Column("target", &Delivery::target, OF_TIME),
             Column("weight", &Delivery::weight, OF_TIME),
             Column("bytes", &Delivery::bytes, OF_TIME),
             Column("sent_at", &Delivery::sentAt, OF_TIME),
             Column("arrived_at", &Delivery::arrivedAt, OF_TIME),
             Column("used_in_round", &Delivery::usedInRound, OF_TIME),
             Column("fate", &Delivery::fate, OF_TIME, Storage::WORD),
             Column("chunk", &Delivery::chunk, OF_TIME),
             Column("cause", &Delivery::cause, OF_TIME, Storage::TEXT_OR_NULL),
             Column("place", &Delivery::place, OF_TIME, Storage::TEXT_OR_NULL));

/// Totals of one directed link over the run; view `delivery_by_link`. A complete run stores these
/// rows. An interrupted run stores them only if it has no Delivery rows; otherwise the view
/// computes them from the Delivery rows.
struct DeliveryByLink
{
    NodeId source{0};           ///< node that sends on the link
    NodeId target{0};           ///< node that receives on the link
    std::uint64_t sent{0};      ///< number of messages sent, without further copies
    std::uint64_t delivered{0}; ///< number of messages with fate delivered or late
    std::uint64_t lost{0};      ///< number of messages with any other fate: sent - delivered
    std::uint64_t bytes{0};     ///< wire size of all sent messages, in bytes
    /// Mean delay from sending to arrival of the delivered messages, s; empty: none.
    std::optional<double> delayMean{};
    /// 99th percentile of the delay from sending to arrival of the delivered messages, by nearest
    /// rank, s; empty: none.
    std::optional<double> delayP99{};
};

template <>
inline constexpr auto TABLE<DeliveryByLink> =
    RowTable("delivery_by_link",
             "link_total",
             Column("source", &DeliveryByLink::source, OF_TIME),
             Column("target", &DeliveryByLink::target, OF_TIME),
             Column("sent", &DeliveryByLink::sent, OF_TIME),
             Column("delivered", &DeliveryByLink::delivered, OF_TIME),
             Column("lost", &DeliveryByLink::lost, OF_TIME),
             Column("bytes", &DeliveryByLink::bytes, OF_TIME),
             Column("delay_mean", &DeliveryByLink::delayMean, OF_TIME),
             Column("delay_p99", &DeliveryByLink::delayP99, OF_TIME))
        .Ending(R"sql(
UNION ALL
SELECT source, target, SUM(fate <> 4), SUM(fate IN (1, 3)), SUM(fate IN (2, 5, 6)),
       SUM(CASE WHEN fate <> 4 THEN bytes ELSE 0 END), AVG(delay),
       MIN(delay) FILTER (WHERE rank * 100 >= 99 * delays)
FROM (SELECT source, target, bytes, fate, delay,
             COUNT(delay) OVER (PARTITION BY source, target) AS delays,
             ROW_NUMBER() OVER (PARTITION BY source, target ORDER BY delay NULLS LAST) AS rank
      FROM (SELECT source, target, bytes, fate,
                   CASE WHEN fate IN (1, 3) THEN arrived_at - sent_at END AS delay
            FROM message WHERE NOT EXISTS (SELECT 1 FROM link_total)))
GROUP BY source, target)sql");

/// Start or end of a failure; view `link_event`.
struct LinkEvent
{
    double time{0};    ///< time of the event, simulated s
    std::string event; ///< name of the event, by FailureEventName()
    /// Sender of the affected link; empty: all links, or no link is affected.
    std::optional<NodeId> source{};
    /// Receiver of the affected link; empty: all links, or no link is affected.
    std::optional<NodeId> target{};
    std::optional<NodeId> node{}; ///< affected node; empty: all nodes, or no node is affected
    /// Value of the failure. Links: loss probability (bursts: in the long run), latency in s, or
    /// data rate in bit/s. Nodes: factor on the duration of local steps, standard deviation of the
    /// noise of a lie, or, for a crash, 1 if the node keeps its state and 0 if not. Empty: this
    /// kind of failure has no value.
    std::optional<double> value{};
    std::string sentence; ///< text of the failure event in the failure language
};

template <>
inline constexpr auto TABLE<LinkEvent> = RowTable(
    "link_event",
    "network_event",
    Column("time", &LinkEvent::time, OF_TIME),
    Column("event", &LinkEvent::event, OF_TIME, Storage::WORD),
    Column("source", &LinkEvent::source, OF_TIME),
    Column("target", &LinkEvent::target, OF_TIME),
    Column("node", &LinkEvent::node, Private("who is within a region or a jam tells where")),
    Column("value", &LinkEvent::value, OF_TIME),
    Column("sentence", &LinkEvent::sentence, OF_TIME, Storage::WORD));

/// Totals of push-sum mass after a round; view `mass_by_round`. If a model is sent in chunks, each
/// total is the mean over the chunks.
struct MassByRound
{
    Round round{0};      ///< number of completed rounds
    double wAtNodes{0};  ///< sum of the push-sum weights w of all nodes
    double wInFlight{0}; ///< push-sum weight of shares that are sent and not yet mixed
    double wLost{0};     ///< push-sum weight that is permanently lost
    /// Rounding error: wAtNodes + wInFlight + wLost minus the number of nodes; may be negative.
    double wError{0};
    /// Largest MixingError() of any node in the round: float32 rounding error of the new z,
    /// relative to its largest value; NaN: not measured.
    double xError{0};
};

template <>
inline constexpr auto TABLE<MassByRound> =
    RowTable("mass_by_round",
             "mass",
             Column("round", &MassByRound::round, OF_TIME),
             Column("w_at_nodes", &MassByRound::wAtNodes, OF_TIME),
             Column("w_in_flight", &MassByRound::wInFlight, OF_TIME),
             Column("w_lost", &MassByRound::wLost, OF_TIME),
             Column("w_error", &MassByRound::wError, OF_TIME),
             Column("x_error", &MassByRound::xError, OF_MODEL));

/// Position of a node at the start of a round; view `position_by_round`.
struct PositionByRound
{
    Round round{0}; ///< index of the round; after the last round, the number of rounds
    NodeId node{0}; ///< node at the position
    double x{0};    ///< metres to the east of the origin
    double y{0};    ///< metres to the north of the origin
};

template <>
inline constexpr auto TABLE<PositionByRound> =
    RowTable("position_by_round",
             "place",
             Column("round", &PositionByRound::round, Private("tells when a node moved")),
             Column("node", &PositionByRound::node, Private("tells who moved")),
             Column("x", &PositionByRound::x, Private("place of a device")),
             Column("y", &PositionByRound::y, Private("place of a device")));

/// Fates of radio frames by distance between sender and receiver; view `frames_by_distance`.
struct FramesByDistance
{
    double distanceFrom{0}; ///< lower end of the distance range in metres, inclusive
    double distanceTo{0};   ///< upper end of the distance range in metres, exclusive
    /// Number of pairs of a sent frame and a possible receiver in this distance range.
    std::uint64_t sent{0};
    /// Number of the pairs in `sent` in which the receiver received the frame intact.
    std::uint64_t received{0};
    /// Number of the pairs in `sent` in which the frame was lost while another frame was
    /// transmitted.
    std::uint64_t collided{0};
    /// Number of the pairs in `sent` in which the frame was too weak, without a collision.
    std::uint64_t faded{0};
    bool lineOfSight{true}; ///< true: there is no building between sender and receiver
};

template <>
inline constexpr auto TABLE<FramesByDistance> =
    RowTable("frames_by_distance",
             "frame_total",
             Column("distance_from", &FramesByDistance::distanceFrom, OF_PLACES),
             Column("distance_to", &FramesByDistance::distanceTo, OF_PLACES),
             Column("sent", &FramesByDistance::sent, OF_PLACES),
             Column("received", &FramesByDistance::received, OF_PLACES),
             Column("collided", &FramesByDistance::collided, OF_PLACES),
             Column("faded", &FramesByDistance::faded, OF_PLACES),
             Column("line_of_sight", &FramesByDistance::lineOfSight, OF_PLACES));

/// Building that attenuates radio signals; view `building`.
template <>
inline constexpr auto TABLE<Building> = RowTable("building",
                                                 "building_box",
                                                 Column("x_min", &Building::xMin, PUBLIC),
                                                 Column("x_max", &Building::xMax, PUBLIC),
                                                 Column("y_min", &Building::yMin, PUBLIC),
                                                 Column("y_max", &Building::yMax, PUBLIC),
                                                 Column("height", &Building::height, PUBLIC));

/// Energy that a node's radio has used in one state since the start of the run; view
/// `energy_by_node`.
struct EnergyByNode
{
    Round round{0};         ///< number of rounds completed by all nodes
    NodeId node{0};         ///< node with the radio
    std::string_view state; ///< name of the radio's state in ns-3's energy model
    double seconds{0};      ///< time in the state, s
    double joule{0};        ///< energy used in the state, J
};

template <>
inline constexpr auto TABLE<EnergyByNode> =
    RowTable("energy_by_node",
             "energy",
             Column("round", &EnergyByNode::round, OF_TIME),
             Column("node", &EnergyByNode::node, OF_TIME),
             Column("state", &EnergyByNode::state, OF_TIME, Storage::WORD),
             Column("seconds", &EnergyByNode::seconds, OF_TIME),
             Column("joule", &EnergyByNode::joule, OF_TIME));

/// Contraction factor q and balance of influence in a window of rounds; view `q_by_window`.
struct QByWindow
{
    Round firstRound{0}; ///< first round of the window
    Round lastRound{0};  ///< last round of the window, inclusive
    /// Upper bound on q by lemma 2 of Dyn-D2P (TopologyBound), in [0, 1]; NaN: not computed. q is
    /// the factor by which the differences between the nodes' models contract per round.
    double qBound{0};
    /// q by the weights of the topology, without message loss, in [0, 1].
    double qDesigned{0};
    double qRealised{0}; ///< q by the shares that were actually mixed, in [0, 1]
    /// True: the links that delivered messages in the window connect all nodes strongly.
    bool stronglyConnected{true};
    /// Effective number of nodes: 1 / (sum of the squared influences of the nodes since round 0),
    /// in [1, n]. n: all influences are equal; NaN: not computed.
    double effectiveNodes{0};
    /// Dobrushin's coefficient of the window, by the shares that were mixed, in [0, 1]: largest
    /// fraction of the difference between two nodes' models that may remain. NaN: not computed.
    double worstPair{1};
    /// Largest influence of a node on the mean model, times n, in [1, n]. 1: all influences are
    /// equal; NaN: not computed.
    double largestInfluence{1};
    /// Smallest push-sum weight of a node after any round of the window, divided by the mean over
    /// the nodes in that round.
    double wMin{1};
    /// Largest push-sum weight of a node after any round of the window, divided by the mean over
    /// the nodes in that round.
    double wMax{1};
    double oneMinusQBound{0}; ///< 1 - qBound, with full relative precision; NaN: not computed
    /// B of the bound: number of consecutive rounds whose combined links connect all nodes
    /// strongly; empty: there is no such number. See TopologyBound.
    std::optional<Round> windowB{};
    /// Delta of the bound: largest diameter, in links, of the combined links of B rounds; empty:
    /// not computed, or there is no B. See TopologyBound.
    std::optional<unsigned> diameter{};
    /// Upper bound on the numerical error of qDesigned and qRealised: the true value is at most the
    /// computed value plus qError; 0: exact up to rounding.
    double qError{0};
};

template <>
inline constexpr auto TABLE<QByWindow> =
    RowTable("q_by_window",
             "topology_window",
             Column("first_round", &QByWindow::firstRound, OF_TIME),
             Column("last_round", &QByWindow::lastRound, OF_TIME),
             Column("q_bound", &QByWindow::qBound, OF_TIME),
             Column("q_designed", &QByWindow::qDesigned, OF_TIME),
             Column("q_realised", &QByWindow::qRealised, OF_TIME),
             Column("strongly_connected", &QByWindow::stronglyConnected, OF_TIME),
             Column("effective_nodes", &QByWindow::effectiveNodes, OF_TIME),
             Column("worst_pair", &QByWindow::worstPair, OF_TIME),
             Column("largest_influence", &QByWindow::largestInfluence, OF_TIME),
             Column("w_min", &QByWindow::wMin, OF_TIME),
             Column("w_max", &QByWindow::wMax, OF_TIME),
             Column("one_minus_q_bound", &QByWindow::oneMinusQBound, OF_TIME),
             Column("window_b", &QByWindow::windowB, OF_TIME),
             Column("diameter", &QByWindow::diameter, OF_TIME),
             Column("q_error", &QByWindow::qError, OF_TIME));

} // namespace dpdl

#endif // DPDL_TRACE_NETWORK_ROWS_H
