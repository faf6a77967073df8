// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LINK_CONTROL_H
#define DPDL_LINK_CONTROL_H

#include "dpdl-link-error-model.h"
#include "dpdl-path.h"

#include "ns3/channel.h"
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
 * Loss is installed as an error model of the receiving device, in front of an existing error model.
 * The attribute is ReceiveErrorModel of the device or of its DpdlReceiveGate, or
 * PostReceptionErrorModel of its Phy. Delay and rate are set on a point-to-point channel and its
 * sending device, since only these belong to one pair of nodes. For a link through routers, loss is
 * applied at the receiver; its delay and rate cannot be changed.
 */
class DpdlLinkControl
{
  public:
    /**
     * @brief Sets the seed and the callback for links; call this before the first Add().
     * @param seed seed from which losses are drawn
     * @param dropped receives packets that this control drops on links without retransmission
     */
    void Configure(::dpdl::RandomSeed seed, DpdlLinkErrorModel::DropCallback dropped);

    /**
     * @brief Takes control of a directed link. A second call for a link only sets its loss
     *        probability, and has no effect if @p drop is 0.
     * @param source number of the sender in the run
     * @param target number of the receiver in the run
     * @param path route of the link
     * @param drop probability that the link loses a packet, [0, 1]
     * @throws dpdl::UsageError if @p drop is not 0 and the receiving device takes no error model,
     * or cannot identify senders behind routers
     */
    void Add(uint32_t source, uint32_t target, const DpdlPath& path, double drop);

    /**
     * @brief Applies the conditions to all links under control.
     * @param conditions current failures of the network
     * @throws dpdl::UsageError if a link between running nodes must lose packets but its receiver
     * takes no error model, or if delay or rate of a link must change but cannot
     */
    void Apply(const ::dpdl::NetworkState& conditions);

    /// Applies the conditions to one link that Add() took under control.
    /// @throws dpdl::UsageError for the reasons of Apply()
    void ApplyTo(uint32_t source, uint32_t target, const ::dpdl::NetworkState& conditions);

    /// Forgets all links. Installed error models stay at the devices, with the loss set last, but
    /// report no more drops.
    void Clear();

  private:
    using Pair = std::pair<uint32_t, uint32_t>;

    /// A directed link under control.
    struct Link
    {
        /// Error model at the receiving device; empty: none is possible.
        Ptr<DpdlLinkErrorModel> model;
        std::string refusal;   //!< error message if no error model is possible
        Ptr<NetDevice> device; //!< sending device of the link
        bool isRouted{false};  //!< true: the link goes through routers
        bool isChanged{false}; //!< true: a failure currently changes delay or rate
        DataRate rate; //!< data rate of the device without failures; valid while isChanged is true
    };

    Ptr<DpdlLinkErrorModel> ModelOf(Ptr<NetDevice> device);
    void Attach(Link& link, uint32_t source, uint32_t target, const DpdlPath& path);
    void SetDelayAndRate(const Pair& pair, Link& link, const ::dpdl::LinkCondition& condition);
    void CheckOneWay(const Pair& pair, const Link& link, const ::dpdl::NetworkState& all) const;

    ::dpdl::RandomSeed m_seed;                  //!< seed from which losses are drawn
    DpdlLinkErrorModel::DropCallback m_dropped; //!< receives dropped packets
    /// Error models that this object installed, by receiving device.
    std::map<Ptr<NetDevice>, Ptr<DpdlLinkErrorModel>> m_models;
    std::map<Pair, Link> m_links; //!< links, by source and target
    /// Delays without failures of the channels whose delay a failure has changed.
    std::map<Ptr<Channel>, Time> m_delays;
};

} // namespace ns3

#endif // DPDL_LINK_CONTROL_H
