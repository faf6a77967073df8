// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/clip-rule.h"
#include "dpdl/training/compressor.h"
#include "dpdl/training/gradient-step.h"
#include "kernels.h"
#include "stopwatch.h"
#include "worker-runner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// WorkerContext: runs the parts of a job in order: mix, evaluate, step, attack, compress. The step
// draws batches, clips gradients, adds noise and records the release.

namespace dpdl
{

namespace
{

constexpr double UNCLIPPED = std::numeric_limits<double>::infinity();

/// Index of an iteration among all iterations of a node in the run: before * (iterations per round)
/// + iteration.
/// @param job job that determines the number of iterations per round
/// @param before number of earlier rounds (for noise), or of earlier rounds with a step (for
///        batches)
/// @param iteration index of the iteration in this round, from 0
Round
NumberOf(const NodeJob& job, Round before, std::uint32_t iteration)
{
    const std::uint32_t iterations = job.update.step ? job.update.step->Iterations() : 1;
    return before * iterations + iteration;
}

/// Noise standard deviation, grid and sensitivity of a release. Rounding each of n values to a
/// multiple of `grid` adds at most grid * sqrt(n) to the L2 sensitivity.
NoiseScale
ScaleOf(const BoundedSum& sum, const LocalUpdate& update)
{
    const double rounding = update.grid * std::sqrt(static_cast<double>(sum.Size()));
    return {update.noise, update.grid, sum.Sensitivity() + rounding};
}

} // namespace

WorkerContext::WorkerContext(const RunnerSupplies& supplies, std::unique_ptr<GradientEngine> engine)
    : m_supplies(supplies),
      m_engine(std::move(engine)),
      m_sum(supplies.model->ParameterCount()),
      m_noisy(supplies.model->ParameterCount())
{
}

Batch
WorkerContext::Draw(const NodeJob& job, std::uint32_t iteration)
{
    m_draw = NumberOf(job, job.update.stepsBefore, iteration);
    m_supplies.sampler->Draw((*m_supplies.partition)[job.node], job.node, *m_draw, m_batch);
    const std::uint32_t flipped = job.lie.kind == LieKind::LABEL_FLIP ? Model().Classes() : 0;
    return {&m_supplies.dataset->train, m_batch.data(), m_batch.size(), flipped};
}

/// True if a batch is the complete batch of the last Draw(), so its sampling probability is known.
bool
WorkerContext::IsDrawn(const Batch& batch) const
{
    return batch.split == &m_supplies.dataset->train && batch.examples == m_batch.data() &&
           batch.size == m_batch.size();
}

float*
WorkerContext::Scratch(std::size_t index)
{
    std::unique_ptr<FloatBuffer>& scratch = m_scratches.at(index);
    if (!scratch)
    {
        scratch = std::make_unique<FloatBuffer>(m_supplies.model->ParameterCount());
    }
    return scratch->Data();
}

BatchResult
WorkerContext::GradientSum(const float* at, const Batch& batch, float* sum)
{
    const BatchResult result = m_engine->ClippedGradientSum(at, batch, UNCLIPPED, m_sum.Data());
    RoundToFloat(m_sum.Data(), sum, m_sum.Size());
    return result;
}

/// Fields of a BoundedSum for the values in m_sum, which @p rule has clipped.
BoundedSum::Fields
WorkerContext::Bounded(const ClipRule& rule)
{
    BoundedSum::Fields fields;
    fields.values = m_sum.Data();
    fields.size = std::min(rule.end, m_sum.Size());
    fields.norm = rule.norm;
    fields.sensitivity = rule.begin == 0 ? Sensitivity(rule, Model()) : UNCLIPPED;
    return fields;
}

BoundedSum
WorkerContext::ClippedSum(NodeJob& job, const Batch& batch, const float* at, const ClipRule& rule)
{
    job.batch +=
        dpdl::ClippedSum(*m_engine, Model(), at, batch, rule, m_noisy.Data(), m_sum.Data());
    BoundedSum::Fields fields = Bounded(rule);
    const std::size_t local = (*m_supplies.partition)[job.node].size();
    fields.sensitivity *= 1.0 + SumRounding(m_supplies.sampler->PublicExamples(local));
    fields.draw = IsDrawn(batch) ? m_draw : std::nullopt;
    return MakeSum(fields);
}

BoundedSum
WorkerContext::ClipMean(const ClipRule& rule, float* mean, ClipOutcome* outcome)
{
    const ClipOutcome found = ClipGradient(Model(), rule, mean);
    if (outcome != nullptr)
    {
        *outcome = found;
    }
    std::copy_n(mean, m_sum.Size(), m_sum.Data());
    BoundedSum::Fields fields = Bounded(rule);
    fields.isBatch = true;
    fields.draw = m_draw;
    return MakeSum(fields);
}

void
WorkerContext::Record(const BoundedSum& sum,
                      const NoiseScale& scale,
                      std::uint32_t iteration,
                      NodeJob& job) const
{
    const BoundedSum::Fields& fields = FieldsOf(sum);
    const bool isL1 = m_supplies.noise->Mechanism() == "laplace";
    Release record;
    record.node = job.node;
    record.round = job.round;
    record.stream = iteration;
    record.mechanism = scale.deviation > 0.0 ? m_supplies.noise->Mechanism() : "none";
    record.noise = scale.deviation;
    record.sensitivity = isL1 == (fields.norm == ClipNorm::L1) || scale.deviation <= 0.0
                             ? scale.sensitivity
                             : UNCLIPPED;
    record.values = fields.size;
    record.sampler = "unknown";
    const Round draw = NumberOf(job, job.update.stepsBefore, iteration);
    if (fields.draw == draw)
    {
        const std::size_t local = (*m_supplies.partition)[job.node].size();
        record.sampler = m_supplies.sampler->AccountingName();
        record.rate = m_supplies.sampler->Rate(local);
        record.epoch = m_supplies.sampler->Epoch(draw, local);
    }
    const bool isFloat = scale.deviation > 0.0 && scale.grid == 0.0;
    record.flags = (isFloat ? ReleaseFlag::FLOAT_NOISE : ReleaseFlag::NONE) |
                   (fields.isBatch                 ? ReleaseFlag::BATCH_CLIP
                    : m_engine->IsBatchInvariant() ? ReleaseFlag::NONE
                                                   : ReleaseFlag::BATCH_DEPENDENT_GRADIENT);
    MeasureNoise(std::as_const(*job.state).Data(),
                 job.state->Size(),
                 (*m_supplies.partition)[job.node].size(),
                 record,
                 job);
    job.releases.push_back(std::move(record));
}

float*
WorkerContext::AddNoise(const BoundedSum& sum,
                        NodeJob& job,
                        std::uint32_t iteration,
                        double multiple)
{
    NoiseScale scale = ScaleOf(sum, job.update);
    Record(sum, scale, iteration, job);
    if (multiple != 1.0)
    {
        ReleaseFlag& flags = job.releases.back().flags;
        flags = flags | ReleaseFlag::DATA_DEPENDENT_SCALE;
    }
    scale.deviation *= multiple;
    if (!(scale.deviation > 0.0))
    {
        RoundToFloat(sum.Values(), m_noisy.Data(), m_sum.Size());
        return m_noisy.Data();
    }
    m_noisySum.assign(sum.Values(), sum.Values() + m_sum.Size());
    m_supplies.noise->AddNoise(m_noisySum.data(),
                               sum.Size(),
                               scale,
                               job.node,
                               NumberOf(job, job.round, iteration));
    RoundToFloat(m_noisySum.data(), m_noisy.Data(), m_sum.Size());
    if (job.recordNoise)
    {
        // Record the change of each value, which is the noise plus all rounding errors.
        float* const kept = KeptNoise(job, iteration);
        for (std::size_t i = 0; i < sum.Size(); ++i)
        {
            kept[i] += static_cast<float>(m_noisy.Data()[i] - sum.Values()[i]);
        }
    }
    return m_noisy.Data();
}

void
WorkerContext::AddNoisyStep(const BoundedSum& sum, NodeJob& job)
{
    const LocalUpdate& update = job.update;
    if (job.recordNoise || update.noise <= 0.0 || !update.chunkSteps.empty() ||
        update.increment != nullptr || sum.Size() != job.state->Size())
    {
        StepContext::AddNoisyStep(sum, job);
        return;
    }
    const NoiseScale scale = ScaleOf(sum, update);
    Record(sum, scale, 0, job);
    m_supplies.noise->AddNoisyStep(job.state->Data(),
                                   sum.Values(),
                                   job.state->Size(),
                                   scale,
                                   static_cast<float>(-update.stepSize / update.divisor),
                                   job.node,
                                   NumberOf(job, job.round, 0));
}

float*
WorkerContext::KeptNoise(NodeJob& job, std::uint32_t iteration) const
{
    if (job.noise.size() <= iteration)
    {
        job.noise.resize(iteration + 1);
    }
    ParameterHandle& kept = job.noise[iteration];
    if (!kept)
    {
        kept = m_supplies.pool->Acquire();
        std::fill_n(kept->Data(), kept->Size(), 0.0F);
    }
    return kept->Data();
}

void
WorkerContext::Do(NodeJob& job, TimeBreakdown& seconds)
{
    if (!job.mix.empty())
    {
        const Stopwatch stopwatch(seconds.mixing);
        Mix(job);
    }
    if (job.averaged > 0)
    {
        const Stopwatch stopwatch(seconds.mixing);
        ParameterHandle average = m_supplies.pool->Acquire();
        MixParameters(AverageTerms(job), *average);
        job.average = std::move(average);
    }
    if (job.evaluate > 0)
    {
        const Stopwatch stopwatch(seconds.evaluation);
        Evaluate(job);
    }
    if (job.copy)
    {
        std::copy_n(job.state->Data(), job.state->Size(), job.copy->Data());
    }
    MarkDivergence(job);
    if (job.update.enabled)
    {
        {
            const Stopwatch total(seconds.step);
            const Stopwatch stopwatch(job.stepSeconds);
            Step(job);
        }
        DrawUnitNoise(job);
    }
    if (job.told)
    {
        const Stopwatch stopwatch(seconds.mixing);
        WriteLie(job);
    }
    if (job.compressor != nullptr)
    {
        const Stopwatch stopwatch(seconds.mixing);
        Compress(job);
    }
}

void
WorkerContext::WriteLie(NodeJob& job)
{
    float* const told = job.told->Data();
    const std::size_t size = job.told->Size();
    switch (job.lie.kind)
    {
    case LieKind::SIGN_FLIP:
        std::transform(job.state->Data(), job.state->Data() + size, told, std::negate<>());
        break;
    case LieKind::NOISE:
        std::fill_n(told, size, 0.0F);
        RandomStream(job.seed, RandomPurpose::LIES, job.node, job.round)
            .AddNormal(told, size, static_cast<float>(job.lie.scale));
        break;
    case LieKind::ZERO:
        std::fill_n(told, size, 0.0F);
        break;
    case LieKind::STALE: // `told` contains the model of an earlier round
    case LieKind::LABEL_FLIP:
    case LieKind::NONE:
        break;
    }
}

void
WorkerContext::Compress(NodeJob& job)
{
    for (const CompressedState& compressed : job.compressed)
    {
        Approximate(*job.compressor,
                    job.update.chunks,
                    {job.node, job.round},
                    job.told ? *job.told : *job.state,
                    compressed.reference.get(),
                    *compressed.sent);
    }
}

void
WorkerContext::Mix(NodeJob& job) const
{
    if (!job.state)
    {
        job.state = m_supplies.pool->Acquire();
    }
    MixByRule(job.rule, job.mix, *job.state);
    // A trimmed mean is not a weighted sum of the terms, so its rounding error is not measured.
    job.mixError = job.rule.kind == MixRule::Kind::TRIMMED ? 0.0 : MixingError(job.mix, *job.state);
    // Drop the sources. A source that no other job needs returns to the pool, and the next job
    // reuses its memory while it is in the cache.
    job.mix.clear();
}

void
WorkerContext::DrawUnitNoise(NodeJob& job) const
{
    if (job.standardNoise)
    {
        const std::size_t shared =
            std::min(job.update.chunks.Parameters(), job.standardNoise->Size());
        std::fill_n(job.standardNoise->Data(), job.standardNoise->Size(), 0.0F);
        std::vector<double> noise(shared, 0.0);
        m_supplies.noise->AddNoise(noise.data(), shared, {1.0, 0.0, 1.0}, job.node, job.round);
        RoundToFloat(noise.data(), job.standardNoise->Data(), shared);
        job.standardNoiseNorm = AbsoluteSum(job.standardNoise->Data(), shared);
    }
}

void
WorkerContext::Step(NodeJob& job)
{
    m_draw.reset();
    static const GradientStep plain;
    const LocalStep* step = job.update.step ? job.update.step : &plain;
    if (!job.increment)
    {
        step->Run(*this, job);
        return;
    }
    // The step changes a copy, because other jobs read z^k.
    const ParameterHandle start = job.state;
    job.state = m_supplies.pool->AcquireCopy(start->Data());
    std::fill_n(job.increment->Data(), job.increment->Size(), 0.0F);
    job.update.increment = job.increment->Data();
    step->Run(*this, job);
    job.state = start;
}

} // namespace dpdl
