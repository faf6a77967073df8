// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-link-error-model.h"

#include "dpdl-type.h"

#include "ns3/abort.h"
#include "ns3/packet.h"

#include <algorithm>
#include <array>

// Copies the start of each packet, finds the sender by its address there, and draws the loss from
// the state of that sender's link.

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlLinkErrorModel);

namespace
{

/// Upper bound of the number of bytes from the start of a frame to the end of its IP source
/// address: WiFi header with QoS, LLC header, and IPv6 header up to the end of the source address.
constexpr uint32_t FRAME_START = 26 + 8 + 24;
constexpr uint32_t PPP_HEADER = 2;
constexpr uint32_t LLC_HEADER = 8;
constexpr uint32_t MOST_ETHERNET_LENGTH = 1500;

using FrameBytes = std::array<uint8_t, FRAME_START>;

/// A range of bytes in a frame, such as an address.
struct Range
{
    uint32_t begin{0}; //!< index of the first byte in the frame
    uint32_t size{0};  //!< length in bytes; 0: the frame has no such range
};

/// Range of the source address in an IEEE 802.15.4 frame.
Range
LrWpanSource(const FrameBytes& bytes)
{
    const uint32_t control = bytes[0] | (static_cast<uint32_t>(bytes[1]) << 8);
    const auto sizeOf = [](uint32_t mode) { return mode == 2 ? 2U : mode == 3 ? 8U : 0U; };
    const uint32_t target = sizeOf((control >> 10) & 3);
    const bool oneNetwork = ((control >> 6) & 1) != 0;
    const uint32_t begin = 3 + (target > 0 ? 2 + target : 0) + (oneNetwork ? 0 : 2);
    return {begin, sizeOf((control >> 14) & 3)};
}

/// Range of the address of the device that sent a frame. If an access point forwarded the frame,
/// range of the address of the original station. Empty if the frame has no MAC header: a WiFi frame
/// whose protocol version (the lowest two bits) is not 0 begins with the LLC header (0xaa).
Range
LinkSource(const FrameBytes& bytes, DpdlLinkErrorModel::Frame frame)
{
    using Frame = DpdlLinkErrorModel::Frame;
    switch (frame)
    {
    case Frame::POINT_TO_POINT:
    case Frame::IP:
        return {};
    case Frame::ETHERNET:
        return {6, 6};
    case Frame::WIFI:
        return (bytes[0] & 3) != 0 ? Range{} : Range{(bytes[1] & 3) == 2 ? 16U : 10U, 6};
    case Frame::LR_WPAN:
        return LrWpanSource(bytes);
    }
    return {};
}

/// Range of the IP source address in a frame.
Range
NetworkSource(const FrameBytes& bytes, DpdlLinkErrorModel::Frame frame)
{
    using Frame = DpdlLinkErrorModel::Frame;
    uint32_t begin = frame == Frame::IP ? 0 : PPP_HEADER;
    if (frame == Frame::ETHERNET)
    {
        const uint32_t type = (static_cast<uint32_t>(bytes[12]) << 8) | bytes[13];
        begin = type <= MOST_ETHERNET_LENGTH ? 14 + LLC_HEADER : 14;
    }
    else if (frame == Frame::WIFI)
    {
        const bool isData = (bytes[0] & 0x0c) == 0x08;
        const bool hasQos = (bytes[0] & 0x80) != 0;
        begin = (bytes[0] & 3) != 0 ? LLC_HEADER
                : isData            ? (hasQos ? 26 : 24) + LLC_HEADER
                                    : FRAME_START;
    }
    if (begin >= FRAME_START || frame == Frame::LR_WPAN)
    {
        return {};
    }
    const uint32_t version = bytes[begin] >> 4;
    return version == 4 ? Range{begin + 12, 4} : version == 6 ? Range{begin + 8, 16} : Range{};
}

/// True if the bytes in a range of a frame equal those of an address. If their lengths differ, only
/// the last bytes, as many as the shorter has, are compared: a frame may contain only the short
/// address of a device, while the device's full address begins with the identifier of its network.
bool
Holds(const FrameBytes& bytes, const Range& place, const std::vector<uint8_t>& address)
{
    const std::size_t common = std::min<std::size_t>(place.size, address.size());
    return std::equal(address.end() - common,
                      address.end(),
                      bytes.begin() + place.begin + place.size - common);
}

std::vector<uint8_t>
BytesOf(const Address& address)
{
    std::vector<uint8_t> bytes(address.GetLength());
    address.CopyTo(bytes.data());
    return bytes;
}

} // namespace

TypeId
DpdlLinkErrorModel::GetTypeId()
{
    static TypeId tid = MakeDpdlType<DpdlLinkErrorModel, ErrorModel>("ns3::DpdlLinkErrorModel");
    return tid;
}

void
DpdlLinkErrorModel::AddSender(const std::vector<Address>& addresses,
                              bool isRouted,
                              uint32_t source,
                              uint32_t target,
                              ::dpdl::RandomSeed seed)
{
    Sender& sender = m_senders.emplace_back(
        ::dpdl::RandomStream(seed, ::dpdl::RandomPurpose::LINK_LOSS, source, target));
    sender.isRouted = isRouted;
    sender.source = source;
    sender.target = target;
    for (const Address& address : addresses)
    {
        sender.addresses.push_back(BytesOf(address));
    }
}

void
DpdlLinkErrorModel::SetDropProbability(uint32_t source, double probability)
{
    Find(source).drop = probability;
}

void
DpdlLinkErrorModel::SetCondition(uint32_t source, const ::dpdl::LinkCondition& condition)
{
    Sender& sender = Find(source);
    sender.isBad = sender.isBad && condition.burst.has_value();
    sender.condition = condition;
}

DpdlLinkErrorModel::Sender&
DpdlLinkErrorModel::Find(uint32_t source)
{
    const auto found =
        std::find_if(m_senders.begin(), m_senders.end(), [source](const Sender& sender) {
            return sender.source == source;
        });
    NS_ABORT_MSG_IF(found == m_senders.end(), "DpdlLinkErrorModel: no sender " << source);
    return *found;
}

/// Draws a random number that decides if the link of @p sender drops a packet. Returns the reason;
/// empty if the packet passes.
std::optional<::dpdl::DropReason>
DpdlLinkErrorModel::LossOf(Sender& sender) const
{
    using ::dpdl::DropReason;
    const auto happens = [&sender](double probability) {
        return probability > 0.0 && sender.stream.Uniform(sender.draws++) < probability;
    };
    const bool byLink = happens(sender.drop);
    bool failed = !sender.condition.up;
    failed = happens(sender.condition.lossProbability) || failed;
    if (sender.condition.burst)
    {
        const ::dpdl::GilbertElliott& burst = *sender.condition.burst;
        failed = happens(burst.Loss(sender.isBad)) || failed;
        sender.isBad ^= happens(burst.Change(sender.isBad));
    }
    if (!byLink && !failed)
    {
        return std::nullopt;
    }
    return m_frame == Frame::IP ? DropReason::RECEIVE_GATE
           : byLink             ? DropReason::LINK
                                : DropReason::FAILURE;
}

bool
DpdlLinkErrorModel::DoCorrupt(Ptr<Packet> packet)
{
    FrameBytes bytes{};
    const uint32_t size = packet->CopyData(bytes.data(), FRAME_START);
    const Range device = LinkSource(bytes, m_frame);
    const Range node = NetworkSource(bytes, m_frame);
    const auto isFrom = [&](const Sender& sender) {
        if (!sender.isRouted && m_frame == Frame::POINT_TO_POINT)
        {
            return true;
        }
        const Range& place = sender.isRouted || device.size == 0 ? node : device;
        const auto isThere = [&](const auto& address) { return Holds(bytes, place, address); };
        // An acknowledgement frame has no source address, so it matches no sender.
        return place.size > 0 && place.begin + place.size <= size &&
               std::any_of(sender.addresses.begin(), sender.addresses.end(), isThere);
    };
    // A routed packet may match two senders: the node that sent it and, if that is also a sender of
    // this receiver, the router that forwarded it last. Both links may drop the packet.
    std::optional<::dpdl::MessageLoss> loss;
    bool isHopKnown = false;
    for (Sender& sender : m_senders)
    {
        if ((!sender.isRouted && isHopKnown) || !isFrom(sender))
        {
            continue;
        }
        isHopKnown = isHopKnown || !sender.isRouted;
        if (const auto reason = LossOf(sender))
        {
            loss = {*reason, sender.target};
        }
    }
    if (loss && m_dropCallback)
    {
        m_dropCallback(packet, *loss);
    }
    return loss || (m_next && m_next->IsCorrupt(packet));
}

void
DpdlLinkErrorModel::DoReset()
{
    for (Sender& sender : m_senders)
    {
        sender.isBad = false;
    }
}

} // namespace ns3
