// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BATTERY_HELPER_H
#define DPDL_BATTERY_HELPER_H

#include "ns3/dpdl-radio.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Installs batteries and energy harvesting on nodes.
 *
 * @code
 * DpdlBatteryHelper batteries;
 * batteries.SetCapacity(20.0, 0.1);
 * batteries.SetHarvest(0.01, Hours(12));
 * batteries.Install(nodes);
 * @endcode
 *
 * A battery is an ns-3 BasicEnergySource: the node loses power when 10 % of the capacity is left,
 * and regains it above 15 %. With harvesting, the stored energy may exceed the capacity, because
 * ns-3's sources have no upper limit. Instead of this helper, a program may install other energy
 * sources of ns-3 with energy models of devices, such as WifiRadioEnergyModel. DpdlHelper finds
 * these sources.
 */
class DpdlBatteryHelper
{
  public:
    /**
     * @brief Sets the capacity of batteries, which is also their initial energy; by default 20 J
     *        each.
     * @param joule mean energy in J, at least 1
     * @param spread relative spread in [0, 1): each energy is drawn uniformly between 1 - spread
     *        and 1 + spread times the mean
     * @throws dpdl::UsageError if @p joule or @p spread is out of range
     */
    void SetCapacity(double joule, double spread);

    /**
     * @brief Sets the harvested power; by default none.
     * @param watt power by day in W, not negative; 0: none
     * @param day duration of each day, and of each night without power that follows the day; 0: no
     *        nights
     * @throws dpdl::UsageError if @p watt or @p day is negative
     */
    void SetHarvest(double watt, Time day);

    /**
     * @brief Installs one battery per node, with the settings made so far. The energies are drawn
     *        from a fixed random stream, which the number of nodes with energy sources selects:
     *        further calls, also of other helpers, draw other energies.
     * @param nodes nodes without energy sources
     */
    void Install(const NodeContainer& nodes) const;

  private:
    double m_joule{20.0}; //!< mean initial energy of a battery, J
    double m_spread{0.0}; //!< relative spread of the initial energies, in [0, 1)
    double m_watt{0.0};   //!< power harvested by day, W; 0: none
    Time m_day;           //!< duration of each day and of each night; 0: no nights
};

/**
 * @ingroup dpdl
 * @brief True if a node has an energy source.
 * @param node any node
 */
bool HasDpdlBattery(Ptr<Node> node);

/**
 * @ingroup dpdl
 * @brief Connects the radio of a node to the node's first energy source.
 * @param node node for which HasDpdlBattery() is true; call this once per node
 * @return the node's DpdlRadio; if the node has none, a new one that uses no energy and only
 *        reports loss and return of power
 */
Ptr<DpdlRadio> ConnectDpdlBattery(Ptr<Node> node);

} // namespace ns3

#endif // DPDL_BATTERY_HELPER_H
