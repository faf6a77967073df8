// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LR_WPAN_NETWORK_H
#define DPDL_LR_WPAN_NETWORK_H

#include "dpdl-lr-wpan-tree.h"
#include "dpdl/experiment/run-options.h"

#include "ns3/data-rate.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Sensors that talk by IEEE 802.15.4 (LR-WPAN) radios with 6LoWPAN and IPv6.
 *
 * @code
 * DpdlLrWpanNetwork network;
 * network.SetDutyCycle(Seconds(4), 0.5);
 * network.PlaceAroundGateway(nodes, 20.0);
 * network.Install(nodes);
 * @endcode
 *
 * All radios share one channel of 250 kbit/s in the band of 2.4 GHz, with ns-3's log-distance loss
 * and unslotted CSMA/CA. 6LoWPAN cuts every datagram into frames of at most 127 bytes, which are
 * acknowledged and repeated. Each node knows the others' MAC addresses from the start, so that no
 * neighbour discovery mixes with the shares.
 *
 * Every node has a slot in each period, in which it begins its datagrams; the slots follow each
 * other. With a duty cycle all radios wake and sleep at the same moments, and the slots are in the
 * time awake. Clocks agree exactly, and no beacons are sent. A frame that is not through when the
 * others fall asleep is repeated, and given up in the end.
 *
 * Without slots (SetContention()) all send at the same time. Retries, backoffs and their largest
 * exponent are then the largest that the standard allows (IEEE 802.15.4-2011, table 52).
 *
 * With a tree (SetTree()) datagrams travel over several hops. Without one every node hears every
 * other, or does not reach it.
 *
 * Every node gets a DpdlRadio, which knows the state of the radio at all times. Without power the
 * radio is off but for the frames that it has been given already, of one datagram at most.
 */
class DpdlLrWpanNetwork
{
  public:
    /// Most nodes of one network: the last byte of a MAC address distinguishes them.
    static constexpr uint32_t MOST_NODES = 254;

    /**
     * @brief Sets how long slots and sleep last; by default 1 s, always awake.
     * @param period from one waking to the next, and from one slot of a node to its next, positive
     * @param awake share of it that radios are awake, in (0, 1]
     * @throws dpdl::UsageError if the period is not positive
     */
    void SetDutyCycle(Time period, double awake);

    /// Lets all nodes send at the same time, instead of each in its slot.
    void SetContention(bool isContending);

    /**
     * @brief Rate at which nodes send to their radios: each in its slot or, without slots, all
     * together.
     * @param rate by default 80 kbit/s, as frames' headers, backoff and acknowledgements take the
     *        rest of the 250 kbit/s
     */
    void SetCapacity(DataRate rate);

    /**
     * @brief Bytes that a node sends, as a multiple of those of any other; by default 1.
     *
     * Slots are as long. A gateway with a message for each sensor has more than they have.
     * @param node its place in the container
     * @param load positive
     */
    void SetLoad(uint32_t node, double load);

    /// Largest datagram that a slot must hold, with its IPv6 and UDP headers; by default 1280
    /// bytes.
    void SetLargestDatagram(uint32_t bytes);

    /**
     * @brief Sets loads and largest datagram to what a run sends, if all shares cross this network.
     * @param settings of the run, whose topology `star` makes node 0 the gateway
     */
    void FitTo(const ::dpdl::RunOptions& settings);

    /**
     * @brief Puts node 0, the gateway, into the middle, and the others on a circle around it.
     * @param nodes without mobility, at least two
     * @param distance from the gateway, in metres
     */
    static void PlaceAroundGateway(const NodeContainer& nodes, double distance);

    /**
     * @brief Puts the nodes on a square grid, row by row.
     * @param nodes without mobility, at least two
     * @param distance between neighbours, in metres
     */
    static void PlaceOnGrid(const NodeContainer& nodes, double distance);

    /// Lets datagrams travel along a tree, as many hops as it takes; before FitTo().
    void SetTree(const DpdlLrWpanTree& tree);

    /// Lets nodes find their tree by themselves, and mend it (DpdlDodag). That of SetTree(), of
    /// as many hops, then only says how long slots are.
    void SetDodag(bool isDodag);

    /// Time in which nodes find their tree, as long as few of their messages are lost; 0 if it
    /// is known. Slots and tree are set.
    Time SettlingTime() const;

    /**
     * @brief Gives the nodes radios, 6LoWPAN, IPv6 and a DpdlRadio each.
     *
     * All random numbers get fixed streams: the same seed and run give the same frames.
     * @param nodes with mobility and without devices or stacks, at most MOST_NODES
     * @return the 6LoWPAN devices
     * @throws dpdl::UsageError if there are too many nodes, slots are too short, or a neighbour in
     * the tree is out of reach
     */
    NetDeviceContainer Install(const NodeContainer& nodes);

  private:
    Time SlotOf(double share) const;
    NetDeviceContainer InstallRadios(const NodeContainer& nodes) const;
    std::vector<double> Shares(uint32_t nodes) const;
    void RequireSlots(const std::vector<double>& shares) const;
    void Meter(const NodeContainer& nodes, const NetDeviceContainer& radios) const;

    Time m_period{Seconds(1)};          //!< see SetDutyCycle()
    Time m_awake{Seconds(1)};           //!< in each period
    bool m_isContending{false};         //!< see SetContention()
    DataRate m_capacity{80000};         //!< see SetCapacity()
    std::map<uint32_t, double> m_loads; //!< see SetLoad(); of all others 1
    uint32_t m_largest{1280};           //!< see SetLargestDatagram()
    DpdlLrWpanTree m_tree;              //!< see SetTree()
    bool m_isDodag{false};              //!< see SetDodag()
};

} // namespace ns3

#endif // DPDL_LR_WPAN_NETWORK_H
