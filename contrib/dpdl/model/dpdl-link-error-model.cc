// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-link-error-model.h"

#include "ns3/abort.h"
#include "ns3/packet.h"

#include <algorithm>
#include <array>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlLinkErrorModel);

namespace
{

/// Enough of a frame for the addresses of every kind.
constexpr uint32_t FRAME_START = 24;

/// A piece of a frame.
struct Range
{
    uint32_t begin{0}; //!< first byte
    uint32_t size{0};  //!< bytes; 0: there is none
};

/// Offset of the source address in an IEEE 802.15.4 frame.
Range
LrWpanSource(const std::array<uint8_t, FRAME_START>& bytes)
{
    const uint32_t control = bytes[0] | (static_cast<uint32_t>(bytes[1]) << 8);
    const auto sizeOf = [](uint32_t mode) { return mode == 2 ? 2U : mode == 3 ? 8U : 0U; };
    const uint32_t target = sizeOf((control >> 10) & 3);
    const bool oneNetwork = ((control >> 6) & 1) != 0;
    const uint32_t begin = 3 + (target > 0 ? 2 + target : 0) + (oneNetwork ? 0 : 2);
    return {begin, sizeOf((control >> 14) & 3)};
}

} // namespace

TypeId
DpdlLinkErrorModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DpdlLinkErrorModel")
                            .SetParent<ErrorModel>()
                            .SetGroupName("Dpdl")
                            .AddConstructor<DpdlLinkErrorModel>();
    return tid;
}

void
DpdlLinkErrorModel::SetFrame(Frame frame)
{
    m_frame = frame;
}

void
DpdlLinkErrorModel::SetNext(Ptr<ErrorModel> next)
{
    m_next = next;
}

void
DpdlLinkErrorModel::SetDropCallback(DropCallback callback)
{
    m_dropCallback = std::move(callback);
}

void
DpdlLinkErrorModel::AddSender(const Address& address,
                              uint32_t source,
                              uint32_t target,
                              ::dpdl::RandomSeed seed)
{
    std::vector<uint8_t> bytes(address.GetLength());
    address.CopyTo(bytes.data());
    m_senders.emplace_back(
        ::dpdl::RandomStream(seed, ::dpdl::RandomPurpose::LINK_LOSS, source, target));
    Sender& sender = m_senders.back();
    sender.address = std::move(bytes);
    sender.source = source;
    sender.target = target;
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

DpdlLinkErrorModel::Sender*
DpdlLinkErrorModel::SenderOf(Ptr<const Packet> packet)
{
    if (m_frame == Frame::POINT_TO_POINT)
    {
        return m_senders.empty() ? nullptr : &m_senders.front();
    }
    std::array<uint8_t, FRAME_START> bytes{};
    const uint32_t size = packet->CopyData(bytes.data(), FRAME_START);
    Range place{m_frame == Frame::ETHERNET ? 6U : 10U, 6};
    if (m_frame == Frame::LR_WPAN)
    {
        place = LrWpanSource(bytes);
    }
    if (place.size == 0 || place.begin + place.size > size)
    {
        return nullptr; // an acknowledgement names no source
    }
    for (Sender& sender : m_senders)
    {
        // A device may call itself by its network and its short address, a frame by the latter.
        const std::size_t common = std::min<std::size_t>(place.size, sender.address.size());
        if (std::equal(sender.address.end() - common,
                       sender.address.end(),
                       bytes.begin() + place.begin + place.size - common))
        {
            return &sender;
        }
    }
    return nullptr;
}

bool
DpdlLinkErrorModel::IsLost(Sender& sender)
{
    const auto happens = [&sender](double probability) {
        return probability > 0.0 && sender.stream.Uniform(sender.draws++) < probability;
    };
    bool lost = !sender.condition.up;
    lost = happens(sender.drop) || lost;
    lost = happens(sender.condition.lossProbability) || lost;
    if (sender.condition.burst)
    {
        const ::dpdl::GilbertElliott& burst = *sender.condition.burst;
        lost = happens(burst.Loss(sender.isBad)) || lost;
        sender.isBad ^= happens(burst.Change(sender.isBad));
    }
    return lost;
}

bool
DpdlLinkErrorModel::DoCorrupt(Ptr<Packet> packet)
{
    Sender* const sender = SenderOf(packet);
    const bool lost = sender != nullptr && IsLost(*sender);
    if (lost && m_dropCallback)
    {
        m_dropCallback(packet, sender->target);
    }
    return lost || (m_next && m_next->IsCorrupt(packet));
}

void
DpdlLinkErrorModel::DoReset()
{
    for (Sender& sender : m_senders)
    {
        sender.isBad = false;
    }
}

void
DpdlLinkErrorModel::DoDispose()
{
    m_next = nullptr;
    m_dropCallback = nullptr;
    ErrorModel::DoDispose();
}

} // namespace ns3
