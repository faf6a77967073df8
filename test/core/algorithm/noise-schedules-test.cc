// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Random failure schedules: certificates of correlated noise against what was drawn and sent.

#include "dpdl-drawn-noise.h"
#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/base/correlated-noise.h"
#include "dpdl/base/errors.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/topology/topologies.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

using dpdltest::DrawnRound;
using dpdltest::Matrix;

constexpr std::uint32_t NOISE_RUNS = 200;
constexpr std::uint32_t SCHEDULES = 50; // of each run
constexpr double SCHEDULE_DELTA = 1e-4;
constexpr double SCHEDULE_ROUNDING = 1e-6; // of the recomputation, relative

/// A random run of an algorithm with correlated noise, without its learning.
class NoiseRun
{
  public:
    explicit NoiseRun(std::uint32_t number)
        : m_words(RandomStream({number, 1}, RandomPurpose::TEST, 0, 0)),
          m_seed{number, 2},
          m_nodes(3 + m_words.Integer(6)),
          m_rounds(1 + m_words.Integer(7))
    {
        Choose();
        MakePlan();
        DrawWeights();
    }

    /// Tries a failure schedule. @return the largest real mu, as a part of the certified one
    double Try();

    /// Releases that were exposed less than planned, and as much as what was sent counts.
    std::uint32_t Sharper() const
    {
        return m_sharper;
    }

    /// Certificates that do not hold where one node more colludes than was allowed for.
    std::uint32_t Refuted() const
    {
        return m_refuted;
    }

  private:
    /// Whether a node released in a round, by node and round.
    using Schedule = std::vector<std::vector<bool>>;

    /// Nodes whose secrets are known, and secrets that are known apart from them.
    struct Leaks
    {
        std::vector<NodeId> colluders;
        std::vector<std::uint32_t> streams;
    };

    template <typename T>
    T Pick(std::initializer_list<T> choices)
    {
        return *(choices.begin() + m_words.Integer(static_cast<std::uint32_t>(choices.size())));
    }

    bool SharesNoise() const
    {
        return m_algorithm == "decor" || m_algorithm == "corn";
    }

    void Choose();
    void MakePlan();
    void DrawWeights();
    Schedule DrawReleases();
    Leaks DrawLeaks(std::size_t count);
    std::vector<Release> ReleasesOf(NodeId node, const Schedule& made) const;
    std::vector<double> OverNodes(const Schedule& made, const Leaks& leaks) const;
    void CheckSent(const Schedule& made, const Leaks& leaks);
    double OverRounds(NodeId node, const Schedule& made) const;

    WordSequence m_words;
    RandomSeed m_seed;
    std::size_t m_nodes;
    Round m_rounds;
    std::string m_algorithm;
    std::string m_hyper;
    std::string m_topology;
    std::uint32_t m_parts{1};
    std::size_t m_colluders{0};
    std::shared_ptr<const NoiseSource> m_source;
    std::shared_ptr<const LearningPlan> m_plan;
    std::vector<DrawnRound> m_drawn; ///< by round, if nodes share noise
    std::vector<Matrix> m_weights;   ///< by node, if they do not
    std::uint32_t m_refuted{0};
    std::uint32_t m_sharper{0};
};

void
NoiseRun::Choose()
{
    m_algorithm =
        Pick<std::string>({"decor", "decor", "decor", "corn", "lambda-cgd", "bandmf", "mafalda"});
    m_topology = Pick<std::string>(
        {"ring", "exponential", "complete", "undirected-ring", "star", "lollipop"});
    if (m_algorithm == "decor")
    {
        m_colluders = m_words.Integer(std::min<std::uint32_t>(3, m_nodes - 1));
        m_hyper = "colluders=" + std::to_string(m_colluders) +
                  ",kappa=" + Pick<std::string>({"0.05", "0.5", "1", "4"}) +
                  ",secrets=" + Pick<std::string>({"0", "1", "1"});
    }
    else if (m_algorithm == "lambda-cgd")
    {
        m_hyper = "lambda=" + Pick<std::string>({"0", "0.3", "0.9", "1"});
    }
    else if (m_algorithm == "bandmf" || m_algorithm == "mafalda")
    {
        m_parts = 1 + m_words.Integer(m_rounds);
        m_hyper = "bands=" + std::to_string(m_parts);
    }
}

void
NoiseRun::MakePlan()
{
    LearningPlanSettings settings;
    std::shared_ptr<const GraphSequence> graph = MakeGraphSequence(m_topology, m_nodes, m_seed);
    NoiseMix mix;
    try
    {
        settings.algorithm = MakeAlgorithm(m_algorithm, m_hyper);
        mix = settings.algorithm.correlate(*graph, m_rounds);
    }
    catch (const UsageError&)
    {
        m_hyper = "secrets=1,colluders=" + std::to_string(m_colluders); // too few neighbours
        settings.algorithm = MakeAlgorithm(m_algorithm, m_hyper);
        mix = settings.algorithm.correlate(*graph, m_rounds);
    }
    m_source = MakeCorrelatedNoise(std::move(mix), m_seed);
    // Every example is in the batch whenever it can be: the certificate has a closed form.
    settings.rounds = m_rounds;
    settings.localSamples = 4 * m_parts;
    settings.batchSize = 4.0;
    settings.epsilon = 3.0;
    settings.delta = SCHEDULE_DELTA;
    settings.sampler =
        m_parts > 1 ? MakeCyclicSampler(m_parts, 4, m_seed) : MakeSampler("full", 4, m_seed);
    settings.noiseSource = m_source;
    settings.accountant = "gdp";
    settings.nodes.assign(m_nodes, settings);
    for (NodeTerms& terms : settings.nodes)
    {
        terms.epsilon = Pick({0.5, 3.0, 3.0});
    }
    m_plan = std::make_shared<const LearningPlan>(settings);
}

void
NoiseRun::DrawWeights()
{
    for (Round round = 0; SharesNoise() && round < m_rounds; ++round)
    {
        std::vector<double> deviations;
        for (NodeId node = 0; node < m_nodes; ++node)
        {
            deviations.push_back(m_plan->At(node, round).noise);
        }
        m_drawn.emplace_back(*m_source, m_seed, round, deviations);
    }
    for (NodeId node = 0; !SharesNoise() && node < m_nodes; ++node)
    {
        std::vector<double> deviations;
        for (Round round = 0; round < m_rounds; ++round)
        {
            deviations.push_back(m_plan->At(node, round).noise);
        }
        m_weights.push_back(dpdltest::DrawnRounds(*m_source, m_seed, node, deviations));
    }
}

/// Who releases when, by node and round: nodes join late, leave, crash, recover, and are slow.
NoiseRun::Schedule
NoiseRun::DrawReleases()
{
    Schedule made(m_nodes, std::vector<bool>(m_rounds, true));
    for (std::vector<bool>& node : made)
    {
        const std::uint32_t fate = m_words.Integer(6);
        const Round begin = m_words.Integer(m_rounds);
        const Round end = begin + 1 + m_words.Integer(m_rounds);
        for (Round round = 0; round < m_rounds; ++round)
        {
            const bool isInside = round >= begin && round < end;
            node[round] = fate == 0   ? round >= begin // joins
                          : fate == 1 ? round < end    // is behind, or has left
                          : fate == 2 ? !isInside      // crashes and recovers
                          : fate == 3 ? m_words.Integer(3) > 0
                                      : true;
        }
    }
    return made;
}

NoiseRun::Leaks
NoiseRun::DrawLeaks(std::size_t count)
{
    Leaks leaks;
    for (std::size_t i = 0; i < count; ++i)
    {
        if (m_words.Integer(3) > 0)
        {
            leaks.colluders.push_back(m_words.Integer(static_cast<std::uint32_t>(m_nodes)));
        }
        else
        {
            const auto pairs = static_cast<std::uint32_t>(m_nodes * (m_nodes - 1) / 2);
            leaks.streams.push_back(m_words.Integer(pairs));
        }
    }
    return leaks;
}

/// By node, the sum over its releases of mu^2, each of its round alone.
std::vector<double>
NoiseRun::OverNodes(const Schedule& made, const Leaks& leaks) const
{
    std::vector<double> squares(m_nodes, 0.0);
    for (Round round = 0; round < m_rounds; ++round)
    {
        std::vector<bool> released;
        for (const std::vector<bool>& rounds : made)
        {
            released.push_back(rounds[round]);
        }
        const std::vector<double> added =
            m_drawn[round].Squares(released, leaks.colluders, leaks.streams);
        for (NodeId node = 0; node < m_nodes; ++node)
        {
            squares[node] += added[node];
        }
    }
    return squares;
}

/// The mu^2 of each release of a round, as what was sent counts it, is not below the real one.
void
NoiseRun::CheckSent(const Schedule& made, const Leaks& leaks)
{
    const Round round = m_words.Integer(m_rounds);
    std::vector<bool> released;
    for (const std::vector<bool>& rounds : made)
    {
        released.push_back(rounds[round]);
    }
    const std::vector<double> bound = m_source->Exposure(released, {});
    const std::vector<double> real =
        m_drawn[round].Squares(released, leaks.colluders, leaks.streams);
    for (NodeId node = 0; node < m_nodes; ++node)
    {
        const double noise = m_plan->At(node, round).noise;
        EXPECT_EQ(bound[node] > 0.0, released[node]);
        EXPECT_LE(bound[node], 1.0);
        EXPECT_LE(real[node] * noise * noise, bound[node] * (1.0 + SCHEDULE_ROUNDING))
            << m_algorithm << " " << m_hyper << " on " << m_topology << ", node " << node << " of "
            << m_nodes << ", round " << round;
        const bool isReached = real[node] * noise * noise > bound[node] * (1.0 - SCHEDULE_ROUNDING);
        m_sharper += isReached && bound[node] < 0.99 ? 1 : 0;
    }
}

/// The largest mu^2 of any example.
double
NoiseRun::OverRounds(NodeId node, const Schedule& made) const
{
    std::vector<std::size_t> seen;
    for (Round round = 0; round < m_rounds; ++round)
    {
        if (made[node][round])
        {
            seen.push_back(round);
        }
    }
    return dpdltest::WorstSquare(m_weights[node], seen, m_parts);
}

std::vector<Release>
NoiseRun::ReleasesOf(NodeId node, const Schedule& made) const
{
    std::vector<Release> releases;
    for (Round round = 0; round < m_rounds; ++round)
    {
        const std::vector<Release> planned = m_plan->ReleasesOf(node, round);
        releases.insert(releases.end(),
                        planned.begin(),
                        made[node][round] ? planned.end() : planned.begin());
    }
    return releases;
}

double
NoiseRun::Try()
{
    const Schedule made = DrawReleases();
    const Leaks allowed = DrawLeaks(m_colluders);
    Leaks beyond = allowed;
    beyond.colluders.push_back(m_words.Integer(static_cast<std::uint32_t>(m_nodes)));
    std::vector<double> squares;
    std::vector<double> more(m_nodes, 0.0);
    if (SharesNoise())
    {
        squares = OverNodes(made, allowed);
        more = OverNodes(made, beyond);
        CheckSent(made, allowed);
    }
    for (NodeId node = 0; !SharesNoise() && node < m_nodes; ++node)
    {
        squares.push_back(OverRounds(node, made));
    }
    double tightest = 0.0;
    for (NodeId node = 0; node < m_nodes; ++node)
    {
        const double epsilon = m_plan->Guarantees()->Of(ReleasesOf(node, made)).epsilon;
        const auto isBroken = [epsilon](double square) {
            const double delta = dpdltest::DeltaOfGaussian(epsilon, std::sqrt(square));
            return delta > SCHEDULE_DELTA * (1.0 + SCHEDULE_ROUNDING);
        };
        EXPECT_FALSE(isBroken(squares[node]))
            << m_algorithm << " " << m_hyper << " on " << m_topology << ", node " << node << " of "
            << m_nodes << ", " << m_rounds << " rounds";
        const bool isWhole =
            std::find(made[node].begin(), made[node].end(), false) == made[node].end();
        EXPECT_TRUE(m_algorithm != "bandmf" || !isWhole ||
                    std::sqrt(squares[node]) > GdpMu(epsilon, SCHEDULE_DELTA) * (1.0 - 1e-6));
        tightest =
            epsilon > 0.0
                ? std::max(tightest, std::sqrt(squares[node]) / GdpMu(epsilon, SCHEDULE_DELTA))
                : tightest;
        m_refuted += isBroken(more[node]) ? 1 : 0;
    }
    return tightest;
}

TEST(NoiseSchedules, NoCertificateIsBelowWhatWasDrawnAndSent)
{
    double tightest = 0.0;
    std::uint32_t refuted = 0;
    std::uint32_t sharper = 0;
    for (std::uint32_t number = 0; number < NOISE_RUNS; ++number)
    {
        NoiseRun run(number);
        for (std::uint32_t i = 0; i < SCHEDULES; ++i)
        {
            tightest = std::max(tightest, run.Try());
            ASSERT_FALSE(HasFailure()) << "run " << number;
        }
        refuted += run.Refuted();
        sharper += run.Sharper();
    }
    // The search is a search: it gets as far as is certified, and further with one colluder more.
    EXPECT_GT(tightest, 1.0 - 1e-6);
    EXPECT_GT(refuted, NOISE_RUNS);
    EXPECT_GT(sharper, NOISE_RUNS);
}

} // namespace
} // namespace dpdl
