// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BROADCAST_TRANSPORT_H
#define DPDL_BROADCAST_TRANSPORT_H

#include "dpdl-transport.h"
#include "dpdl-udp-transport.h"

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Sends a node's shares to all its out-neighbours in one transmission.
 *
 * The shares that a node sends at one instant, of one round and chunk, differ only in their
 * headers. This transport sends them as one message: the headers for all receivers, then the
 * parameters once. The datagrams go to the broadcast address of the subnet (in IPv6, to all nodes
 * of the link). Each receiver reassembles its copy; losses are independent per receiver.
 *
 * All out-neighbours must be reachable through one device that can broadcast. Otherwise the first
 * broadcast throws dpdl::UsageError.
 */
class DpdlBroadcastTransport : public DpdlUdpTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    void DoDispose() override;

  private:
    /// Messages of one node, round and chunk, one per receiver, that are sent in one transmission;
    /// in the order of DoSend().
    using Group = std::vector<DpdlMessage>;

    void DoSend(const DpdlMessage& message) override;
    void Flush(uint32_t source);
    void Broadcast(const Group& group);
    const DpdlPath& CommonPath(const Group& group);

    /// Messages of the current time step that Flush() will broadcast, by source node and chunk.
    std::map<uint32_t, std::map<uint16_t, Group>> m_groups;
};

/**
 * @ingroup dpdl
 *
 * @brief Transport without latency: every message arrives at the time at which it is sent, unless a
 *        failure of its link or nodes drops it. Nothing else is lost.
 */
class DpdlIdealTransport : public DpdlTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    void DoSend(const DpdlMessage& message) override;
};

} // namespace ns3

#endif // DPDL_BROADCAST_TRANSPORT_H
