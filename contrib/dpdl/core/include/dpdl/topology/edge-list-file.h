// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_EDGE_LIST_FILE_H
#define DPDL_TOPOLOGY_EDGE_LIST_FILE_H

#include "dpdl/topology/graph-sequence.h"

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>

namespace dpdl
{

/**
 * @brief Parses a graph, or a cycle of graphs, from text with one edge per line.
 *
 * Two columns, `source target`, make a static graph. Three columns, `phase source target`, make a
 * sequence that repeats: round k uses the edges of phase k mod P, where P is the largest phase plus
 * one. A phase without lines has no edges: in its rounds, every node keeps its whole state. Four
 * columns, `phase source target weight`, give the fraction of its state that the source sends; the
 * source keeps the remaining fraction, which must be above 0. Without weights a node splits its
 * state evenly among its receivers and itself.
 *
 *     # two alternating pairs
 *     0  0 1
 *     0  1 0
 *     1  1 2    # phase 1
 *     1  2 1
 *
 * The first line may name the columns, in one of these layouts or as `source target weight`.
 * Without names, the phases of three columns must ascend from 0 without gaps; the file is refused
 * if every line could also be source, target and weight.
 *
 * Lines `node N x y` give the positions of all nodes, in metres, at most 1e6 in absolute value.
 *
 * Columns are separated by blanks or tabs. `#` starts a comment, and empty lines are skipped. A
 * node that is in no line has no neighbours. Every node also keeps a share of its state, which
 * needs no line.
 *
 * @param text text of the edge list
 * @param name name of the list in error messages, usually a file name
 * @param nodes number of nodes n, at least 2
 * @return the graph sequence
 * @throws UsageError naming list and line, if a line does not have two to four numbers or has a
 *         different number of columns than the first line, if a node is not in 0..n-1 or a phase
 *         not in 0..65535, or if an edge joins a node to itself or is duplicated. Also if a weight
 *         is not in (0, 1), the weights of a node in a phase sum to more than 1 - 1e-9, the list
 *         has no edge, or some nodes but not all have a position
 */
std::shared_ptr<GraphSequence> ParseEdgeList(std::istream& text,
                                             const std::string& name,
                                             std::size_t nodes);

/**
 * @brief Reads a file and parses it with ParseEdgeList().
 * @param path path of the file, absolute or relative to the working directory
 * @param nodes number of nodes n, at least 2
 * @return the graph sequence
 * @throws UsageError if the file cannot be read or is rejected by ParseEdgeList()
 */
std::shared_ptr<GraphSequence> ReadEdgeListFile(const std::string& path, std::size_t nodes);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_EDGE_LIST_FILE_H
