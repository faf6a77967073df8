// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LR_WPAN_NETWORK_H
#define DPDL_LR_WPAN_NETWORK_H

#include "dpdl-lr-wpan-tree.h"
#include "dpdl/experiment/run-options.h"

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
 * @brief Network of sensors with IEEE 802.15.4 (LR-WPAN) radios, 6LoWPAN and IPv6.
 *
 * @code
 * DpdlLrWpanNetwork network;
 * network.SetDutyCycle(Seconds(4), 0.5);
 * network.PlaceAroundGateway(nodes, 20.0);
 * network.Install(nodes);
 * @endcode
 *
 * All radios share one channel of 250 kbit/s in the band of 2.4 GHz, with ns-3's log-distance loss
 * and unslotted CSMA/CA. 6LoWPAN divides every datagram into frames of at most 127 bytes, which are
 * acknowledged and retransmitted. Each node knows the MAC addresses of all other nodes from the
 * start, so there is no neighbour discovery.
 *
 * Every node has a slot in each period, in which it begins its datagrams; slots are consecutive.
 * With a duty cycle all radios wake and sleep at the same times, and the slots are in the awake
 * time. Clocks are synchronised, and no beacons are sent. A frame that reaches a sleeping receiver
 * is retransmitted, and finally given up.
 *
 * Without slots (SetContention()) all nodes contend for the channel. The maximum numbers of retries
 * and backoffs and the maximum backoff exponent are then the largest that the standard allows (IEEE
 * 802.15.4-2011, table 52).
 *
 * With a tree (SetTree()) datagrams are forwarded over several hops. Without a tree all links have
 * a single hop.
 *
 * Every node gets a DpdlRadio, which tracks the state of the radio. Without power the radio is off.
 * It nevertheless sends the frames that are already in its queue, at most those of one datagram,
 * which is a limitation of the model.
 */
class DpdlLrWpanNetwork
{
  public:
    /// Largest number of nodes of one network: the last byte of the MAC address distinguishes them.
    static constexpr uint32_t MOST_NODES = 254;

    /**
     * @brief Sets period and duty cycle; by default 1 s, always awake.
     * @param period time from one wake-up to the next, and from a slot of a node to its next slot,
     *        > 0
     * @param awake fraction of the period in which radios are awake, in (0, 1]
     * @throws dpdl::UsageError if @p period or @p awake is out of range
     */
    void SetDutyCycle(Time period, double awake);

    /// Selects the access to the channel.
    /// @param isContending true: all nodes contend for the channel by CSMA/CA at any time; false
    /// (default): each node begins its datagrams in its slot
    void SetContention(bool isContending)
    {
        m_isContending = isContending;
    }

    /// Sets the largest datagram that a slot must hold; Install() throws if slots are too short.
    /// @param bytes size with IPv6 and UDP headers in bytes, by default 1280
    void SetLargestDatagram(uint32_t bytes)
    {
        m_largest = bytes;
    }

    /**
     * @brief Computes the lengths of the slots and the largest datagram from the options of a run
     *        whose shares all cross this network.
     * @param settings options of the run; used are nodes, topology, transport, compress, seed and
     *        chunkBytes. With topology `star`, node 0 is the gateway
     */
    void FitTo(const ::dpdl::RunOptions& settings);

    /**
     * @brief Places node 0, the gateway, at the centre of a circle, and all other nodes on the
     *        circle.
     * @param nodes nodes without a MobilityModel, at least two
     * @param distance distance from the gateway, in metres
     */
    static void PlaceAroundGateway(const NodeContainer& nodes, double distance);

    /**
     * @brief Places the nodes on a square grid, row by row.
     * @param nodes nodes without a MobilityModel, at least two
     * @param distance distance between neighbours, in metres
     */
    static void PlaceOnGrid(const NodeContainer& nodes, double distance);

    /// Sets a tree along which datagrams are forwarded; call this before FitTo().
    void SetTree(const DpdlLrWpanTree& tree)
    {
        m_tree = tree;
    }

    /// Selects the routing. With DpdlDodag, the tree of SetTree() only determines the lengths of
    /// slots, so it should have as many hops as the tree that the nodes find.
    /// @param isDodag true: nodes find and repair a tree by DpdlDodag; false (default): static
    /// routes along the tree of SetTree()
    void SetDodag(bool isDodag)
    {
        m_isDodag = isDodag;
    }

    /// Simulated time at which the run should start, so nodes can find their tree before: two
    /// periods per hop of the tree's depth, plus three periods. 0 if the tree is static. Call this
    /// after SetDutyCycle(), SetTree() and SetDodag().
    Time SettlingTime() const;

    /**
     * @brief Installs a radio, 6LoWPAN, IPv6 and a DpdlRadio on each node.
     *
     * This method assigns fixed random streams: the same seed and run give the same frames.
     * @param nodes nodes with a MobilityModel and without devices or stacks, at most MOST_NODES
     * @return the 6LoWPAN devices, by node
     * @throws dpdl::UsageError if there are too many nodes, slots are too short, or two neighbours
     *        in the tree are out of range of each other
     */
    NetDeviceContainer Install(const NodeContainer& nodes);

  private:
    Time SlotOf(double share) const;
    NetDeviceContainer InstallRadios(const NodeContainer& nodes) const;
    std::vector<double> Shares(uint32_t nodes) const;
    void RequireSlots(const std::vector<double>& shares) const;
    void Meter(const NodeContainer& nodes, const NetDeviceContainer& radios) const;

    Time m_period{Seconds(1)};  //!< time from one wake-up of the radios to the next
    Time m_awake{Seconds(1)};   //!< time in each period for which radios are awake, from its start
    bool m_isContending{false}; //!< true: nodes contend for the channel; false: they have slots
    /// By node: length of its slot relative to the other nodes' slots, from FitTo(); no entry: 1.
    std::map<uint32_t, double> m_loads;
    uint32_t m_largest{1280}; //!< largest datagram that a slot must hold, in bytes
    DpdlLrWpanTree m_tree;    //!< tree that forwards the datagrams
    bool m_isDodag{false};    //!< true: nodes find and repair their tree themselves
};

} // namespace ns3

#endif // DPDL_LR_WPAN_NETWORK_H
