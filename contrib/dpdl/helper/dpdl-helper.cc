// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-helper.h"

#include "dpdl/experiment/option-table.h"

#include "ns3/abort.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/dpdl-application.h"
#include "ns3/dpdl-ideal-transport.h"
#include "ns3/dpdl-message-transport.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <cmath>

namespace ns3
{

DpdlHelper::DpdlHelper()
    : DpdlHelper(::dpdl::RunSettings())
{
}

DpdlHelper::DpdlHelper(const ::dpdl::RunSettings& settings)
    : m_settings(settings)
{
    m_factory.SetTypeId(DpdlApplication::GetTypeId());
}

void
DpdlHelper::Set(const std::string& option, const std::string& value)
{
    ::dpdl::SetOption(m_settings, option, value);
}

void
DpdlHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

void
DpdlHelper::AddFact(const std::string& name, const std::string& value)
{
    m_facts.emplace_back(name, value);
}

void
DpdlHelper::ReadAttributes()
{
    const ::dpdl::RunSettings defaults;
    if (m_settings.computeSeconds != defaults.computeSeconds)
    {
        m_factory.Set("ComputeTime", TimeValue(Seconds(m_settings.computeSeconds)));
    }
    const Ptr<Object> prototype = m_factory.Create<Object>();
    TimeValue computeTime;
    prototype->GetAttribute("ComputeTime", computeTime);
    m_settings.computeSeconds = computeTime.Get().GetSeconds();
    DoubleValue factor;
    prototype->GetAttribute("ClipDecay", factor);
    if (factor.Get() > 0.0)
    {
        m_settings.clipDecay = factor.Get();
    }
    prototype->GetAttribute("NoiseGrowth", factor);
    if (factor.Get() > 0.0)
    {
        m_settings.noiseGrowth = factor.Get();
    }
}

Ptr<DpdlTransport>
DpdlHelper::MakeTransport() const
{
    if (m_settings.network == ::dpdl::NetworkKind::IDEAL)
    {
        return CreateObject<DpdlIdealTransport>();
    }
    Ptr<DpdlMessageTransport> transport = CreateObject<DpdlMessageTransport>();
    const auto rate = static_cast<uint64_t>(std::llround(m_settings.dataRate));
    transport->SetAttribute("DataRate", DataRateValue(DataRate(rate)));
    transport->SetAttribute("Delay", TimeValue(Seconds(m_settings.delay)));
    transport->SetAttribute("DropProbability", DoubleValue(m_settings.drop));
    return transport;
}

ApplicationContainer
DpdlHelper::Install(const NodeContainer& nodes)
{
    NS_ABORT_MSG_IF(m_experiment, "DpdlHelper: Install can be called once");
    m_settings.nodes = nodes.GetN();
    if (m_settings.trace.empty())
    {
        m_settings.trace = "dpdl-" + std::to_string(m_settings.seed.seed) + "-" +
                           std::to_string(m_settings.seed.run) + ".db";
    }
    RngSeedManager::SetSeed(m_settings.seed.seed);
    RngSeedManager::SetRun(m_settings.seed.run);
    ReadAttributes();
    m_experiment = std::make_unique<::dpdl::Experiment>(m_settings, m_facts);
    m_transport = MakeTransport();
    const double deadline = m_experiment->DeadlineSeconds();
    const Time roundDeadline = std::isfinite(deadline) ? Seconds(deadline) : Time(0);
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        Ptr<DpdlApplication> application = m_factory.Create<DpdlApplication>();
        nodes.Get(i)->AddApplication(application);
        application->Setup(i, m_experiment->At(i), m_transport, roundDeadline);
        m_applications.Add(application);
    }
    AssignStreams(0);
    return m_applications;
}

int64_t
DpdlHelper::AssignStreams(int64_t stream)
{
    int64_t used = m_transport->AssignStreams(stream);
    for (uint32_t i = 0; i < m_applications.GetN(); ++i)
    {
        Ptr<DpdlApplication> application = DynamicCast<DpdlApplication>(m_applications.Get(i));
        used += application->AssignStreams(stream + used);
    }
    return used;
}

bool
DpdlHelper::Finish()
{
    NS_ABORT_MSG_UNLESS(m_experiment, "DpdlHelper: Finish needs a run; call Install first");
    return m_experiment->Finish(Simulator::Now().GetSeconds());
}

} // namespace ns3
