// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_RELEASE_FILTER_H
#define DPDL_ALGORITHM_RELEASE_FILTER_H

#include "dpdl/base/types.h"

namespace dpdl
{

/// Consulted by every learner at the start of a round, before anything is computed from its data.
class ReleaseFilter
{
  public:
    virtual ~ReleaseFilter() = default;

    /**
     * @brief True if the node may use its data in this round.
     *
     * Otherwise the learner takes no step and adds no noise. It continues to mix and forward, which
     * reveals nothing beyond earlier releases.
     * @param node the node
     * @param round the round; called once for each round that the node begins
     */
    virtual bool MayRelease(NodeId node, Round round) = 0;
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_RELEASE_FILTER_H
