// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_MOVEMENT_FILE_H
#define DPDL_NETWORK_MOVEMENT_FILE_H

#include "dpdl/base/types.h"

#include <cstddef>
#include <iosfwd>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Limits of movement files.
struct MovementLimits
{
    static constexpr std::size_t HIGHEST_NODE = 9999; ///< largest accepted node number
    static constexpr double LATEST = 1e6;             ///< latest accepted time, s
    static constexpr double FASTEST = 1000.0;         ///< largest accepted speed of a node, m/s
};

/// Time interval in which a node is present, in simulated seconds.
struct Presence
{
    double start{0.0};                                    ///< time at which the node appears, s
    double stop{std::numeric_limits<double>::infinity()}; ///< time from which the node is absent, s
    std::size_t missed{0}; ///< number of timesteps without the node between two that have it
};

/// Summary and commands of a movement file. ns-3's Ns2MobilityHelper executes the commands.
struct Movement
{
    std::size_t nodes{0}; ///< number of nodes, numbered from 0
    double step{0.0}; ///< smallest time between two movements of a node, s; 0: no node moves twice
    /// Time of the first movement, in s, as given in the file.
    double first{0.0};
    double last{0.0}; ///< time of the last movement, in s, as given in the file
    Position low{};   ///< smallest x and smallest y of all positions, m
    Position high{};  ///< largest x and largest y of all positions, m
    /// Presence by node, with times as given in the file. In an ns-2 file all nodes are always
    /// present.
    std::vector<Presence> presence;
    /// Commands in ns-2 format, one per line, without comments, empty lines and `;` at the end.
    /// Parameter `start` of ParseMovement() is subtracted from their times.
    std::shared_ptr<const std::string> commands{};
};

/**
 * @brief Reads and checks a movement file in ns-2 format, as written by SUMO's
 *        traceExporter.py.
 *
 *     $node_(0) set X_ 1.6
 *     $node_(0) set Y_ 612.3
 *     $node_(0) set Z_ 0
 *     $ns_ at 1.5 "$node_(0) setdest 1.6 612.92 1.23"
 *     $ns_ at 9 "$node_(0) set X_ 100"
 *
 * Every node needs X_ and Y_ before it moves. A line without a time sets a coordinate of a node
 * once. The times of a node do not decrease. At any time, a node gets at most one destination and
 * one value of each coordinate. `#` starts a comment. A `;` at the end of a line and empty lines
 * are skipped. Coordinates are in metres, at most 1e6 in absolute value. Speeds are in m/s, at most
 * 1000. A file that begins with `<` is parsed by FcdCommands().
 *
 * @param text contents of the file
 * @param name name of the file in messages, usually its path
 * @param start time that is subtracted from the times in Movement::commands, in s
 * @throws UsageError naming file, line and word if a line has any other form, a number is invalid,
 *         a node moves before it has a position, its times decrease, or a coordinate or destination
 *         is set twice. Also if node numbers are not consecutive from 0, or if there is no node
 */
Movement ParseMovement(std::istream& text, const std::string& name, double start = 0.0);

/**
 * @brief Translates SUMO's FCD output into ns-2 commands, like SUMO's traceExporter.py.
 *
 *     <fcd-export>
 *         <timestep time="1.00">
 *             <vehicle id="veh0" x="1.60" y="612.30" speed="1.23"/>
 *
 * Vehicles are numbered by first appearance. Other elements and attributes are skipped. A vehicle
 * that has no `speed`, or was not in the previous timestep, moves straight from its last position
 * to its new position at constant speed.
 *
 * @param xml contents of the file
 * @param file kind and name of the file, for messages
 * @return the commands, one per line; and by vehicle its presence, from its first timestep to the
 *         timestep after its last
 * @throws UsageError naming file, line, vehicle and attribute, if an attribute is missing or
 *         invalid
 */
std::pair<std::string, std::vector<Presence>> FcdCommands(std::istream& xml,
                                                          const std::string& file);

/// Reads and checks the movement file at @p path with ParseMovement(); @p start as there.
/// @throws UsageError naming file, line and word if ParseMovement() rejects the file, or naming the
/// path if it cannot be read
Movement ReadMovement(const std::string& path, double start = 0.0);

/**
 * @brief Parses SUMO's ns2activity-output, which has the start and stop of each node.
 *
 *     $ns_ at 1.0 "$g(0) start"; # SUMO-ID: a
 *     $ns_ at 118.0 "$g(0) stop"; # SUMO-ID: a
 *
 * @param text contents of the file
 * @param name name of the file, in messages
 * @param nodes number of nodes in the movement file
 * @return presence by node, in seconds; a node that the file does not contain is always present
 * @throws UsageError naming file, line and word if a line has any other form or an unknown node, or
 *         if a node starts or stops twice, or stops before its start. Also if there is no line
 */
std::vector<Presence> ParseActivity(std::istream& text, const std::string& name, std::size_t nodes);

/// Reads and checks the activity file at @p path with ParseActivity().
/// @throws UsageError naming file, line and word if ParseActivity() rejects the file, or naming the
/// path if it cannot be read
std::vector<Presence> ReadActivity(const std::string& path, std::size_t nodes);

/**
 * @brief Makes failure events for absent nodes: crashes that keep the node's state.
 * @param presence presence by node
 * @param first index in the network of the first node of @p presence
 * @return events in the failure language; nodes that are always present have none
 */
std::vector<std::string> AbsenceEvents(const std::vector<Presence>& presence, NodeId first);

} // namespace dpdl

#endif // DPDL_NETWORK_MOVEMENT_FILE_H
