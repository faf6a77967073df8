// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "traffic-work.h"

#include "dpdl/data/dataset.h"
#include "interleaved-benchmark.h"

#include "ns3/dpdl-helper.h"
#include "ns3/simulator.h"

namespace ns3
{

namespace
{

using dpdl::SecondsOf;
using dpdl::TimeOf;

dpdl::RunOptions
MakeSettings(const Traffic& traffic, bool measureQ, const std::string& trace)
{
    dpdl::RunOptions settings;
    settings.algorithm = "sgp";
    settings.topology = "out-degree:" + std::to_string(traffic.degree);
    settings.nodes = traffic.nodes;
    settings.rounds = traffic.rounds;
    settings.samples = settings.nodes;
    settings.testSamples = 1;
    settings.batchSize = 1;
    settings.evaluateEvery = 0;
    settings.train = false;
    settings.measureQ = measureQ;
    settings.workers = 1;
    settings.model = traffic.small ? "softmax-regression" : settings.model;
    settings.trace = trace;
    settings.overwrite = true;
    return settings;
}

} // namespace

double
RunMessages(const Traffic& traffic, bool measureQ, const std::string& trace)
{
    ns3::DpdlHelper helper(MakeSettings(traffic, measureQ, trace));
    ns3::NodeContainer nodes;
    nodes.Create(traffic.nodes);
    helper.Install(nodes);
    const double start = SecondsOf(TimeOf::PROCESSOR);
    ns3::Simulator::Run();
    const double seconds = SecondsOf(TimeOf::PROCESSOR) - start;
    helper.Finish();
    ns3::Simulator::Destroy();
    return seconds;
}

double
RunSetUp(const std::string& trace)
{
    const dpdl::RunOptions settings = MakeSettings({1000, 10, 10, false, false}, true, trace);
    const double before = SecondsOf(TimeOf::PROCESSOR);
    dpdl::LoadDataset(settings.dataset, settings.dataDir, settings.samples, settings.testSamples);
    const double start = SecondsOf(TimeOf::PROCESSOR);
    ns3::DpdlHelper helper(settings);
    ns3::NodeContainer nodes;
    nodes.Create(static_cast<std::uint32_t>(settings.nodes));
    helper.Install(nodes);
    const double end = SecondsOf(TimeOf::PROCESSOR);
    ns3::Simulator::Destroy();
    return (end - start) - (start - before);
}

MixingWork::MixingWork(const Traffic& traffic)
    : m_pool(traffic.Parameters()),
      m_terms(traffic.degree)
{
    const std::vector<float> values(traffic.Parameters(), 1.0F);
    for (std::uint32_t node = 0; node < traffic.nodes; ++node)
    {
        m_before.push_back(m_pool.AcquireCopy(values.data()));
        m_after.push_back(m_pool.AcquireCopy(values.data()));
    }
}

void
MixingWork::Run()
{
    const std::size_t nodes = m_before.size();
    for (std::size_t node = 0; node < nodes; ++node)
    {
        for (std::size_t term = 0; term < m_terms.size(); ++term)
        {
            m_terms[term].source = m_before[(node + term) % nodes];
            m_terms[term].coefficient = 1.0 / static_cast<double>(m_terms.size());
        }
        dpdl::MixParameters(m_terms, *m_after[node]);
    }
    m_before.swap(m_after);
}

} // namespace ns3
