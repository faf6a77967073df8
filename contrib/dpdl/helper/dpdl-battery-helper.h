// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BATTERY_HELPER_H
#define DPDL_BATTERY_HELPER_H

#include "dpdl/network/failure-event.h"

#include "ns3/dpdl-radio.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Gives nodes batteries, and power from the sun or the like.
 *
 * @code
 * DpdlBatteryHelper batteries;
 * batteries.SetCapacity(20.0, 0.1);
 * batteries.SetHarvest(0.01, Hours(12));
 * batteries.Install(nodes);
 * @endcode
 *
 * A battery is a BasicEnergySource of ns-3: the node loses power when 10 % of the capacity is left,
 * and has it again above 15 %. What a BasicEnergyHarvester adds may exceed the capacity: ns-3's
 * sources are never full. Instead of this helper a program may install energy sources itself, of
 * any kind; DpdlHelper finds them.
 */
class DpdlBatteryHelper
{
  public:
    /**
     * @brief Sets what batteries hold at first; by default 20 J each.
     * @param joule mean, at least 1, so that one second of a radio is less than the last 10 %
     * @param spread in [0, 1): each holds between 1 - spread and 1 + spread times the mean
     * @throws dpdl::UsageError if one of them is out of range
     */
    void SetCapacity(double joule, double spread);

    /**
     * @brief Adds power; by default there is none.
     * @param watt while it is there, not negative; 0: none
     * @param day how long it is there and then, as long, is not; 0: it is always there
     * @throws dpdl::UsageError if one of them is negative
     */
    void SetHarvest(double watt, Time day);

    /**
     * @brief Installs batteries; streams of random numbers are fixed.
     * @param nodes without energy sources
     */
    void Install(const NodeContainer& nodes) const;

  private:
    double m_joule{20.0}; //!< see SetCapacity()
    double m_spread{0.0}; //!< see SetCapacity()
    double m_watt{0.0};   //!< see SetHarvest()
    Time m_day;           //!< see SetHarvest()
};

/**
 * @ingroup dpdl
 * @brief Whether the radio of a node has an energy source to draw from. @param node any
 */
bool HasDpdlBattery(Ptr<Node> node);

/**
 * @ingroup dpdl
 * @brief Lets the radio of a node draw from the node's first energy source.
 * @param node HasDpdlBattery(); connected once
 * @return the radio
 */
Ptr<DpdlRadio> ConnectDpdlBattery(Ptr<Node> node);

/**
 * @ingroup dpdl
 * @brief What an empty battery does to its node: a crash that leaves it its state.
 * @param isRecharged whether it may end
 */
::dpdl::FailureEvent DpdlBatteryFailure(bool isRecharged);

/**
 * @ingroup dpdl
 * @brief Whether a node harvests energy. @param node any
 */
bool HarvestsDpdlEnergy(Ptr<Node> node);

} // namespace ns3

#endif // DPDL_BATTERY_HELPER_H
