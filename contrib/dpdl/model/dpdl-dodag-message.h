// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DODAG_MESSAGE_H
#define DPDL_DODAG_MESSAGE_H

#include "ns3/ipv6-address.h"
#include "ns3/packet.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Messages between the nodes of a DpdlDodag, after RFC 6550, sections 6.3 and 6.4.
 *
 * A byte holds the kind. A DIO has 24 bytes more, as many as the base object of the RFC:
 * version (4), rank (2), number of requests (1), 0 (1), address of the root (16). A DAO has 4 zeros
 * more and for each target 26 bytes, the options "RPL target" (4, and the address) and "transit
 * information" (2, and the sequence number, 4). Numbers begin with the most significant byte.
 */
struct DpdlDodagMessage
{
    /// Kind of message; the codes of RFC 6550.
    enum class Code : uint8_t
    {
        DIO = 1, ///< to all neighbours: where a node is in the tree
        DAO = 2, ///< to the parent: who is reached through a node
    };

    /// A node that is reached through the sender.
    struct Target
    {
        Ipv6Address address;  ///< of the node, not link-local
        uint32_t sequence{0}; ///< how often it has told its parent so
    };

    Code code{Code::DIO};        ///< which of both
    uint32_t version{0};         ///< DIO: of the tree
    uint16_t rank{0};            ///< DIO: of the sender
    uint8_t requests{0};         ///< DIO: how often it has asked its children for DAOs, modulo 256
    Ipv6Address root;            ///< DIO: of the tree
    std::vector<Target> targets; ///< DAO

    /// The bytes of the message.
    Ptr<Packet> Write() const;

    /// Reads what Write() wrote; empty if it is no message.
    static std::optional<DpdlDodagMessage> Read(Ptr<const Packet> packet);
};

} // namespace ns3

#endif // DPDL_DODAG_MESSAGE_H
