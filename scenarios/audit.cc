// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Empirical privacy audit of the simulator by a canary game: many runs of a small network. In half
 * of the runs one training image of node 0 is the canary, in the other half this image is black.
 * The attacker observes every link of node 0, and therefore knows the node's model before and after
 * each local step. With `attack=gradient`, the attacker computes the noisy gradient sums from these
 * models. With `attack=loss` or `likelihood-ratio`, the attacker only evaluates the models'
 * training loss on the canary.
 */

#include "audit-dataset.h"
#include "dpdl/audit/audit-answer.h"
#include "dpdl/data/dataset.h"
#include "dpdl/training/gradient-engine.h"

#include "ns3/dpdl-scenario.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace
{

using dpdl::RunOptions;
using dpdlaudit::LOCAL_EXAMPLES;
using dpdlaudit::TemporaryFolder;

/// Statistic by which the attacker guesses if a run has the canary.
enum class Attack
{
    GRADIENT, ///< likelihood ratio of the noisy gradient sums, derived from two successive models
    LOSS,     ///< training loss of the last observed model on the canary (Yeom et al., CSF 2018)
    /// Likelihood ratio of the training losses of the observed models, estimated by shadow runs:
    /// LiRA (Carlini et al., S&P 2022).
    LIKELIHOOD_RATIO
};

/// Options of scenario audit, in addition to those of its runs.
struct Request
{
    Attack attack{Attack::GRADIENT}; ///< attack that computes the score of a run
    /// LIKELIHOOD_RATIO: number of shadow runs with the canary, and of shadow runs without it.
    std::uint64_t shadows{100};
    std::uint64_t runs{200}; ///< number of runs with the canary, and of runs without it
    double confidence{0.95}; ///< confidence level of the lower bounds on epsilon
    /// Claimed epsilon to test, at the delta of the runs; empty: the target epsilon of the runs.
    std::optional<double> claim;
    bool json{false}; ///< true: print the result as JSON
};

/// Values of the training loss on the canary, for the models that node 0 sends; by round.
using Losses = std::vector<double>;

/// Statistics of the shadow runs of LiRA. They model the training loss on the canary by two normal
/// distributions per round: one for runs with the canary, one for runs without it.
class ShadowRuns
{
  public:
    /// Adds a shadow run.
    /// @param with true: the run has the canary
    /// @param losses training losses on the canary, by round
    void Add(bool with, const Losses& losses)
    {
        Kind& kind = with ? m_with : m_without;
        kind.sums.resize(losses.size(), 0.0);
        kind.squares.resize(losses.size(), 0.0);
        for (std::size_t round = 0; round < losses.size(); ++round)
        {
            kind.sums[round] += losses[round];
            kind.squares[round] += losses[round] * losses[round];
        }
        kind.runs += 1.0;
    }

    /// Log-likelihood ratio of the training losses: a run with the canary against a run without it;
    /// positive if the canary is more likely. Treats the rounds as independent, which is an
    /// approximation.
    double Score(const Losses& losses) const
    {
        double score = 0.0;
        for (std::size_t round = 0; round < losses.size(); ++round)
        {
            score += m_with.LogDensity(round, losses[round]);
            score -= m_without.LogDensity(round, losses[round]);
        }
        return score;
    }

  private:
    struct Kind
    {
        double LogDensity(std::size_t round, double loss) const
        {
            const double mean = sums[round] / runs;
            const double variance = std::max(squares[round] / runs - mean * mean, 1e-12);
            return -0.5 * ((loss - mean) * (loss - mean) / variance + std::log(variance));
        }

        Losses sums;
        Losses squares;
        double runs{0.0};
    };

    Kind m_with;
    Kind m_without;
};

/// Attacker that observes the messages of node 0 and computes the score of a run.
class Eavesdropper
{
  public:
    Eavesdropper(const RunOptions& settings, Attack attack)
        : m_attack(attack),
          m_dataset(dpdl::DataOf(settings, 0, 0)),
          m_model(dpdl::MakeModel(settings.model, m_dataset->shape, m_dataset->classes)),
          m_engine(dpdl::MakeGradientEngine("auto", m_model)),
          m_gradient(m_model.ParameterCount())
    {
    }

    /// Resets the score and starts to observe a run; call this before the simulation starts.
    void Attach(dpdl::Experiment& run)
    {
        m_score = 0.0;
        m_losses.clear();
        run.Recorder().SetStepCallback([this, &run](const dpdl::NodeJob& job) {
            if (job.node != 0 || !job.update.enabled)
            {
                return;
            }
            if (m_attack == Attack::GRADIENT)
            {
                Hear(job, run.Plan().Of(0).Terms().samplingRate);
            }
            else
            {
                m_losses.push_back(GradientAt(job.state->Data(), job.update.clip).lossSum);
            }
        });
    }

    /// Log-likelihood ratio of the observed noisy gradient sums: a run with the canary against a
    /// run without it. Valid after the run.
    double Score() const
    {
        return m_score;
    }

    /// Training losses on the canary of the models observed in the run, by round.
    const Losses& CanaryLosses() const
    {
        return m_losses;
    }

  private:
    /// Computes the training loss of a model on the canary, and its clipped gradient, which is
    /// written to m_gradient. @param clip clip norm
    dpdl::BatchResult GradientAt(const float* model, double clip)
    {
        const std::uint32_t canary = 0;
        return m_engine->ClippedGradientSum(model,
                                            {&m_dataset->train, &canary, 1},
                                            clip,
                                            m_gradient.data());
    }

    /// Adds a step to the score: projects the noisy gradient sum, derived from the models before
    /// and after the step, on the canary's gradient. @param rate sampling rate of the batches
    void Hear(const dpdl::NodeJob& job, double rate)
    {
        const float* before = job.copy->Data();
        const float* after = job.state->Data();
        GradientAt(before, job.update.clip);
        double square = 0.0;
        double along = 0.0;
        for (std::size_t i = 0; i < m_gradient.size(); ++i)
        {
            const auto gradient = static_cast<double>(m_gradient[i]);
            square += gradient * gradient;
            along += gradient * (static_cast<double>(before[i]) - static_cast<double>(after[i]));
        }
        const double norm = std::sqrt(square);
        // If the step adds no noise, assume a noise standard deviation of 0.1 times the norm of the
        // canary's clipped gradient.
        const double noise = job.update.noise > 0.0 ? job.update.noise : 0.1 * norm;
        if (norm > 0.0)
        {
            const double sum = along / norm * job.update.divisor / job.update.stepSize;
            const double shift = norm / noise;
            const double exponent = shift * sum / noise - 0.5 * shift * shift;
            m_score += std::log1p(rate * std::expm1(std::min(exponent, 300.0)));
        }
    }

    Attack m_attack; ///< attack whose score is computed
    std::shared_ptr<const dpdl::Dataset> m_dataset;
    dpdl::ModelSpec m_model;
    std::unique_ptr<dpdl::GradientEngine> m_engine;
    std::vector<double> m_gradient;
    double m_score{0.0};
    Losses m_losses;
};

/// The mechanism of node 0 over the whole run, with its claimed and certified epsilon at the run's
/// delta, under the replace-one neighbouring relation.
dpdl::AuditedMechanism
Describe(const dpdl::Experiment& run, const Request& request)
{
    dpdl::AuditedMechanism mechanism;
    mechanism.name = "node 0 of " + std::to_string(run.Settings().nodes) + " in the simulator, " +
                     run.Settings().algorithm + ", " + std::to_string(run.Plan().Rounds()) +
                     " rounds";
    mechanism.adjacency = dpdl::Adjacency::REPLACE;
    mechanism.delta = run.Settings().delta;
    mechanism.claimed = request.claim.value_or(run.Plan().Of(0).Terms().epsilon);
    mechanism.releases = run.Plan().Releases(0);
    const dpdl::Guarantee guarantee = dpdl::Accountants().Get("pld")->Evaluate(
        mechanism.releases,
        {mechanism.delta, mechanism.adjacency, dpdl::Direction::BOTH});
    mechanism.certified = guarantee.epsilon;
    mechanism.reason = guarantee.reason;
    return mechanism;
}

/// Canary game: simulates the network in alternate runs with and without the canary.
class Game
{
  public:
    Game(ns3::DpdlScenario& scenario, const Request& request)
        : m_scenario(scenario),
          m_request(request),
          m_settings(scenario.Settings()),
          m_eavesdropper(Prepare(), request.attack)
    {
    }

    /// Simulates all runs, and estimates the attack's success from their scores. With
    /// LIKELIHOOD_RATIO, shadow runs come first.
    dpdl::AuditAnswer Play()
    {
        const bool learns = m_request.attack == Attack::LIKELIHOOD_RATIO;
        for (std::uint64_t run = 0; learns && run < 2 * m_request.shadows; ++run)
        {
            m_shadows.Add(Run(), m_eavesdropper.CanaryLosses());
        }
        dpdl::ScoreSample scores;
        for (std::uint64_t run = 0; run < 2 * m_request.runs; ++run)
        {
            const bool with = Run();
            (with ? scores.with : scores.without).push_back(Score());
        }
        return dpdl::AnswerScores(m_mechanism, scores, m_request.confidence);
    }

  private:
    const RunOptions& Prepare()
    {
        const auto examples = static_cast<std::uint32_t>(m_settings.nodes * LOCAL_EXAMPLES);
        dpdlaudit::WriteDataset(m_folder.Path("with"), examples, true);
        dpdlaudit::WriteDataset(m_folder.Path("without"), examples, false);
        m_settings.trace = m_folder.Path("run.db");
        m_settings.overwrite = true;
        m_settings.dataDir = m_folder.Path("with");
        return m_settings;
    }

    /// Simulates the next run. @return true if it has the canary
    bool Run()
    {
        const bool with = m_done++ % 2 == 0;
        m_settings.dataDir = m_folder.Path(with ? "with" : "without");
        m_scenario.Run(m_settings, "audit", [this](dpdl::Experiment& experiment) {
            if (m_done == 1)
            {
                m_mechanism = Describe(experiment, m_request);
            }
            m_eavesdropper.Attach(experiment);
        });
        ++m_settings.seed.run;
        return with;
    }

    double Score() const
    {
        switch (m_request.attack)
        {
        case Attack::LOSS:
            return -m_eavesdropper.CanaryLosses().back();
        case Attack::LIKELIHOOD_RATIO:
            return m_shadows.Score(m_eavesdropper.CanaryLosses());
        case Attack::GRADIENT:
            break;
        }
        return m_eavesdropper.Score();
    }

    ns3::DpdlScenario& m_scenario;
    const Request& m_request;
    const TemporaryFolder m_folder;
    RunOptions m_settings;
    Eavesdropper m_eavesdropper;
    ShadowRuns m_shadows;
    dpdl::AuditedMechanism m_mechanism;
    std::uint64_t m_done{0};
};

const dpdl::Choices<Attack> ATTACKS{{"gradient", Attack::GRADIENT},
                                    {"loss", Attack::LOSS},
                                    {"likelihood-ratio", Attack::LIKELIHOOD_RATIO}};

/// Performs the audit and prints its result. @return exit status of the program
int
RunGame(ns3::DpdlScenario& scenario, const Request& request)
{
    dpdl::AuditAnswer answer = Game(scenario, request).Play();
    const char* const games[] = {"canary, in the simulator",
                                 "membership by loss, in the simulator",
                                 "membership by likelihood ratio, in the simulator"};
    answer.game = games[static_cast<std::size_t>(request.attack)];
    std::cout << (request.json ? dpdl::AuditAsJson(answer) : dpdl::AuditAsTable(answer));
    return dpdl::ExitStatus(answer.Judge().Finding());
}

void
AddOptions(ns3::DpdlScenario& scenario, Request& request)
{
    scenario.AddOption("attack",
                       dpdl::OneOf<Attack>(ATTACKS, true),
                       request.attack,
                       "what the attacker looks at");
    scenario
        .AddOption("shadows",
                   dpdl::WholeNumber(4, 1000000),
                   request.shadows,
                   "of likelihood-ratio: runs of either kind from which the attacker learns")
        .Accepts("a whole number from 4");
    scenario
        .AddOption("runs",
                   dpdl::WholeNumber(4, 1000000),
                   request.runs,
                   "runs with the canary, and as many without")
        .Accepts("a whole number from 4");
    scenario.AddOption("confidence",
                       dpdl::InsideUnit(),
                       request.confidence,
                       "probability with which the lower bounds hold");
    scenario.AddOption("claim",
                       dpdl::PositiveNumber(),
                       request.claim,
                       "epsilon to hold the runs against, if it is not their own");
    scenario.AddOption("json", dpdl::Switch(true), request.json, "print JSON").Accepts("nothing");
}

} // namespace

int
main(int argc, char* argv[])
{
    ns3::DpdlScenario scenario("audit",
                               "a membership attack on the simulator itself",
                               {{"model", "softmax-regression"},
                                {"nodes", "4"},
                                {"rounds", "5"},
                                {"batchSize", "10"},
                                {"epsilon", "10"},
                                {"partition", "contiguous"},
                                {"evaluateEvery", "0"},
                                {"snapshotEvery", "1"},
                                {"traceLevel", "summary"},
                                {"progress", "none"},
                                {"workers", "1"}});
    Request request;
    AddOptions(scenario, request);
    int status = 0;
    const int failure = scenario.Main(argc, argv, [&request, &status](ns3::DpdlScenario& s) {
        status = RunGame(s, request);
    });
    return failure != 0 ? failure : status;
}
