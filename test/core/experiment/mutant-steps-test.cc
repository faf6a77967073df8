// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "experiment-fixture.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <set>

namespace dpdl
{
namespace
{

using Body = std::function<void(StepContext&, NodeJob&)>;

/// A local step that a test makes up.
class MadeUpStep : public LocalStep
{
  public:
    explicit MadeUpStep(Body body)
        : m_body(std::move(body))
    {
    }

    void Run(StepContext& context, NodeJob& job) const override
    {
        m_body(context, job);
    }

  private:
    Body m_body;
};

/// What a step does otherwise than the plan says, and what the reason has to name.
struct Mutant
{
    std::string name;
    Body body;
    std::string reason;
};

BoundedSum
SumOf(StepContext& context, NodeJob& job)
{
    return context.ClippedSum(job, context.Draw(job, 0), job.state->Data(), WholeGradientRule(job));
}

void
Take(StepContext& context, NodeJob& job, const BoundedSum& sum)
{
    AddStep(job.update, context.AddNoise(sum, job, 0), *job.state);
}

/// The step of the plan with another rule of clipping.
Body
ClipsBy(const std::function<void(ClipRule&, std::size_t)>& change)
{
    return [change](StepContext& context, NodeJob& job) {
        ClipRule rule = WholeGradientRule(job);
        change(rule, job.state->Size());
        Take(context, job, context.ClippedSum(job, context.Draw(job, 0), job.state->Data(), rule));
    };
}

/// The step of the plan on a batch that it chooses.
Body
TakesBatch(const std::function<Batch(const Batch&, std::vector<std::uint32_t>&)>& choose)
{
    return [choose](StepContext& context, NodeJob& job) {
        std::vector<std::uint32_t> memory;
        const Batch batch = choose(context.Draw(job, 0), memory);
        Take(context,
             job,
             context.ClippedSum(job, batch, job.state->Data(), WholeGradientRule(job)));
    };
}

void
Honest(StepContext& context, NodeJob& job)
{
    Take(context, job, SumOf(context, job));
}

std::vector<Mutant>
NoiseMutants()
{
    return {
        {"forgets its noise",
         [](StepContext& context, NodeJob& job) {
             const BoundedSum sum = SumOf(context, job);
             std::vector<float> bare(sum.Values(), sum.Values() + job.state->Size());
             AddStep(job.update, bare.data(), *job.state);
         },
         "added noise 0 times, the plan says 1"},
        {"forgets it once",
         [](StepContext& context, NodeJob& job) {
             job.update.noise = job.round == 3 ? 0.0 : job.update.noise;
             Honest(context, job);
         },
         "the step added noise ''none'', the plan says ''gaussian''"},
        {"halves it",
         [](StepContext& context, NodeJob& job) {
             job.update.noise *= 0.5;
             Honest(context, job);
         },
         "the step added noise "},
        {"repeats it",
         [](StepContext& context, NodeJob& job) {
             Honest(context, job);
             Honest(context, job);
         },
         "added noise 2 times, the plan says 1"},
        {"takes one iteration too many",
         [](StepContext& context, NodeJob& job) {
             Honest(context, job);
             const BoundedSum sum = context.ClippedSum(job,
                                                       context.Draw(job, 1),
                                                       job.state->Data(),
                                                       WholeGradientRule(job));
             AddStep(job.update, context.AddNoise(sum, job, 1), *job.state);
         },
         "added noise 2 times, the plan says 1"},
        {"uses the noise of the next round",
         [](StepContext& context, NodeJob& job) {
             const BoundedSum sum = SumOf(context, job);
             AddStep(job.update, context.AddNoise(sum, job, 1), *job.state);
         },
         "the step used noise number"},
        {"scales it by the gradient",
         [](StepContext& context, NodeJob& job) {
             const BoundedSum sum = SumOf(context, job);
             const double scale = 2.0 + std::fabs(sum.Values()[0]);
             AddStep(job.update, context.AddNoise(sum, job, 0, scale), *job.state);
         },
         "computed the noise''s scale from data"},
    };
}

std::vector<Mutant>
SumMutants()
{
    return {
        {"protects half of the vector",
         ClipsBy([](ClipRule& rule, std::size_t size) { rule.end = size / 2; }),
         "the step added noise to "},
        {"does not clip",
         ClipsBy([](ClipRule& rule, std::size_t) {
             rule.bound = std::numeric_limits<double>::infinity();
         }),
         "the sum has sensitivity inf"},
        {"clips at 2 C",
         ClipsBy([](ClipRule& rule, std::size_t) { rule.bound *= 2.0; }),
         "the sum has sensitivity "},
        {"clips each tensor at C",
         ClipsBy([](ClipRule& rule, std::size_t) { rule.perTensor = true; }),
         "the sum has sensitivity "},
        {"bounds the wrong norm",
         ClipsBy([](ClipRule& rule, std::size_t) { rule.norm = ClipNorm::L1; }),
         "the sum has sensitivity inf"},
        {"leaves the first parameters out",
         ClipsBy([](ClipRule& rule, std::size_t) { rule.begin = 1; }),
         "the sum has sensitivity inf"},
        {"clips the batch",
         [](StepContext& context, NodeJob& job) {
             float* const sum = context.Scratch(0);
             context.GradientSum(job.state->Data(), context.Draw(job, 0), sum);
             Take(context, job, context.ClipMean(WholeGradientRule(job), sum));
         },
         "clipped the batch as a whole"},
        {"takes all of its examples",
         TakesBatch([](const Batch& batch, std::vector<std::uint32_t>& memory) {
             memory.resize(40);
             std::iota(memory.begin(), memory.end(), 0U);
             return Batch{batch.split, memory.data(), memory.size()};
         }),
         "drew its batch by ''unknown''"},
        {"takes a part of its batch",
         TakesBatch([](const Batch& batch, std::vector<std::uint32_t>&) {
             return Batch{batch.split, batch.examples, batch.size / 2};
         }),
         "drew its batch by ''unknown''"},
        {"takes the batch of another draw",
         [](StepContext& context, NodeJob& job) {
             const Batch batch = context.Draw(job, 1);
             Take(context,
                  job,
                  context.ClippedSum(job, batch, job.state->Data(), WholeGradientRule(job)));
         },
         "drew its batch by ''unknown''"},
    };
}

std::vector<Mutant>
Mutants()
{
    std::vector<Mutant> mutants = NoiseMutants();
    for (Mutant& mutant : SumMutants())
    {
        mutants.push_back(std::move(mutant));
    }
    return mutants;
}

/// Runs steps that were argued to be private, each under its own name.
class MutantSteps : public ExperimentTest, public testing::WithParamInterface<const char*>
{
  protected:
    void RunStep(const std::string& name, const Body& body)
    {
        static std::set<std::string> known;
        if (known.insert(name).second)
        {
            const Algorithm algorithm{{}, [body](const HyperParameters&) {
                                          AlgorithmPreset preset;
                                          preset.isPrivate = true;
                                          preset.stepSize = 0.5;
                                          preset.clip = 2.0;
                                          preset.step = std::make_shared<MadeUpStep>(body);
                                          return preset;
                                      }};
            RegisterAlgorithm({name, "for a test"}, algorithm, "a false argument");
        }
        RunOptions settings = Small();
        settings.algorithm = name;
        settings.engine = GetParam();
        Run(settings);
    }
};

TEST_P(MutantSteps, TheStepOfThePlanIsCertified)
{
    RunStep("made-up-honest", Honest);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE certified <= 1.0 AND "
                    "certified > 0.9 AND reason IS NULL"),
              "5");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM release WHERE flags LIKE '%PLAN_MISMATCH%'"), "0");
}

TEST_P(MutantSteps, NoOtherStepKeepsACertificateOrAClaim)
{
    for (const Mutant& mutant : Mutants())
    {
        RunStep("made-up: " + mutant.name, mutant.body);
        EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE certified = 9e999 AND "
                        "claimed = 9e999 AND reason LIKE 'round %" +
                        mutant.reason + "%'"),
                  "5")
            << mutant.name << ": " << Value("SELECT MIN(reason) FROM guarantee_by_node");
        EXPECT_EQ(Value("SELECT certified_max = 9e999 FROM guarantee_by_round WHERE round = 6"),
                  "1")
            << mutant.name;
    }
}

std::string
EngineName(const testing::TestParamInfo<const char*>& engine)
{
    std::string name = engine.param;
    name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
    return name;
}

INSTANTIATE_TEST_SUITE_P(Engines, MutantSteps, testing::Values("native", "libtorch"), EngineName);
INSTANTIATE_TEST_SUITE_P(Others, MutantSteps, testing::Values("libtorch-loop"), EngineName);

} // namespace
} // namespace dpdl
