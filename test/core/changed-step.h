// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_CHANGED_STEP_H
#define DPDL_TEST_CHANGED_STEP_H

#include "dpdl/training/local-step.h"

#include <functional>
#include <memory>
#include <utility>

namespace dpdl
{

/// A step of an algorithm whose noisy sums are changed behind the back of its context, which has
/// recorded them.
class ChangedStep : public LocalStep
{
  public:
    /// Changes a noisy sum. @param noisy the sum with its noise @param sum without it
    using Change = std::function<
        void(float* noisy, const BoundedSum& sum, const NodeJob& job, std::uint32_t iteration)>;

    ChangedStep(std::shared_ptr<const LocalStep> inner, Change change)
        : m_inner(std::move(inner)),
          m_change(std::move(change))
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

    bool IsPlain() const override
    {
        return m_inner->IsPlain();
    }

    bool ProtectsOwnPart() const override
    {
        return m_inner->ProtectsOwnPart();
    }

    void Run(StepContext& context, NodeJob& job) const override
    {
        Context changed(context, m_change);
        m_inner->Run(changed, job);
    }

  private:
    /// Everything as the worker's context has it, but the noisy sums.
    class Context : public StepContext
    {
      public:
        Context(StepContext& inner, const Change& change)
            : m_inner(inner),
              m_change(change)
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
            m_change(noisy, sum, job, iteration);
            return noisy;
        }

      private:
        StepContext& m_inner; ///< does the work and writes the record
        const Change& m_change;
    };

    std::shared_ptr<const LocalStep> m_inner; ///< the honest one
    Change m_change;
};

} // namespace dpdl

#endif // DPDL_TEST_CHANGED_STEP_H
