// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BROADCAST_TRANSPORT_H
#define DPDL_BROADCAST_TRANSPORT_H

#include "dpdl-udp-transport.h"

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief One transmission for all out-neighbours of a node.
 *
 * The shares that a node sends at one instant, of one round and chunk, differ in their headers
 * only. They go out as one message: the headers of all receivers, then the parameters once, in
 * datagrams to the broadcast address of the subnet (in IPv6, to all nodes of the link). Every
 * receiver puts its own copy together and may lose it on its own.
 *
 * All out-neighbours have to be reached through one device that can broadcast.
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
    /// Messages of a node and a chunk that go out together, in the order in which they were sent.
    using Group = std::vector<DpdlMessage>;

    void DoSend(const DpdlMessage& message) override;
    void Flush(uint32_t source);
    void Broadcast(const Group& group);
    const DpdlPath& CommonPath(const Group& group);

    std::map<uint32_t, std::map<uint16_t, Group>> m_groups; //!< by source and chunk
};

} // namespace ns3

#endif // DPDL_BROADCAST_TRANSPORT_H
