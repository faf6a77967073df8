// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_NETWORK_ROWS_H
#define DPDL_TRACE_NETWORK_ROWS_H

/**
 * @file
 * @brief Rows of a trace about messages, mass and consensus.
 *
 * One struct per kind of row, named as its view (doc/formats/trace.md), and the description of its
 * table. Times are simulated seconds since the start of the run.
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

/// Fate of a message. The codes are stored and never change.
enum class DeliveryFate : std::uint8_t
{
    DELIVERED = 1, ///< the message arrived intact and in time
    LOST = 2,      ///< the message did not arrive
    LATE = 3,      ///< the message arrived intact after its round was closed
    /// A further copy of a message; each copy has a row, and only the first is mixed.
    DUPLICATE = 4,
    CORRUPT = 5,  ///< the message arrived damaged and was dropped
    REFUNDED = 6, ///< the message did not arrive, and the sender took the mass back
};

/// Names of the fates in the view, starting at code 1.
inline constexpr std::array DELIVERY_FATES{"delivered",
                                           "lost",
                                           "late",
                                           "duplicate",
                                           "corrupt",
                                           "refunded"};

/// One message over one link; view `delivery`.
struct Delivery
{
    Round round{0};         ///< round in which the message was sent
    NodeId source{0};       ///< node that sent the message
    NodeId target{0};       ///< node to which it was sent
    double weight{0};       ///< fraction of the sender's mass in the message
    std::uint64_t bytes{0}; ///< size on the wire, in bytes
    double sentAt{0};       ///< time at which the transport got the message, simulated s
    /// Time at which the last byte arrived, simulated s; empty: never.
    std::optional<double> arrivedAt{};
    std::optional<Round> usedInRound{};         ///< round in which the mass was mixed; empty: none
    DeliveryFate fate{DeliveryFate::DELIVERED}; ///< outcome of the transmission
    std::uint32_t chunk{0}; ///< index of the part of the model that the message carries
    std::string cause{};    ///< reason why the message was lost; empty: it was not lost
    std::string place{};    ///< place where the message was lost, see MessageLoss::Place()
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

/// Totals of one directed link over the run; view `delivery_by_link`. TraceStore computes them from
/// Delivery rows when the run is complete; only runs without such rows add them.
struct DeliveryByLink
{
    NodeId source{0};           ///< node that sends on the link
    NodeId target{0};           ///< node that receives on the link
    std::uint64_t sent{0};      ///< number of messages, without duplicates
    std::uint64_t delivered{0}; ///< number of messages with fate delivered or late
    std::uint64_t lost{0};      ///< number of messages with any other fate: sent = delivered + lost
    std::uint64_t bytes{0};     ///< wire size of the messages counted in sent
    std::optional<double> delayMean{}; ///< mean of arrival - sending of the delivered messages, s
    std::optional<double> delayP99{};  ///< 99th percentile of arrival - sending, nearest rank, s
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
    double time{0};                 ///< time of the event, simulated s
    std::string event;              ///< name of the event, by FailureEventName()
    std::optional<NodeId> source{}; ///< sender of the link; empty: all links, or no link is
                                    ///< affected
    /// Receiver of the link; empty: all links, or no link is affected.
    std::optional<NodeId> target{};
    std::optional<NodeId> node{}; ///< affected node; empty: all nodes, or no node is affected
    /// Value of the failure, by its kind: loss probability, delay in s, data rate in bit/s, or
    /// factor on the time of local steps; empty: it has none.
    std::optional<double> value{};
    std::string sentence; ///< the failure event as text
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

/// The mass ledger at the end of a round; view `mass_by_round`.
struct MassByRound
{
    Round round{0};      ///< number of completed rounds
    double wAtNodes{0};  ///< sum of the push-sum weights w of all nodes
    double wInFlight{0}; ///< push-sum weight of shares in flight or waiting in an inbox
    double wLost{0};     ///< push-sum weight that is lost permanently
    double wError{0};    ///< sum of the three masses above, minus the number of nodes
    double xError{0};    ///< relative float32 rounding error of x = w z in mixing
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
    Round round{0}; ///< the round; after the last round, the number of rounds
    NodeId node{0}; ///< the node
    double x{0};    ///< metres to the east
    double y{0};    ///< metres to the north
};

template <>
inline constexpr auto TABLE<PositionByRound> =
    RowTable("position_by_round",
             "place",
             Column("round", &PositionByRound::round, Private("tells when a node moved")),
             Column("node", &PositionByRound::node, Private("tells who moved")),
             Column("x", &PositionByRound::x, Private("place of a device")),
             Column("y", &PositionByRound::y, Private("place of a device")));

/// Fates of radio frames by distance of the receiver; view `frames_by_distance`.
struct FramesByDistance
{
    double distanceFrom{0};    ///< lower end of the distance range in metres, inclusive
    double distanceTo{0};      ///< upper end of the distance range in metres, exclusive
    std::uint64_t sent{0};     ///< frames, counted once per node in this distance range that could
                               ///< receive
    std::uint64_t received{0}; ///< number of these frames that were received intact
    /// Number of these frames that were lost while another was on the air.
    std::uint64_t collided{0};
    std::uint64_t faded{0}; ///< number of these frames that were too weak, without a collision
    bool lineOfSight{true}; ///< true: no building stood between the two nodes
};

template <>
inline constexpr auto TABLE<FramesByDistance> = RowTable(
    "frames_by_distance",
    "frame_total",
    Column("distance_from",
           &FramesByDistance::distanceFrom,
           Private("computed from places of devices")),
    Column("distance_to",
           &FramesByDistance::distanceTo,
           Private("computed from places of devices")),
    Column("sent", &FramesByDistance::sent, Private("computed from places of devices")),
    Column("received", &FramesByDistance::received, Private("computed from places of devices")),
    Column("collided", &FramesByDistance::collided, Private("computed from places of devices")),
    Column("faded", &FramesByDistance::faded, Private("computed from places of devices")),
    Column("line_of_sight",
           &FramesByDistance::lineOfSight,
           Private("computed from places of devices")));

/// Buildings that obstruct radio links; view `building`.
template <>
inline constexpr auto TABLE<Building> = RowTable("building",
                                                 "building_box",
                                                 Column("x_min", &Building::xMin, PUBLIC),
                                                 Column("x_max", &Building::xMax, PUBLIC),
                                                 Column("y_min", &Building::yMin, PUBLIC),
                                                 Column("y_max", &Building::yMax, PUBLIC),
                                                 Column("height", &Building::height, PUBLIC));

/// Energy that a node's radio has used so far in one state; view `energy_by_node`.
struct EnergyByNode
{
    Round round{0};         ///< rounds completed by all nodes
    NodeId node{0};         ///< node with the radio
    std::string_view state; ///< state of the radio
    double seconds{0};      ///< time in that state since the start, s
    double joule{0};        ///< energy used in that state since the start, J
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

/// Consensus over a window of rounds; view `q_by_window`.
struct QByWindow
{
    Round firstRound{0}; ///< first round of the window
    Round lastRound{0};  ///< last round of the window, inclusive
    /// The papers' upper bound on q, the factor by which the disagreement of the nodes shrinks per
    /// round.
    double qBound{0};
    /// q per round by the weights of the topology, as if no message had been lost.
    double qDesigned{0};
    double qRealised{0}; ///< q per round by the shares that were really mixed
    /// True: the links that delivered in the window connect all nodes strongly.
    bool stronglyConnected{true};
    /// 1 / sum of the squared influences of the nodes since round 0; n if all n nodes have the same
    /// influence.
    double effectiveNodes{0};
    /// Dobrushin's coefficient of the whole window by the shares that were mixed: the largest
    /// fraction of a difference of two nodes that remains.
    double worstPair{1};
    /// Largest influence of a node on the final mean, times the number of nodes; 1 if all are
    /// equal.
    double largestInfluence{1};
    /// Smallest w after any round of the window, as a fraction of the mean w of that round.
    double wMin{1};
    /// Largest w after any round of the window, as a multiple of the mean w of that round.
    double wMax{1};
    double oneMinusQBound{0}; ///< 1 - qBound, with full precision
    /// Window length B, in rounds, of the papers' bound; empty: there is no bound.
    std::optional<Round> windowB{};
    /// Diameter Delta, in links, of the papers' bound; empty: there is no bound.
    std::optional<unsigned> diameter{};
    double qError{0}; ///< the true values may exceed qDesigned and qRealised by at most this
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
