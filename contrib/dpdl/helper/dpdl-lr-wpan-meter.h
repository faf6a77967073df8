// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LR_WPAN_METER_H
#define DPDL_LR_WPAN_METER_H

#include "ns3/dpdl-radio.h"
#include "ns3/lr-wpan-net-device.h"
#include "ns3/nstime.h"

namespace ns3
{

/// Up to ns-3.41 the classes of LR-WPAN are in ns3 itself; from here on both are found.
namespace lrwpan
{
using namespace ::ns3;
}

/**
 * @ingroup dpdl
 * @brief Lets a DpdlRadio follow the states and count the frames of an LR-WPAN device, which in
 * turn is off while the node has no power.
 * @param meter of the node
 * @param device of the same node
 * @param awake part of each period in which a device with power is on
 * @param period from one waking to the next
 */
void ConnectDpdlRadio(Ptr<DpdlRadio> meter,
                      Ptr<lrwpan::LrWpanNetDevice> device,
                      Time awake,
                      Time period);

} // namespace ns3

#endif // DPDL_LR_WPAN_METER_H
