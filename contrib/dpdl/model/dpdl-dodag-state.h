// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DODAG_STATE_H
#define DPDL_DODAG_STATE_H

#include "dpdl-dodag-message.h"

#include <map>
#include <set>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief State of a node of a DpdlDodag: its place in the tree, its neighbours, the nodes below it.
 *
 * Within a version no node takes a parent whose rank is not below the least that it ever had
 * (DAGMaxRankIncrease 0, RFC 6550, section 8.2.2.4): towards the root, versions become newer or
 * ranks smaller, so that there is never a loop, whatever is lost. A target's sequence number grows
 * with each of its own DAOs, and a node believes newer ones only, so that ways down have no loops
 * either.
 */
class DpdlDodagState
{
  public:
    static constexpr uint16_t ROOT_RANK = 1;          ///< MinHopRankIncrease is 1
    static constexpr uint16_t INFINITE_RANK = 0xffff; ///< of a node without a parent

    /// The way to a node below this one.
    struct Way
    {
        Ipv6Address next;     ///< link-local
        uint32_t sequence{0}; ///< of the DAO that it comes from
    };

    /// What has changed.
    struct Change
    {
        bool isNews{false};  ///< neighbours are to be told soon
        bool isRoute{false}; ///< parent or ways are others
    };

    /// @param self address of the node, not link-local @param isRoot whether the tree grows from it
    void Begin(const Ipv6Address& self, bool isRoot);

    /// The root lets the tree grow anew.
    void BeginVersion();

    /// A neighbour has broadcast a DIO. @param from its link-local address @param dio what it said
    void TakeDio(const Ipv6Address& from, const DpdlDodagMessage& dio);

    /// A neighbour has sent a DAO. @param from its link-local address @param dao what it said
    void TakeDao(const Ipv6Address& from, const DpdlDodagMessage& dao);

    /**
     * @brief A frame has reached a neighbour, or has been given up.
     * @param neighbour its link-local address
     * @param isAcknowledged which of both
     * @param most as many lost frames in a row end the neighbourhood
     */
    void NoteFrame(const Ipv6Address& neighbour, bool isAcknowledged, uint32_t most);

    /// Changes since the last call.
    Change TakeChange();

    /// Message for all neighbours; of no use at version 0.
    DpdlDodagMessage Dio() const;

    /// Next message for the parent; without targets if there is nothing new, or no parent.
    DpdlDodagMessage TakeDao();

    /// Link-local address of the parent; `::` if there is none.
    Ipv6Address Parent() const
    {
        return m_parent;
    }

    /// True if there is a parent.
    bool HasParent() const
    {
        return m_parent.IsLinkLocal();
    }

    /// INFINITE_RANK without a parent.
    uint16_t Rank() const
    {
        return m_rank;
    }

    /// 0 before the first DIO.
    uint32_t Version() const
    {
        return m_version;
    }

    /// Nodes that are reached through this one, as far as it knows, by address.
    const std::map<Ipv6Address, Way>& Targets() const
    {
        return m_targets;
    }

  private:
    /// Content of a neighbour's last DIO.
    struct Neighbour
    {
        uint32_t version{0}; ///< of the tree
        uint16_t rank{0};    ///< its own
        uint8_t requests{0}; ///< for DAOs
        uint32_t lost{0};    ///< frames in a row that have not reached it
    };

    void ChooseParent();
    void AskForDaos();

    Ipv6Address m_self;                       //!< see Begin()
    bool m_isRoot{false};                     //!< see Begin()
    Change m_change;                          //!< see TakeChange()
    uint32_t m_version{0};                    //!< see Version()
    Ipv6Address m_root;                       //!< of the tree
    uint16_t m_rank{INFINITE_RANK};           //!< see Rank()
    uint16_t m_leastRank{INFINITE_RANK};      //!< in this version
    Ipv6Address m_parent;                     //!< see Parent()
    std::map<Ipv6Address, Neighbour> m_heard; //!< by link-local address
    std::map<Ipv6Address, Way> m_targets;     //!< see Targets()
    std::set<Ipv6Address> m_untold;           //!< of these and itself, what the parent lacks
    uint32_t m_sequence{0};                   //!< of this node as a target
    uint8_t m_requests{0};                    //!< to its children for DAOs
};

} // namespace ns3

#endif // DPDL_DODAG_STATE_H
