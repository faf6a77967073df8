// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DROP_WATCH_H
#define DPDL_DROP_WATCH_H

#include "dpdl/algorithm/loss-policy.h"

#include "ns3/error-model.h"
#include "ns3/mac48-address.h"
#include "ns3/object.h"
#include "ns3/packet.h"

#include <functional>
#include <memory>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Receives the drops that ns-3 reports. The arguments are the dropped packet with the
 *        headers of the layers that it has passed, the receiver's MAC address, and the reason and
 *        place of the loss. The node in the place is given by its ns-3 id, not by its number in the
 *        run. For a frame that WiFi gave up, the packet is nullptr. For all other drops, the MAC
 *        address is unset.
 */
using DpdlDropCallback =
    std::function<void(Ptr<const Packet>, const Mac48Address&, ::dpdl::MessageLoss)>;

/**
 * @ingroup dpdl
 *
 * @brief Connects a callback to all trace sources of ns-3 that exist now and report drops. These
 *        are the sources of queue discs, device queues, ARP, IPv4, IPv6, the RLC of LTE, the MAC of
 *        WiFi and IEEE 802.15.4, and the receivers of CSMA and point-to-point devices. The radio
 *        modules need not be linked: sources are found by name.
 * @param callback is called for every drop. The sources keep it alive: assign nullptr to the
 *        function to stop the reports
 */
void WatchDpdlDrops(std::shared_ptr<DpdlDropCallback> callback);

/// Connects the callback to trace source Drop of a UDP socket, which reports packets that do not
/// fit into its receive buffer.
/// @param node ns-3's id of the socket's node
void WatchDpdlDrops(std::shared_ptr<DpdlDropCallback> callback, Ptr<Object> socket, uint32_t node);

/**
 * @ingroup dpdl
 *
 * @brief Filters the packets that a device passes up, for devices that accept no error model.
 *
 * Aggregate one to the device, call Passes() for every packet that arrives, and discard the packet
 * if it returns false. DpdlLinkControl installs loss and failures in it. DpdlLteNetwork uses it for
 * LTE.
 */
class DpdlReceiveGate : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Applies attribute ReceiveErrorModel to a packet; returns true if the packet passes.
     * @param packet begins with the IP header
     */
    bool Passes(Ptr<Packet> packet) const;

  private:
    Ptr<ErrorModel> m_model; //!< decides about each packet; empty: all pass
};

} // namespace ns3

#endif // DPDL_DROP_WATCH_H
