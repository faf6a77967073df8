// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_CATALOGUE_H
#define DPDL_EXPERIMENT_CATALOGUE_H

#include "dpdl/base/registry.h"

#include <string>
#include <vector>

namespace dpdl
{

/// All registered names of one kind, such as all algorithms, with their descriptions.
struct CatalogueKind
{
    std::string name;            ///< plural name of the kind, such as `algorithms`
    std::string summary;         ///< meaning of the names, one line
    std::vector<PartInfo> parts; ///< descriptions of the registered names, in display order
};

/// All names that options accept, one element per kind, in display order.
const std::vector<CatalogueKind>& Catalogue();

/**
 * @brief Describes registered names, as text or JSON.
 * @param kind name of a kind, such as `algorithms`; empty: lists all kinds
 * @param name registered name of that kind; empty: all names of the kind
 * @param json true: JSON instead of text
 * @throws UsageError if there is no such kind or name; the message suggests the nearest name
 */
std::string DescribeCatalogue(const std::string& kind, const std::string& name, bool json);

/**
 * @brief Describes a topology: messages of a node per round, contraction factor q of the nodes'
 *        disagreement per round, and effective number of neighbours.
 * @param specification a value of option `topology`
 * @param nodes number of nodes n
 * @param json true: JSON instead of text
 * @throws UsageError naming option 'topology' if MakeGraphSequence() rejects the specification, or
 *         if the topology depends on time or positions
 */
std::string DescribeTopology(const std::string& specification, std::size_t nodes, bool json);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_CATALOGUE_H
