// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-loss-model.h"

#include "dpdl-type.h"
#include "dpdl/base/errors.h"

#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlLossModel);
NS_OBJECT_ENSURE_REGISTERED(DpdlErrorModelLoss);

namespace
{

/// Number of random streams reserved for the model of one link.
constexpr int64_t MODEL_STREAMS = 16;
/// Number of random streams reserved for the models of all links, for up to a million nodes.
constexpr int64_t LINK_STREAMS = MODEL_STREAMS * 1000000 * 1000000;

/// Maps each ordered pair of nonnegative numbers to a different number, which is below n^2 if both
/// are below n (Szudzik's pairing function, 2006).
int64_t
NumberOf(int64_t first, int64_t second)
{
    return first < second ? second * second + first : first * first + first + second;
}

} // namespace

TypeId
DpdlLossModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DpdlLossModel").SetParent<Object>().SetGroupName("Dpdl");
    return tid;
}

TypeId
DpdlErrorModelLoss::GetTypeId()
{
    static TypeId tid = MakeDpdlType<DpdlErrorModelLoss, DpdlLossModel>("ns3::DpdlErrorModelLoss")
                            .AddAttribute("ErrorModel",
                                          "Type and attributes of each directed link's ErrorModel",
                                          ObjectFactoryValue(ObjectFactory("ns3::RateErrorModel")),
                                          MakeObjectFactoryAccessor(&DpdlErrorModelLoss::m_factory),
                                          MakeObjectFactoryChecker());
    return tid;
}

std::string
DpdlErrorModelLoss::RequireErrorModel(const std::string& type)
{
    TypeId id;
    DPDL_REFUSE_IF(!TypeId::LookupByNameFailSafe(type, &id) ||
                       !id.IsChildOf(ErrorModel::GetTypeId()),
                   "DpdlHelper::SetLossModel",
                   type,
                   "a subclass of ns3::ErrorModel, such as ns3::RateErrorModel");
    return type;
}

void
DpdlErrorModelLoss::SetErrorModel(uint32_t source, uint32_t target, Ptr<ErrorModel> model)
{
    m_links[{source, target}] = model;
    AssignStreams({source, target}, model);
}

bool
DpdlErrorModelLoss::DoIsLost(const ::dpdl::Share& share, Ptr<const Packet> packet)
{
    const Link link{share.source, share.target};
    const auto [place, isNew] = m_links.try_emplace(link);
    if (isNew)
    {
        place->second = m_factory.Create<ErrorModel>();
        AssignStreams(link, place->second);
    }
    return place->second && place->second->IsCorrupt(packet->Copy());
}

int64_t
DpdlErrorModelLoss::DoAssignStreams(int64_t stream)
{
    m_stream = stream;
    for (const auto& [link, model] : m_links)
    {
        AssignStreams(link, model);
    }
    return LINK_STREAMS;
}

void
DpdlErrorModelLoss::AssignStreams(const Link& link, Ptr<ErrorModel> model) const
{
    if (m_stream < 0 || !model)
    {
        return;
    }
    int64_t stream = m_stream + MODEL_STREAMS * NumberOf(link.first, link.second);
    // ns-3's ErrorModel has no AssignStreams(): assign the streams of all random variables that are
    // attributes of the model or its base classes.
    for (TypeId type = model->GetInstanceTypeId(); type != Object::GetTypeId();
         type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            PointerValue value;
            if (model->GetAttributeFailSafe(type.GetAttribute(i).name, value))
            {
                if (const auto variable = value.Get<RandomVariableStream>())
                {
                    variable->SetStream(stream++);
                }
            }
        }
    }
}

} // namespace ns3
