// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LINK_CONTROL_H
#define DPDL_LINK_CONTROL_H

#include "dpdl-link-error-model.h"
#include "dpdl-path.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <map>
#include <string>
#include <utility>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Applies loss and failures to the devices and channels that links of a run go through.
 *
 * Loss goes to the receiving device as its error model (attribute ReceiveErrorModel of the device,
 * or of its DpdlReceiveGate, or PostReceptionErrorModel of its Phy) in front of the one that is
 * there; delay and rate to a point-to-point channel and its sending device, the only ones where
 * they belong to one pair. A link that goes through routers loses its packets where they arrive,
 * and keeps its delay and rate.
 */
class DpdlLinkControl
{
  public:
    /**
     * @param seed of the losses
     * @param dropped receives packets that this control drops on links without retransmission
     */
    void Configure(::dpdl::RandomSeed seed, DpdlLinkErrorModel::DropCallback dropped);

    /**
     * @brief Takes control of a directed link.
     * @param source its sender's number in the run
     * @param target its receiver's
     * @param path how it goes
     * @param drop probability that it loses a packet, [0, 1]
     * @throws dpdl::UsageError if @p drop is not 0 and the receiving device takes no error model,
     * or does not see who sent what comes through routers
     */
    void Add(uint32_t source, uint32_t target, const DpdlPath& path, double drop);

    /**
     * @brief Applies the conditions to all links under control.
     * @param conditions of the network
     * @throws dpdl::UsageError if a channel or a device cannot do what is asked for; what a crashed
     * node does to its links needs neither
     */
    void Apply(const ::dpdl::NetworkState& conditions);

    /// Applies the conditions to one link, as Apply() does to all.
    void ApplyTo(uint32_t source, uint32_t target, const ::dpdl::NetworkState& conditions);

    /// Lets go of all devices and channels.
    void Clear();

  private:
    using Pair = std::pair<uint32_t, uint32_t>;

    /// A directed link under control.
    struct Link
    {
        Ptr<DpdlLinkErrorModel> model; //!< at the receiving device; empty: it takes none
        std::string refusal;           //!< why there is none
        Ptr<NetDevice> device;         //!< sends
        bool isRouted{false};          //!< goes through routers
        bool isChanged{false};         //!< delay or rate are not the link's own
        Time delay;                    //!< the link's own
        DataRate rate;                 //!< the link's own
    };

    Ptr<DpdlLinkErrorModel> ModelOf(Ptr<NetDevice> device);
    void Attach(Link& link, uint32_t source, uint32_t target, const DpdlPath& path);
    void SetDelayAndRate(const Pair& pair, Link& link, const ::dpdl::LinkCondition& condition);
    void CheckOneWay(const Pair& pair, const Link& link, const ::dpdl::NetworkState& all) const;

    ::dpdl::RandomSeed m_seed;                                  //!< of the losses
    DpdlLinkErrorModel::DropCallback m_dropped;                 //!< receives drops
    std::map<Ptr<NetDevice>, Ptr<DpdlLinkErrorModel>> m_models; //!< by receiving device
    std::map<Pair, Link> m_links;                               //!< by source and target
};

} // namespace ns3

#endif // DPDL_LINK_CONTROL_H
