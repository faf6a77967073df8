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
MakeDpdlMessageTransport(const ::dpdl::RunOptions& settings, ::dpdl::NetworkFacts& facts)
{
    const auto transport = CreateObject<DpdlMessageTransport>();
    const ::dpdl::LinkFiles& files = settings.linkFiles;
    if (files.dataRate.empty() && settings.dataRate.has_value())
    {
        const auto rate = static_cast<uint64_t>(std::llround(*settings.dataRate));
        transport->SetAttribute("DataRate", DataRateValue(DataRate(rate)));
    }
    if (files.delay.empty() && settings.delay.has_value())
    {
        transport->SetAttribute("Delay", TimeValue(Seconds(*settings.delay)));
    }
    if (files.drop.empty() && settings.drop.has_value())
    {
        transport->SetAttribute("DropProbability", DoubleValue(*settings.drop));
    }
    facts.link = transport->LinkDefaults();
    facts.links = ::dpdl::ReadLinks(settings, *facts.link);
    transport->SetLinks(facts.links);
    if (!transport->IsPlain())
    {
        facts.transferSeconds = [transport](const ::dpdl::GraphSequence& graph, uint64_t bytes) {
            return transport->TransferSeconds(graph, bytes);
        };
    }
    return transport;
}

std::string
DpdlMessageFidelity(const ::dpdl::NetworkFacts& facts)
{
    std::string error;
    for (const std::string& line : facts.links ? facts.links->Errors() : std::vector<std::string>())
    {
        error += (error.empty() ? "" : "; ") + line;
    }
    return error.empty() ? "message: not calibrated" : "message: calibrated, " + error;
}

} // namespace ns3
