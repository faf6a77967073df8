// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_MOVEMENT_FILE_H
#define DPDL_NETWORK_MOVEMENT_FILE_H

#include "dpdl/base/types.h"

#include <cstddef>
#include <iosfwd>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Limits of movement files.
struct MovementLimits
{
    static constexpr std::size_t HIGHEST_NODE = 9999; ///< largest number of a node
    static constexpr double FARTHEST = 1e6;   ///< largest coordinate, m; also the latest time, s
    static constexpr double FASTEST = 1000.0; ///< largest speed of a node, m/s
};

/// Interval in which a node is present, in s.
struct Presence
{
    double start{0.0};                                    ///< time at which the node appears, s
    double stop{std::numeric_limits<double>::infinity()}; ///< time from which the node is absent, s
};

/// Summary of a movement file; ns-3's Ns2MobilityHelper moves the nodes.
struct Movement
{
    std::size_t nodes{0}; ///< number of nodes, numbered from 0
    double step{0.0};     ///< least time between two movements of a node, s; 0: no node moves twice
    double first{0.0};    ///< time of the first movement, in s
    double last{0.0};     ///< time of the last movement, in s
    Position low{};       ///< smallest x and y of any position, m
    Position high{};      ///< largest x and y of any position, m
    std::vector<Presence> presence; ///< by node; of an ns-2 file: always present
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
 * Every node needs X_ and Y_ before it moves. `#` starts a comment; a `;` at the end of a line and
 * empty lines are skipped. Lengths are metres, at most 1e6; speeds m/s, at most 1000. A file that
 * begins with `<` is read by FcdCommands().
 *
 * @param text the file
 * @param name in messages, usually the path
 * @throws UsageError with name, line and word if a line has another form, a number is invalid, or
 *         a node moves before it has a position; if a node number is missing; and if there is no
 * node
 */
Movement ParseMovement(std::istream& text, const std::string& name);

/**
 * @brief Translates SUMO's FCD output to commands of an ns-2 file, as SUMO's traceExporter.py does.
 *
 *     <fcd-export>
 *         <timestep time="1.00">
 *             <vehicle id="veh0" x="1.60" y="612.30" speed="1.23"/>
 *
 * Vehicles are numbered by first appearance. Other elements and attributes are skipped. A vehicle
 * without `speed`, or that was not in the timestep before, drives straight to its position.
 *
 * @param xml the file
 * @param file kind and name of the file, for messages
 * @param start subtracted from the times of the commands, in s
 * @return lines; and by vehicle its first timestep, and the one after its last
 * @throws UsageError with name, line, vehicle and attribute
 */
std::pair<std::string, std::vector<Presence>> FcdCommands(std::istream& xml,
                                                          const std::string& file,
                                                          double start);

/// Reads a movement file; see ParseMovement(). @throws UsageError also if the file cannot be read
Movement ReadMovement(const std::string& path);

/**
 * @brief A movement file in the form that ns-3 reads: one command per line, without comments, empty
 *        lines and a `;` at the end of a line.
 * @param path a file that ReadMovement() accepts
 * @param start subtracted from all times, in s
 */
std::string MovementText(const std::string& path, double start);

/**
 * @brief Reads SUMO's ns2activity-output: when each node starts and stops.
 *
 *     $ns_ at 1.0 "$g(0) start"; # SUMO-ID: a
 *     $ns_ at 118.0 "$g(0) stop"; # SUMO-ID: a
 *
 * @param text the file
 * @param name in messages
 * @param nodes number of nodes in the movement file
 * @return presence of each node, by its number; a node that the file does not contain is always
 *         present
 * @throws UsageError with name, line and word if a line has another form, has an unknown node,
 *         starts or stops it twice, or stops it before its start; and if there is no line
 */
std::vector<Presence> ParseActivity(std::istream& text, const std::string& name, std::size_t nodes);

/// Reads an activity file; see ParseActivity(). @throws UsageError also if the file cannot be read
std::vector<Presence> ReadActivity(const std::string& path, std::size_t nodes);

/**
 * @brief Events of the failure language for absent nodes: crashes that keep the state.
 * @param presence by node
 * @param first number in the network of the first node of @p presence
 * @return the events; none for nodes that are always present
 */
std::vector<std::string> AbsenceEvents(const std::vector<Presence>& presence, NodeId first);

} // namespace dpdl

#endif // DPDL_NETWORK_MOVEMENT_FILE_H
