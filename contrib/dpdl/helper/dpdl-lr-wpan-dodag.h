// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LR_WPAN_DODAG_H
#define DPDL_LR_WPAN_DODAG_H

#include "ns3/net-device-container.h"

namespace ns3
{

/**
 * @ingroup dpdl
 * @brief Makes DpdlDodag the routing protocol of sensors, with node 0 as the root.
 *
 * Their LR-WPAN devices tell it which frames neighbours have acknowledged.
 * @param devices of 6LoWPAN, with IPv6 addresses, by node
 * @param radios below them, by node
 * @param stream first stream index of random numbers, of one a node
 */
void InstallDpdlDodag(const NetDeviceContainer& devices,
                      const NetDeviceContainer& radios,
                      int64_t stream);

} // namespace ns3

#endif // DPDL_LR_WPAN_DODAG_H
