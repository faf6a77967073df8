// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-message-setup.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"

#include <cmath>

namespace ns3
{

Ptr<DpdlMessageTransport>
MakeDpdlMessageTransport(::dpdl::RunSettings& settings)
{
    const auto transport = CreateObject<DpdlMessageTransport>();
    const ::dpdl::LinkFiles& files = settings.linkFiles;
    if (files.dataRate.empty() && settings.IsSet("dataRate", &::dpdl::RunSettings::dataRate))
    {
        const auto rate = static_cast<uint64_t>(std::llround(settings.dataRate));
        transport->SetAttribute("DataRate", DataRateValue(DataRate(rate)));
    }
    if (files.delay.empty() && settings.IsSet("delay", &::dpdl::RunSettings::delay))
    {
        transport->SetAttribute("Delay", TimeValue(Seconds(settings.delay)));
    }
    if (files.drop.empty() && settings.IsSet("drop", &::dpdl::RunSettings::drop))
    {
        transport->SetAttribute("DropProbability", DoubleValue(settings.drop));
    }
    const ::dpdl::LinkParameters defaults = transport->LinkDefaults();
    settings.dataRate = defaults.dataRate;
    settings.delay = defaults.delay;
    settings.drop = defaults.drop;
    settings.links = ::dpdl::ReadLinks(settings, defaults);
    transport->SetLinks(settings.links);
    if (!transport->IsPlain())
    {
        settings.transferSeconds = [transport](const ::dpdl::GraphSequence& graph, uint64_t bytes) {
            return transport->TransferSeconds(graph, bytes);
        };
    }
    return transport;
}

std::string
DpdlMessageFidelity(const ::dpdl::RunSettings& settings)
{
    std::string error;
    for (const std::string& line :
         settings.links ? settings.links->Errors() : std::vector<std::string>())
    {
        error += (error.empty() ? "" : "; ") + line;
    }
    return error.empty() ? "message: not calibrated" : "message: calibrated, " + error;
}

} // namespace ns3
