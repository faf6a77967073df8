// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_RANK_SCHEDULER_H
#define DPDL_RANK_SCHEDULER_H

namespace ns3
{

class DpdlMpiGateway;

/**
 * @ingroup dpdl
 *
 * @brief Lets the simulator of this process take its events when a gateway says that they may run.
 * @param gateway to the other ranks, which outlives all events; nullptr: there are none any more
 */
void SetDpdlRankScheduler(DpdlMpiGateway* gateway);

} // namespace ns3

#endif // DPDL_RANK_SCHEDULER_H
