// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-link-control.h"

#include "dpdl-drop-watch.h"
#include "dpdl/base/errors.h"

#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"

#include <cmath>
#include <optional>
#include <vector>

// Finds the object and attribute that accept an error model, inserts one DpdlLinkErrorModel per
// receiving device, and sets delay and rate of point-to-point links.

namespace ns3
{

namespace
{

/// An object that accepts an error model, and its attribute for the model.
struct Place
{
    Ptr<Object> object;              //!< device, receive gate or phy that applies the model
    std::string attribute;           //!< name of the object's attribute for the model
    DpdlLinkErrorModel::Frame frame; //!< format of the frames that the model sees
};

std::string
NameOf(uint32_t source, uint32_t target)
{
    return "link " + std::to_string(source) + "->" + std::to_string(target);
}

/// Place of a device's error model, found by type name: the radio modules need not be linked.
std::optional<Place>
PlaceOf(Ptr<NetDevice> device)
{
    using Frame = DpdlLinkErrorModel::Frame;
    const std::string type = device->GetInstanceTypeId().GetName();
    if (type == "ns3::PointToPointNetDevice" || type == "ns3::CsmaNetDevice")
    {
        const bool isCsma = type == "ns3::CsmaNetDevice";
        return Place{device, "ReceiveErrorModel", isCsma ? Frame::ETHERNET : Frame::POINT_TO_POINT};
    }
    if (const auto gate = device->GetObject<DpdlReceiveGate>())
    {
        return Place{gate, "ReceiveErrorModel", Frame::IP};
    }
    PointerValue phy;
    if (!device->GetAttributeFailSafe("Phy", phy) || !phy.GetObject())
    {
        return std::nullopt;
    }
    const bool isWifi = type == "ns3::WifiNetDevice";
    return Place{phy.GetObject(), "PostReceptionErrorModel", isWifi ? Frame::WIFI : Frame::LR_WPAN};
}

/// The device below an adaptation layer such as 6LoWPAN, which has the same address.
Ptr<NetDevice>
LowestDevice(Ptr<NetDevice> device)
{
    const Ptr<Node> node = device->GetNode();
    for (uint32_t i = 0; !PlaceOf(device) && i < node->GetNDevices(); ++i)
    {
        const Ptr<NetDevice> other = node->GetDevice(i);
        if (PlaceOf(other) && other->GetAddress() == device->GetAddress())
        {
            return other;
        }
    }
    return device;
}

} // namespace

void
DpdlLinkControl::Configure(::dpdl::RandomSeed seed, DpdlLinkErrorModel::DropCallback dropped)
{
    m_seed = seed;
    m_dropped = std::move(dropped);
}

void
DpdlLinkControl::Add(uint32_t source, uint32_t target, const DpdlPath& path, double drop)
{
    Link& link = m_links[{source, target}];
    if (!link.device)
    {
        Attach(link, source, target, path);
    }
    DPDL_REFUSE_IF(drop > 0.0 && !link.model, link.refusal);
    if (drop > 0.0)
    {
        link.model->SetDropProbability(source, drop);
    }
}

void
DpdlLinkControl::Attach(Link& link, uint32_t source, uint32_t target, const DpdlPath& path)
{
    link.device = path.device;
    link.isRouted = !path.sameSubnet;
    link.model = ModelOf(LowestDevice(path.remoteDevice));
    if (!link.model)
    {
        link.refusal = "loss and failures of " + NameOf(source, target) + ": a " +
                       path.remoteDevice->GetInstanceTypeId().GetName() +
                       " takes no error model; expected a PointToPoint, Csma, Wifi or LrWpan "
                       "device, or one with a DpdlReceiveGate";
        return;
    }
    link.isRouted = link.isRouted || !link.model->HasLinkHeader();
    if (link.isRouted && !link.model->HasNetworkHeader())
    {
        link.model = nullptr;
        link.refusal = NameOf(source, target) +
                       " goes through routers to a radio of IEEE 802.15.4: loss and failures are "
                       "not applied there; expected neighbours";
        return;
    }
    // Newer releases of ns-3 hand over WiFi frames without the MAC header, so the model also needs
    // the IP addresses of a neighbour.
    auto addresses = link.model->HasNetworkHeader() ? FindIpAddresses(path.device->GetNode())
                                                    : std::vector<Address>();
    if (!link.isRouted)
    {
        addresses.push_back(path.device->GetAddress());
    }
    link.model->AddSender(addresses, link.isRouted, source, target, m_seed);
}

Ptr<DpdlLinkErrorModel>
DpdlLinkControl::ModelOf(Ptr<NetDevice> device)
{
    const auto known = m_models.find(device);
    if (known != m_models.end())
    {
        return known->second;
    }
    const std::optional<Place> place = PlaceOf(device);
    if (!place)
    {
        return nullptr;
    }
    const auto model = CreateObject<DpdlLinkErrorModel>();
    m_models[device] = model;
    PointerValue before;
    if (place->object->GetAttributeFailSafe(place->attribute, before))
    {
        model->SetNext(before.Get<ErrorModel>());
    }
    place->object->SetAttribute(place->attribute, PointerValue(model));
    model->SetFrame(place->frame);
    // A radio retransmits a frame that the receiver's phy drops, so such a drop is not final and
    // not reported. Drops by a device or a receive gate are final.
    if (place->object == device || place->frame == DpdlLinkErrorModel::Frame::IP)
    {
        model->SetDropCallback(m_dropped);
    }
    return model;
}

void
DpdlLinkControl::Apply(const ::dpdl::NetworkState& conditions)
{
    for (auto& entry : m_links)
    {
        ApplyTo(entry.first.first, entry.first.second, conditions);
    }
}

void
DpdlLinkControl::ApplyTo(uint32_t source, uint32_t target, const ::dpdl::NetworkState& conditions)
{
    Link& link = m_links.at({source, target});
    const ::dpdl::LinkCondition condition = conditions.Link(source, target);
    const bool areUp = conditions.Node(source).up && conditions.Node(target).up;
    const bool losesPackets = !condition.up || condition.lossProbability > 0.0 || condition.burst;
    DPDL_REFUSE_IF(!link.model && losesPackets && areUp, link.refusal);
    if (link.model)
    {
        link.model->SetCondition(source, condition);
    }
    if (link.isChanged || condition.delay || condition.rate)
    {
        CheckOneWay({source, target}, link, conditions);
        SetDelayAndRate({source, target}, link, condition);
    }
}

void
DpdlLinkControl::CheckOneWay(const Pair& pair,
                             const Link& link,
                             const ::dpdl::NetworkState& all) const
{
    const auto back = m_links.find({pair.second, pair.first});
    if (back == m_links.end() || back->second.device->GetChannel() != link.device->GetChannel())
    {
        return;
    }
    DPDL_REFUSE_IF(all.Link(pair.first, pair.second).delay !=
                       all.Link(pair.second, pair.first).delay,
                   "the delay of " + NameOf(pair.first, pair.second) +
                       " cannot be changed alone: its channel has one delay for both "
                       "directions");
}

void
DpdlLinkControl::SetDelayAndRate(const Pair& pair,
                                 Link& link,
                                 const ::dpdl::LinkCondition& condition)
{
    const auto device = DynamicCast<PointToPointNetDevice>(link.device);
    DPDL_REFUSE_IF(link.isRouted,
                   "delay and rate of " + NameOf(pair.first, pair.second) +
                       " cannot be changed: it goes through routers, whose links have "
                       "delays and rates; expected neighbours");
    DPDL_REFUSE_IF(!device,
                   "delay and rate of " + NameOf(pair.first, pair.second) +
                       " cannot be changed: they belong to all pairs of its " +
                       link.device->GetInstanceTypeId().GetName() +
                       "; expected a PointToPoint device");
    // A channel has one delay for both directions. CheckOneWay() has verified that the conditions
    // of both links require the same delay. Therefore the link that is handled first saves or
    // restores the original delay of the channel, and for the opposite link nothing is left to do.
    const Ptr<Channel> channel = device->GetChannel();
    const auto saved = m_delays.find(channel);
    if (condition.delay)
    {
        TimeValue delay;
        channel->GetAttribute("Delay", delay);
        m_delays.try_emplace(channel, delay.Get());
        channel->SetAttribute("Delay", TimeValue(Seconds(*condition.delay)));
    }
    else if (saved != m_delays.end())
    {
        channel->SetAttribute("Delay", TimeValue(saved->second));
        m_delays.erase(saved);
    }
    if (!link.isChanged)
    {
        DataRateValue rate;
        device->GetAttribute("DataRate", rate);
        link.rate = rate.Get();
    }
    link.isChanged = condition.delay || condition.rate;
    const DataRate newRate =
        condition.rate ? DataRate(static_cast<uint64_t>(std::llround(*condition.rate))) : link.rate;
    device->SetAttribute("DataRate", DataRateValue(newRate));
}

void
DpdlLinkControl::Clear()
{
    m_dropped = nullptr;
    for (auto& entry : m_models)
    {
        entry.second->SetDropCallback(nullptr);
    }
    m_models.clear();
    m_links.clear();
    m_delays.clear();
}

} // namespace ns3
