// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DODAG_STATE_H
#define DPDL_DODAG_STATE_H

#include "ns3/ipv6-address.h"
#include "ns3/packet.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Messages between the nodes of a DpdlDodag, after RFC 6550, sections 6.3 and 6.4.
 *
 * The first byte is the code. Lengths in bytes are in parentheses. A DIO has 24 more bytes, like
 * the base object of the RFC: version (4), rank (2), counter of requests for DAOs (1, the RFC's
 * DTSN), 0 (1), address of the root (16). A DAO has 4 zero bytes, then 26 bytes for each target:
 * the options "RPL target" (4, and the address) and "transit information" (2, and the sequence
 * number, 4). Numbers are in network byte order.
 */
struct DpdlDodagMessage
{
    /// Kind of message; the codes of RFC 6550.
    enum class Code : uint8_t
    {
        DIO = 1, ///< message to all neighbours: the sender's position in the tree
        DAO = 2, ///< message to the parent: the nodes that are reached through the sender
    };

    /// A node that is reached through the sender.
    struct Target
    {
        Ipv6Address address;  ///< address of the node, not link-local
        uint32_t sequence{0}; ///< sequence number of the node's last DAO about itself
    };

    Code code{Code::DIO}; ///< kind of message
    uint32_t version{0};  ///< DIO: version of the tree
    uint16_t rank{0};     ///< DIO: rank of the sender
    /// DIO: counter that grows when the sender requests DAOs from its children, modulo 256.
    uint8_t requests{0};
    Ipv6Address root;            ///< DIO: address of the root
    std::vector<Target> targets; ///< DAO: nodes that are reached through the sender

    /// Packet with the bytes of the message.
    Ptr<Packet> Write() const;

    /// Parses a packet that Write() made; empty if the packet is not a valid message.
    static std::optional<DpdlDodagMessage> Read(Ptr<const Packet> packet);
};

/**
 * @ingroup dpdl
 *
 * @brief State of a node of a DpdlDodag: its parent and rank, its neighbours, and the nodes below
 *        it in the tree.
 *
 * Within a version, a node chooses only a parent whose rank is below the lowest rank that the node
 * has had (DAGMaxRankIncrease 0, RFC 6550, section 8.2.2.4). From a node to its parent, the version
 * grows or the rank falls, so there are no loops even if messages are lost. A target's sequence
 * number grows with each DAO in which it announces itself. A node accepts only larger numbers than
 * the last one, so downward routes have no loops.
 */
class DpdlDodagState
{
  public:
    static constexpr uint16_t ROOT_RANK = 1;          ///< rank of the root; MinHopRankIncrease is 1
    static constexpr uint16_t INFINITE_RANK = 0xffff; ///< rank of a node without a parent

    /// Downward route to a node below this one.
    struct Way
    {
        Ipv6Address next;     ///< link-local address of the next hop to the node
        uint32_t sequence{0}; ///< sequence number of the node's last DAO
    };

    /// Changes since the last TakeChange().
    struct Change
    {
        bool isNews{false};  ///< true: the neighbours need a DIO soon
        bool isRoute{false}; ///< true: the parent or a downward route changed
    };

    /// Sets the address and the role of the node, and its rank: ROOT_RANK for the root, else
    /// INFINITE_RANK.
    /// @param self address of the node, not link-local
    /// @param isRoot true for the root of the tree
    void Begin(const Ipv6Address& self, bool isRoot);

    /// Starts a new version of the tree; called on the root.
    void BeginVersion();

    /// Handles a neighbour's DIO.
    /// @param from link-local address of the neighbour
    /// @param dio the message
    void TakeDio(const Ipv6Address& from, const DpdlDodagMessage& dio);

    /// Handles a neighbour's DAO.
    /// @param from link-local address of the neighbour
    /// @param dao the message
    void TakeDao(const Ipv6Address& from, const DpdlDodagMessage& dao);

    /**
     * @brief Records that a frame reached a neighbour or was given up.
     * @param neighbour link-local address of the neighbour
     * @param isAcknowledged true: the frame reached the neighbour; false: it was given up
     * @param most the neighbour is removed after this number of consecutive lost frames
     */
    void NoteFrame(const Ipv6Address& neighbour, bool isAcknowledged, uint32_t most);

    /// Changes since the last call; resets them.
    Change TakeChange()
    {
        return std::exchange(m_change, {});
    }

    /// DIO for all neighbours; the caller must not send it while Version() is 0.
    DpdlDodagMessage Dio() const;

    /// Next DAO for the parent, with at most 20 targets; it has no targets if there is nothing to
    /// report or no parent. The returned targets count as sent.
    DpdlDodagMessage TakeDao();

    /// Link-local address of the parent; `::` if there is none.
    Ipv6Address Parent() const
    {
        return m_parent;
    }

    /// True if the node has a parent.
    bool HasParent() const
    {
        return m_parent.IsLinkLocal();
    }

    /// Rank of the node; INFINITE_RANK without a parent.
    uint16_t Rank() const
    {
        return m_rank;
    }

    /// Version of the tree; 0 before the first DIO.
    uint32_t Version() const
    {
        return m_version;
    }

    /// Downward routes to the nodes below this one, by the node's address.
    const std::map<Ipv6Address, Way>& Targets() const
    {
        return m_targets;
    }

  private:
    /// Content of a neighbour's last DIO.
    struct Neighbour
    {
        uint32_t version{0}; ///< version of the tree in that DIO
        uint16_t rank{0};    ///< rank of the neighbour in that DIO
        uint8_t requests{0}; ///< counter of requests for DAOs in that DIO
        uint32_t lost{0};    ///< number of consecutive frames that did not reach the neighbour
    };

    void ChooseParent();
    void AskForDaos();

    Ipv6Address m_self;                       //!< address of the node, not link-local
    bool m_isRoot{false};                     //!< true: the node is the root of the tree
    Change m_change;                          //!< changes since the last TakeChange()
    uint32_t m_version{0};                    //!< version of the tree; 0 before the first DIO
    Ipv6Address m_root;                       //!< address of the root
    uint16_t m_rank{INFINITE_RANK};           //!< rank of the node; INFINITE_RANK: it has no parent
    uint16_t m_leastRank{INFINITE_RANK};      //!< lowest rank that the node has had in this version
    Ipv6Address m_parent;                     //!< link-local address of the parent; `::`: none
    std::map<Ipv6Address, Neighbour> m_heard; //!< last DIO of each neighbour, by link-local address
    std::map<Ipv6Address, Way> m_targets;     //!< downward routes, by the node's address
    /// Targets that the next DAO reports to the parent; may include this node.
    std::set<Ipv6Address> m_untold;
    uint32_t m_sequence{0}; //!< sequence number of the last DAO about this node
    uint8_t m_requests{0};  //!< counter of requests for DAOs, modulo 256; sent in DIOs
};

} // namespace ns3

#endif // DPDL_DODAG_STATE_H
