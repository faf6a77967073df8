// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LR_WPAN_METER_H
#define DPDL_LR_WPAN_METER_H

#include "ns3/dpdl-radio.h"
#include "ns3/lr-wpan-net-device.h"
#include "ns3/nstime.h"

namespace ns3
{

/// Up to ns-3.41 the classes of LR-WPAN are in namespace ns3, later in ns3::lrwpan. With this
/// declaration, lrwpan is a valid prefix in all versions.
namespace lrwpan
{
using namespace ::ns3;
}

/**
 * @ingroup dpdl
 * @brief Connects a DpdlRadio to an LR-WPAN device. The DpdlRadio tracks the states of the device
 * and counts its frames. The device is off while the node has no power.
 * @param meter DpdlRadio of the node
 * @param device LR-WPAN device of the same node
 * @param awake duration for which the device, while the node has power, is on after the start of
 *        each period
 * @param period time from one wake-up to the next
 */
void ConnectDpdlRadio(Ptr<DpdlRadio> meter,
                      Ptr<lrwpan::LrWpanNetDevice> device,
                      Time awake,
                      Time period);

} // namespace ns3

#endif // DPDL_LR_WPAN_METER_H
