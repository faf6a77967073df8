// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/local-step.h"

#include "dpdl/training/gradient-step.h"
#include "kernels.h"

#include <algorithm>
#include <cmath>

// The local steps GradientStep (one noisy gradient), FusedStep (a moving average of noisy
// gradients) and PartialStep (local parameters, then shared ones). Also the mean of a node's
// iterates.

namespace dpdl
{

void
StepContext::AddNoisyStep(const BoundedSum& sum, NodeJob& job)
{
    AddStep(job.update, AddNoise(sum, job, 0), *job.state);
}

void
AddStep(const LocalUpdate& update, const float* gradient, ParameterVector& state)
{
    const auto add = [&](double stepSize, std::size_t begin, std::size_t size) {
        const auto factor = static_cast<float>(-stepSize / update.divisor);
        AddScaled(state.Data() + begin, gradient + begin, factor, size);
        if (update.increment != nullptr)
        {
            AddScaled(update.increment + begin, gradient + begin, factor, size);
        }
    };
    if (update.chunkSteps.empty())
    {
        add(update.stepSize, 0, state.Size());
    }
    for (std::size_t chunk = 0; chunk < update.chunkSteps.size(); ++chunk)
    {
        add(update.chunkSteps[chunk], update.chunks.Begin(chunk), update.chunks.Size(chunk));
    }
    const std::size_t own = update.chunks.Parameters();
    if (!update.chunkSteps.empty() && own < state.Size())
    {
        add(update.stepSize, own, state.Size() - own);
    }
}

std::size_t
SharedCount(const NodeJob& job)
{
    return std::min(job.update.chunks.Parameters(), job.state->Size());
}

ClipRule
WholeGradientRule(const NodeJob& job)
{
    ClipRule rule;
    rule.bound = job.update.clip;
    return rule;
}

void
GradientStep::Run(StepContext& context, NodeJob& job) const
{
    const Batch batch = context.Draw(job, 0);
    context.AddNoisyStep(context.ClippedSum(job, batch, job.state->Data(), WholeGradientRule(job)),
                         job);
}

FusedStep::FusedStep(Round tau, double theta)
    : m_tau(tau),
      m_theta(theta)
{
}

void
FusedStep::Run(StepContext& context, NodeJob& job) const
{
    const LocalUpdate& update = job.update;
    const std::size_t size = job.state->Size();
    const Batch batch = context.Draw(job, 0);
    const BoundedSum sum =
        context.ClippedSum(job, batch, job.state->Data(), WholeGradientRule(job));
    const float* const gradient = context.AddNoise(sum, job, 0);

    float* fused = job.memory.front()->Data();
    const bool begins = job.round == 0 || BlockOf(job.round, update.rounds, m_tau) !=
                                              BlockOf(job.round - 1, update.rounds, m_tau);
    // The vector is zero before the node's first step, and after a crash in which the node lost its
    // state.
    const bool isEmpty = std::all_of(fused, fused + size, [](float x) { return x == 0.0F; });
    if (begins || isEmpty)
    {
        std::copy_n(gradient, size, fused);
    }
    else
    {
        Scale(fused, static_cast<float>(m_theta), size);
        AddScaled(fused, gradient, static_cast<float>(1.0 - m_theta), size);
    }
    AddStep(update, fused, *job.state);
}

Round
BlockOf(Round round, Round rounds, Round tau)
{
    return rounds / tau - (rounds - round) / tau;
}

PartialStep::PartialStep(double ratio, bool moves)
    : m_ratio(ratio),
      m_moves(moves)
{
}

void
PartialStep::TrainOwnPart(StepContext& context, NodeJob& job, const Batch& batch) const
{
    const std::size_t shared = SharedCount(job);
    const std::size_t own = job.state->Size() - shared;
    if (own == 0)
    {
        return;
    }
    float* const gradient = context.Scratch(0);
    context.GradientSum(job.state->Data(), batch, gradient);
    const double factor = -m_ratio * job.update.stepSize / job.update.divisor;
    AddScaled(job.state->Data() + shared, gradient + shared, static_cast<float>(factor), own);
}

void
PartialStep::Run(StepContext& context, NodeJob& job) const
{
    float* const gradient = context.Scratch(0);
    const std::size_t shared = SharedCount(job);
    const Batch batch = context.Draw(job, 0);
    const ClipRule rule{job.update.clip, ClipNorm::L1, false, 0, shared};
    ClipOutcome outcome;
    std::fill_n(gradient, job.state->Size(), 0.0F);
    if (m_moves)
    {
        TrainOwnPart(context, job, batch);
        job.batch = context.GradientSum(job.state->Data(), batch, gradient);
        Scale(gradient, static_cast<float>(1.0 / job.update.divisor), shared);
    }
    const BoundedSum mean = context.ClipMean(rule, gradient, &outcome);
    job.batch.clipped = outcome.clipped ? job.batch.size : 0;
    job.sharedNorm = AbsoluteSum(gradient, shared);
    LocalUpdate undivided = job.update;
    undivided.divisor = 1.0;
    AddStep(undivided, context.AddNoise(mean, job, 0), *job.state);
}

std::vector<MixTerm>
AverageTerms(const NodeJob& job)
{
    const double share = 1.0 / static_cast<double>(job.averaged);
    std::vector<MixTerm> terms;
    if (job.averaged > 1)
    {
        terms.push_back({job.average, 1.0 - share});
    }
    terms.push_back({job.state, share});
    return terms;
}

void
MarkDivergence(NodeJob& job)
{
    const ParameterHandle& model = job.averaged > 0 ? job.average : job.copy;
    const auto isFinite = [](float value) { return std::isfinite(value); };
    if (job.evaluate > 0 && model &&
        !std::all_of(model->Data(), model->Data() + model->Size(), isFinite))
    {
        job.evaluation.lossSum = std::nan("");
    }
}

} // namespace dpdl
