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
 * The first byte is the kind. A DIO has 24 more bytes, as the base object of the RFC: version (4),
 * rank (2), number of requests (1), 0 (1), address of the root (16). A DAO has 4 zero bytes, then
 * 26 bytes for each target: the options "RPL target" (4, and the address) and "transit
 * information" (2, and the sequence number, 4). Numbers are in network byte order.
 */
struct DpdlDodagMessage
{
    /// Kind of message; the codes of RFC 6550.
    enum class Code : uint8_t
    {
        DIO = 1, ///< to all neighbours: the sender's position in the tree
        DAO = 2, ///< to the parent: the nodes that are reached through the sender
    };

    /// A node that is reached through the sender.
    struct Target
    {
        Ipv6Address address;  ///< of the node, not link-local
        uint32_t sequence{0}; ///< number of its DAOs so far
    };

    Code code{Code::DIO};        ///< kind of message
    uint32_t version{0};         ///< DIO: of the tree
    uint16_t rank{0};            ///< DIO: of the sender
    uint8_t requests{0};         ///< DIO: number of times the sender asked for DAOs, modulo 256
    Ipv6Address root;            ///< DIO: of the tree
    std::vector<Target> targets; ///< DAO

    /// The bytes of the message.
    Ptr<Packet> Write() const;

    /// Parses the bytes of Write(); empty if they are not a valid message.
    static std::optional<DpdlDodagMessage> Read(Ptr<const Packet> packet);
};

} // namespace ns3

#endif // DPDL_DODAG_MESSAGE_H
