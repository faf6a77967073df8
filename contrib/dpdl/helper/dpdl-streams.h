// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_STREAMS_H
#define DPDL_STREAMS_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief First index of the random streams of each network and helper, in ascending order.
 *
 * Each of them assigns only streams below the next index. The streams from 0 on are those of
 * DpdlHelper, which assigns one per node.
 */
struct DpdlStreams
{
    static constexpr int64_t VEHICULAR = 100000;        ///< channel and radios of 802.11p
    static constexpr int64_t VEHICULAR_STACKS = 200000; ///< their IP stacks
    static constexpr int64_t BEACONS = 300000;          ///< one per DpdlBeacon
    static constexpr int64_t LTE = 400000;              ///< stations, then users of LTE
    static constexpr int64_t LR_WPAN = 1000000;         ///< radios of LR-WPAN
    static constexpr int64_t LR_WPAN_STACKS = 1010000;  ///< their IP stacks
    static constexpr int64_t SIX_LOW_PAN = 1020000;     ///< their 6LoWPAN devices
    static constexpr int64_t DODAG = 1030000;           ///< one per DpdlDodag
    static constexpr int64_t BATTERIES = 1100000;       ///< one per call for batteries
};

} // namespace ns3

#endif // DPDL_STREAMS_H
