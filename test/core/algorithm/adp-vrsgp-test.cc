// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/training/gradient-step.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

/// A context whose gradients are zero and whose noise is 1 in each coordinate.
class NoiseContext : public StepContext
{
  public:
    const ModelSpec& Model() const override
    {
        throw Error("not asked for");
    }

    Batch Draw(const NodeJob&, std::uint32_t) override
    {
        return {};
    }

    float* Scratch(std::size_t) override
    {
        throw Error("not asked for");
    }

    BatchResult GradientSum(const float*, const Batch&, float*) override
    {
        throw Error("not asked for");
    }

    BoundedSum ClippedSum(NodeJob&, const Batch&, const float*, const ClipRule&) override
    {
        BoundedSum::Fields fields;
        fields.values = m_sum.data();
        fields.size = m_sum.size();
        return MakeSum(fields);
    }

    BoundedSum ClipMean(const ClipRule&, float*, ClipOutcome*) override
    {
        throw Error("not asked for");
    }

    float* AddNoise(const BoundedSum&, NodeJob&, std::uint32_t, double) override
    {
        return m_noisy.data();
    }

  private:
    std::vector<double> m_sum = std::vector<double>(4);
    std::vector<float> m_noisy = std::vector<float>(4, 1.0F);
};

TEST(FusedStep, LostMemoryIsNotFused)
{
    ParameterPool pool(4);
    NoiseContext context;
    NodeJob job;
    job.round = 2; // in the middle of a block
    job.update.rounds = 15;
    job.update.stepSize = 1.0;
    job.state = pool.Acquire();
    job.memory.push_back(pool.Acquire());
    std::fill_n(job.state->Data(), 4, 0.0F);
    std::fill_n(job.memory.front()->Data(), 4, 0.0F);
    FusedStep(5, 0.5).Run(context, job);
    EXPECT_EQ(job.state->Data()[0], -1.0F);
    EXPECT_EQ(FusedStep(5, 0.5).Iterations(), 1U) << "fusing is no further release";
}

} // namespace
} // namespace dpdl
