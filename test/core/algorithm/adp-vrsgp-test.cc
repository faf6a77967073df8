// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/privacy/published-claim.h"
#include "dpdl/training/gradient-step.h"
#include "step-run.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr Round PAPER_ROUNDS = 1000;

RoundShape
At(const AlgorithmPreset& preset, Round round, Round rounds = PAPER_ROUNDS)
{
    return preset.schedule->At(preset, round, rounds);
}

/// alpha(T - t).
double
AlphaBack(const AlgorithmPreset& preset, Round round)
{
    return 1.0 / At(preset, round).strength;
}

/// beta(t).
double
Beta(const AlgorithmPreset& preset, Round round)
{
    return preset.stepSize / At(preset, round).stepSize;
}

TEST(AdpVrsgp, AlphaAndBetaAreThoseOfThePapersExperiments)
{
    struct Row
    {
        Round round;
        double alphaBack;
        double beta;
    };

    const AlgorithmPreset preset = MakeAlgorithm("adp-vrsgp");
    for (const Row& row : {Row{0, 2.913693, 4.617893},
                           Row{1, 2.910913, 4.613487},
                           Row{6, 2.908122, 4.697764},
                           Row{500, 2.560227, 6.554764},
                           Row{501, 2.555555, 6.554764},
                           Row{999, 1.584893, 8.473416}})
    {
        EXPECT_NEAR(AlphaBack(preset, row.round), row.alphaBack, 5e-7) << row.round;
        EXPECT_NEAR(Beta(preset, row.round), row.beta, 5e-7) << row.round;
    }
}

// What calibration composes: the multipliers in use, whose index runs from T down to 1.
TEST(AdpVrsgp, InverseSquaresOfAlphaAddUpAsComputedByHand)
{
    for (const auto& [power, ahead, back] :
         {std::tuple{0.2, 173.6661, 173.3857}, {0.25, 113.9156, 113.6683}, {0.3, 75.2547, 75.0439}})
    {
        const AlgorithmPreset preset =
            MakeAlgorithm("adp-vrsgp", "xi=0,noisePower=" + std::to_string(power));
        double used = 0.0;
        double theorem = std::pow(AlphaBack(preset, 999), -2.0); // alpha(0) = alpha(1)
        for (Round t = 0; t < PAPER_ROUNDS; ++t)
        {
            used += std::pow(AlphaBack(preset, t), -2.0);
            theorem += t > 0 ? 1.0 / Beta(preset, t) : 0.0; // beta(t) = alpha(t)^2 behind xi T
        }
        EXPECT_NEAR(used, back, 5e-5);
        EXPECT_NEAR(theorem, ahead, 5e-5);
    }
}

TEST(AdpVrsgp, ClipBoundAndNoiseFallTogetherOnceABlock)
{
    const AlgorithmPreset preset = MakeAlgorithm("adp-vrsgp");
    EXPECT_EQ(At(preset, 0).clip, 0.1);
    for (const auto& [round, block] : {std::pair<Round, int>{1, 1}, {5, 1}, {6, 2}, {999, 200}})
    {
        EXPECT_NEAR(At(preset, round).clip, 0.1 * std::pow(0.99, block), 1e-15) << round;
        EXPECT_EQ(At(preset, round).unit, At(preset, round).clip);
    }
}

TEST(AdpVrsgp, WithoutSdlrNoiseAndStepAreConstant)
{
    const AlgorithmPreset preset = MakeAlgorithm("adp-vrsgp", "sdlr=0,psi=1");
    for (const Round round : {0U, 1U, 6U, 700U, 999U})
    {
        EXPECT_EQ(At(preset, round).strength, 1.0);
        EXPECT_EQ(At(preset, round).stepSize, preset.stepSize);
        EXPECT_EQ(At(preset, round).clip, preset.clip);
    }
}

TEST(AdpVrsgp, WithoutAnyOfItsPartsItIsConstD2p)
{
    AlgorithmPreset bare = MakeAlgorithm("adp-vrsgp", "sdlr=0,pgf=0,psi=1");
    AlgorithmPreset still = MakeAlgorithm("adp-vrsgp", "sdlr=0,theta=0,psi=1");
    AlgorithmPreset whole = MakeAlgorithm("adp-vrsgp", "sdlr=0,psi=1");
    for (AlgorithmPreset* preset : {&bare, &still, &whole})
    {
        preset->clip = 2.0;
        preset->stepSize = 1.0;
    }
    StepRun constant({MakeAlgorithm("const-d2p")});
    StepRun first({bare});
    StepRun second({still});
    StepRun third({whole});
    EXPECT_EQ(first.Run(), constant.Run());
    EXPECT_EQ(second.Run(), constant.Run());
    EXPECT_NE(third.Run(), constant.Run());
}

TEST(AdpVrsgp, FollowsItsRecursion)
{
    constexpr Round T = 11;
    StepRun run({MakeAlgorithm("adp-vrsgp", "tau=3"), T});
    run.Run();
    std::vector<StepRun::Vector> fused(StepRun::NODES,
                                       StepRun::Vector(run.Model().ParameterCount()));
    const auto replay = run.Replay([&](NodeId node, Round t, StepRun::Vector& z) {
        const RoundRule& rule = run.Plan().At(node, t);
        const auto sum = run.Sum(z, run.BatchOf(node, t), [&rule](StepRun::Vector& gradient) {
            StepRun::Clip(gradient, rule.clip, 0, gradient.size());
        });
        const auto noise = run.NoiseOf(node, t, rule.noise, z.size());
        const bool isFused = t > 0 && (T - t) / 3 == (T - t + 1) / 3;
        for (std::size_t i = 0; i < z.size(); ++i)
        {
            const double gradient = sum[i] + noise[i];
            fused[node][i] = isFused ? 0.5 * gradient + 0.5 * fused[node][i] : gradient;
            z[i] -= rule.stepSize * fused[node][i] / 4.0;
        }
    });
    EXPECT_LT(run.DistanceTo(replay), 1e-5);
}

/// Rounds t, blocks of 5, T = 25 and T = 27: where t - 1 is of another block than t.
TEST(FusedStep, BlocksAreCountedFromTheEnd)
{
    for (const auto& [rounds, begins] :
         {std::pair<Round, std::vector<Round>>{25, {1, 6, 11, 16, 21}}, {27, {3, 8, 13, 18, 23}}})
    {
        std::vector<Round> found;
        for (Round t = 1; t < rounds; ++t)
        {
            if (BlockOf(t, rounds, 5) != BlockOf(t - 1, rounds, 5))
            {
                found.push_back(t);
            }
        }
        EXPECT_EQ(found, begins);
        EXPECT_EQ(BlockOf(0, rounds, 5), 0U);
    }
}

/// A context whose gradients are zero and whose noise is what a test wants.
class NoiseContext : public StepContext
{
  public:
    using Noise = std::function<void(Round round, std::size_t count, float* values)>;

    explicit NoiseContext(std::size_t size, Noise noise)
        : m_noise(std::move(noise)),
          m_sum(size),
          m_noisy(size)
    {
    }

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

    float* AddNoise(const BoundedSum&, NodeJob& job, std::uint32_t, double) override
    {
        std::fill(m_noisy.begin(), m_noisy.end(), 0.0F);
        m_noise(job.round, m_noisy.size(), m_noisy.data());
        return m_noisy.data();
    }

  private:
    Noise m_noise;
    std::vector<double> m_sum;
    std::vector<float> m_noisy;
};

/// Runs a block of @p tau rounds of a step. @return what the memory is at its end
std::vector<double>
EndOfBlock(Round tau, double theta, std::size_t size, const NoiseContext::Noise& noise)
{
    ParameterPool pool(size);
    NoiseContext context(size, noise);
    const FusedStep step(tau, theta);
    NodeJob job;
    job.update.rounds = 3 * tau;
    job.state = pool.Acquire();
    job.memory.push_back(pool.Acquire());
    for (Round t = 0; t <= 2 * tau; ++t) // blocks are {0}, {1..tau}, {tau+1..2 tau}
    {
        job.round = t;
        step.Run(context, job);
    }
    const float* fused = job.memory.front()->Data();
    return {fused, fused + size};
}

double
SquareSum(const std::vector<double>& values)
{
    double sum = 0.0;
    for (const double value : values)
    {
        sum += value * value;
    }
    return sum;
}

/// h(tau) = (1 - theta) / (1 + theta) + 2 / (1 + theta) theta^(2 tau - 1), Lemma 3.
double
VarianceFactor(Round tau, double theta)
{
    return (1.0 - theta + 2.0 * std::pow(theta, 2.0 * tau - 1.0)) / (1.0 + theta);
}

// Round t adds 1 to coordinate t alone: the memory then holds the weights of the rounds.
TEST(FusedStep, TheLastStepOfABlockHasTheVarianceOfLemma3)
{
    for (const double theta : {0.0, 0.3, 0.5, 0.7, 0.9})
    {
        for (const Round tau : {1U, 2U, 5U, 12U})
        {
            const auto impulse = [](Round round, std::size_t, float* values) {
                values[round] += 1.0F;
            };
            const auto weights = EndOfBlock(tau, theta, 3 * tau, impulse);
            EXPECT_NEAR(SquareSum(weights), VarianceFactor(tau, theta), 1e-6) << tau;
            for (Round t = 0; t <= tau; ++t)
            {
                EXPECT_EQ(weights[t], 0.0) << "a block forgets those before it";
            }
        }
    }
    EXPECT_EQ(VarianceFactor(1, 0.4), 1.0);
}

// The mean square of n Gaussians has standard deviation h sqrt(2 / n): five of them are 1.6 %.
TEST(FusedStep, NoiseShrinksByThatFactor)
{
    constexpr std::size_t COUNT = 200000;
    const auto gaussian = [](Round round, std::size_t count, float* values) {
        RandomStream({3, 1}, RandomPurpose::TEST, 0, round).AddNormal(values, count, 1.0F);
    };
    const auto memory = EndOfBlock(5, 0.5, COUNT, gaussian);
    const double variance = SquareSum(memory) / COUNT;
    const double expected = VarianceFactor(5, 0.5);
    EXPECT_NEAR(variance, expected, 5.0 * expected * std::sqrt(2.0 / COUNT));
}

// Remark 1 of the paper by its own formula; the paper's text has 12, 6, 4.
TEST(FusedStep, SmallestBlocksWithinAHundredthOfTheLimit)
{
    for (const auto& [theta, smallest] : {std::pair{0.3, 3U}, {0.5, 5U}, {0.7, 8U}})
    {
        Round tau = 1;
        while (VarianceFactor(tau, theta) - (1.0 - theta) / (1.0 + theta) >= 0.01)
        {
            ++tau;
        }
        EXPECT_EQ(tau, smallest);
    }
}

TEST(FusedStep, LostMemoryIsNotFused)
{
    ParameterPool pool(4);
    NoiseContext context(4, [](Round, std::size_t count, float* values) {
        std::for_each(values, values + count, [](float& value) { value += 1.0F; });
    });
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

TEST(AdpVrsgp, PaperModeSolvesTheorem1OverTheNoiseReallyUsed)
{
    LearningPlanSettings settings;
    settings.algorithm = MakeAlgorithm("adp-vrsgp", "c2=1.5");
    settings.mode = Mode::PAPER;
    settings.rounds = PAPER_ROUNDS;
    settings.localSamples = 7500;
    settings.batchSize = 64.0;
    settings.samplingRate = 64.0 / 7500.0;
    settings.epsilon = 4.0;
    settings.delta = 1e-5;
    const LearningPlan plan(settings);
    // The sum of alpha(T - t)^-2 over all rounds.
    const double base = 1.5 * 64.0 / 7500.0 * std::sqrt(std::log(1e5) * 173.38574683) / 4.0;
    for (const Round round : {0u, 1u, 500u, 999u})
    {
        const RoundRule& rule = plan.At(0, round);
        const double expected = base * AlphaBack(settings.algorithm, round);
        EXPECT_NEAR(rule.noise / rule.clip, expected, 1e-8 * expected) << round;
    }
    EXPECT_NEAR(plan.ClaimedEpsilon(0, PAPER_ROUNDS), 4.0, 1e-9);
    EXPECT_EQ(plan.ClaimedRate(0), 64.0 / 7500.0);
}

// Nodes of different sizes and budgets: each has the noise that is published for such a run.
TEST(AdpVrsgp, PersonalBudgetsAreClaimedAsPublished)
{
    LearningPlanSettings settings;
    settings.algorithm = MakeAlgorithm("adp-vrsgp");
    settings.mode = Mode::PAPER;
    settings.rounds = PAPER_ROUNDS;
    settings.delta = 1e-5;
    for (const auto& [samples, epsilon] : {std::pair<std::size_t, double>{7500, 2.0}, {900, 6.0}})
    {
        settings.nodes.push_back({samples, 64.0, 64.0 / static_cast<double>(samples), epsilon});
    }
    const LearningPlan plan(settings);
    for (NodeId node = 0; node < settings.nodes.size(); ++node)
    {
        ClaimSettings planned;
        planned.mode = Mode::PAPER;
        planned.rounds = PAPER_ROUNDS;
        planned.localSamples = settings.nodes[node].localSamples;
        planned.epsilon = settings.nodes[node].epsilon;
        planned.question.delta = 1e-5;
        const ClaimedRun run =
            PublishedClaims().Get("adp-vrsgp")->Run(planned, *Accountants().Get("rdp"));
        // What is published sums alpha(0)..alpha(T-1), what is used has alpha(T)..alpha(1).
        const double shift = std::sqrt(173.38574683 / 173.66606296);
        for (const Round round : {0U, 999U})
        {
            const RoundRule& rule = plan.At(node, round);
            const double published = round == 0 ? run.steps.front().noise : run.steps.back().noise;
            EXPECT_NEAR(rule.noise / rule.clip / published, shift, 1e-9) << node;
        }
        EXPECT_NEAR(plan.ClaimedEpsilon(node, PAPER_ROUNDS) / *run.claimed, 1.0, 1e-9) << node;
    }
}

} // namespace
} // namespace dpdl
