// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/sensitivity-round.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

double
NormOf(const ParameterVector& vector, std::size_t count)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < std::min(count, vector.Size()); ++i)
    {
        sum += std::abs(vector.Data()[i]);
    }
    return sum;
}

} // namespace

SensitivityRound::SensitivityRound(NodeId node,
                                   const LearnerContext& context,
                                   const ParameterVector& initial)
    : MaxConsensus(node,
                   context.graph->Nodes(),
                   *context.plan->Settings().algorithm.sensitivity,
                   NormOf(initial, context.chunks.Parameters())),
      m_context(context)
{
}

/// Upper bound on the L1 norm of the change of x = w z by the step, with the node's state z and its
/// push-sum weight w. With StepScale::BY_WEIGHT the step in x is multiplied by w. The bound then
/// uses the largest w of all chunks, or 1 if that is larger.
double
SensitivityRound::Perturbation(const NodeJob& job) const
{
    if (!job.update.enabled)
    {
        return 0.0;
    }
    double scale = 1.0;
    for (std::size_t chunk = 0;
         m_context.stepScale == StepScale::BY_WEIGHT && chunk < m_context.chunks.Count();
         ++chunk)
    {
        scale = std::max(scale, m_context.ledger->Weight(m_node, chunk).ToDouble());
    }
    return scale * m_context.plan->At(m_node, job.round).stepSize * job.sharedNorm;
}

bool
SensitivityRound::IsMeasured(Round round) const
{
    const bool isDue = m_rule.measureEvery > 0 && round % m_rule.measureEvery == 0;
    return m_context.exchange != nullptr && (m_rule.isOracle || isDue);
}

const std::vector<Share>&
SensitivityRound::Announce(const NodeJob& job, double now)
{
    if (IsMeasured(job.round))
    {
        const double w = m_context.ledger->MeanWeight(m_node).ToDouble();
        m_context.exchange->Post(m_node, job.round, job.state, w);
    }
    return MaxConsensus::Announce(job.round, Perturbation(job), now);
}

SensitivityReport
SensitivityRound::Report(Round round) const
{
    SensitivityReport report;
    report.node = m_node;
    report.round = round;
    report.estimated = Own();
    report.unheard = Missing(round).size();
    if (IsMeasured(round))
    {
        report.real = m_context.exchange->Of(m_node, round);
    }
    report.maximum = m_rule.isOracle ? m_context.exchange->Largest(round) : Maximum(round);
    return report;
}

/// Adds noise to a copy of the state, because other nodes may still read the state without noise.
/// @param scale noise scale in the units of x = w z: factor on job.standardNoise, which has scale 1
void
SensitivityRound::Disturb(NodeJob& job, double scale) const
{
    const ParameterHandle sum = m_context.backend->Pool().AcquireCopy(job.state->Data());
    const float* const noise = job.standardNoise->Data();
    for (std::size_t chunk = 0; chunk < m_context.chunks.Count(); ++chunk)
    {
        const ScaledDouble weight = m_context.ledger->Weight(m_node, chunk);
        const double factor = weight.IsZero() ? 0.0 : scale * (ScaledDouble(1.0) / weight);
        const std::size_t end = std::min(m_context.chunks.End(chunk), sum->Size());
        for (std::size_t i = m_context.chunks.Begin(chunk); i < end; ++i)
        {
            sum->Data()[i] += static_cast<float>(factor) * noise[i];
        }
    }
    if (job.recordNoise)
    {
        const ParameterHandle kept = m_context.backend->Pool().Acquire();
        std::transform(noise, noise + kept->Size(), kept->Data(), [scale](float value) {
            return static_cast<float>(scale) * value;
        });
        job.noise.push_back(kept);
    }
    job.state = sum;
}

void
SensitivityRound::AddNoise(NodeJob& job)
{
    const SensitivityReport report = Report(job.round);
    // The planned noise scale gamma_n / b assumes a sensitivity S of 1.
    const double scale = report.maximum * m_context.plan->At(m_node, job.round).noise;
    const bool isNoisy = job.update.enabled && scale > 0.0;
    if (isNoisy)
    {
        Disturb(job, scale);
        Release& record = job.releases.at(0); // the record of the local step, which added no noise
        record.mechanism = m_context.plan->Settings().noiseSource->Mechanism();
        record.noise = scale;
        record.sensitivity = report.maximum;
        record = record.WithFlags(ReleaseFlag::FLOAT_NOISE | ReleaseFlag::DATA_DEPENDENT_SCALE);
    }
    Agree(job.round, report.maximum, isNoisy ? scale * job.standardNoiseNorm : 0.0);
    m_context.observer->OnSensitivity(report);
}

void
SensitivityRound::CloseRound(Round round, bool heardAll)
{
    // Only a node that received all shares restarts its sensitivity estimate. A node that missed a
    // share may have other parameters than the other nodes. It keeps its estimate, so the maximum
    // over all nodes includes it.
    if (m_rule.syncPeriod > 0 && (round + 1) % m_rule.syncPeriod == 0 && heardAll)
    {
        Restart();
    }
}

} // namespace dpdl
