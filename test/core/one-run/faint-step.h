// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_FAINT_STEP_H
#define DPDL_TEST_FAINT_STEP_H

#include "dpdl/algorithm/algorithms.h"

#include <memory>
#include <set>
#include <string>
#include <utility>

namespace dpdl
{

/// A context whose noise is fainter than what it records.
class FaintContext : public StepContext
{
  public:
    FaintContext(StepContext& inner, double loudness)
        : m_inner(inner),
          m_loudness(loudness)
    {
    }

    const ModelSpec& Model() const override
    {
        return m_inner.Model();
    }

    Batch Draw(const NodeJob& job, std::uint32_t iteration) override
    {
        return m_inner.Draw(job, iteration);
    }

    float* Scratch(std::size_t index) override
    {
        return m_inner.Scratch(index);
    }

    BatchResult GradientSum(const float* at, const Batch& batch, float* sum) override
    {
        return m_inner.GradientSum(at, batch, sum);
    }

    BoundedSum ClippedSum(NodeJob& job,
                          const Batch& batch,
                          const float* at,
                          const ClipRule& rule) override
    {
        return m_inner.ClippedSum(job, batch, at, rule);
    }

    BoundedSum ClipMean(const ClipRule& rule, float* mean, ClipOutcome* outcome) override
    {
        return m_inner.ClipMean(rule, mean, outcome);
    }

    float* AddNoise(const BoundedSum& sum,
                    NodeJob& job,
                    std::uint32_t iteration,
                    double multiple) override
    {
        float* const noisy = m_inner.AddNoise(sum, job, iteration, multiple);
        for (std::size_t i = 0; i < sum.Size(); ++i)
        {
            const double bare = sum.Values()[i];
            noisy[i] = static_cast<float>(bare + m_loudness * (noisy[i] - bare));
        }
        return noisy;
    }

  private:
    StepContext& m_inner; ///< does the work and writes the record
    double m_loudness;    ///< what is left of the noise
};

/// A step that runs in a FaintContext.
class FaintStep : public LocalStep
{
  public:
    FaintStep(std::shared_ptr<const LocalStep> inner, double loudness)
        : m_inner(std::move(inner)),
          m_loudness(loudness)
    {
    }

    std::uint32_t Iterations() const override
    {
        return m_inner->Iterations();
    }

    std::size_t MemoryVectors() const override
    {
        return m_inner->MemoryVectors();
    }

    bool ProtectsOwnPart() const override
    {
        return m_inner->ProtectsOwnPart();
    }

    void Run(StepContext& context, NodeJob& job) const override
    {
        FaintContext faint(context, m_loudness);
        m_inner->Run(faint, job);
    }

  private:
    std::shared_ptr<const LocalStep> m_inner; ///< the honest one
    double m_loudness;                        ///< of the noise
};

/// Makes `faint-NAME` known: NAME with less noise than its records say, and a false argument.
inline std::string
RegisterFaint(const std::string& name, double loudness)
{
    const std::string faint = "faint-" + name;
    static std::set<std::string> known;
    if (known.insert(faint).second)
    {
        Algorithm algorithm = Algorithms().Get(name);
        algorithm.make = [make = algorithm.make, loudness](const HyperParameters& hyper) {
            AlgorithmPreset preset = make(hyper);
            preset.step = std::make_shared<FaintStep>(preset.step, loudness);
            return preset;
        };
        RegisterAlgorithm({faint, "for a test", "", "", ""}, algorithm, "a false argument");
    }
    return faint;
}

} // namespace dpdl

#endif // DPDL_TEST_FAINT_STEP_H
