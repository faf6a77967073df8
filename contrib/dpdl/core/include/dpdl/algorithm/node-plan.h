// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_NODE_PLAN_H
#define DPDL_ALGORITHM_NODE_PLAN_H

#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/base/noise-source.h"
#include "dpdl/base/random.h"
#include "dpdl/base/release.h"
#include "dpdl/base/types.h"
#include "dpdl/data/sampler.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/privacy-step.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// Inputs of a plan that may differ between nodes.
struct NodeTerms
{
    std::size_t localSamples{0}; ///< number J of the node's examples
    double batchSize{0.0};       ///< expected batch size B, in 1..J
    /// Probability that an example is in a batch: B / J, or 1 for full batches.
    double samplingRate{1.0};
    double epsilon{1.0}; ///< privacy budget: target epsilon at the plan's delta, > 0
};

/// All inputs of a plan. The inherited members apply to every node if `nodes` is empty.
struct LearningPlanSettings : NodeTerms
{
    AlgorithmPreset algorithm; ///< preset of the algorithm, with the user's overrides
    /// SOUND: an accountant calibrates the noise; PAPER: the paper's formula does.
    Mode mode{Mode::SOUND};
    Round rounds{0};           ///< number of rounds K, >= 1
    double delta{1e-4};        ///< delta of the guarantee, in (0, 1)
    bool noise{true};          ///< false: gradients are clipped, but no noise is added
    std::size_t parameters{1}; ///< number d of parameters of the model
    std::size_t shared{0};     ///< number of leading parameters that are shared; 0: all
    /// Inputs by node; empty: the inherited members apply to every node.
    std::vector<NodeTerms> nodes{};
    /// Draws the batches, and describes the sampling to the accountants.
    std::shared_ptr<const Sampler> sampler{MakeSampler("poisson", 1, {})};
    /// Draws the noise, and converts a ratio mu of sensitivity to noise standard deviation into a
    /// NoiseScale.
    std::shared_ptr<const NoiseSource> noiseSource{MakeNoiseSource("philox", {})};
    /// Name of the accountant that calibrates the noise and certifies epsilon, from option
    /// `accountant`.
    std::string accountant{"pld"};
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< neighbouring relation of datasets
    /// True: nodes also train unshared layers without noise. These layers depend on earlier
    /// batches, so sampling does not amplify privacy.
    bool ownPart{false};
    bool floatSums{false}; ///< true: gradients are summed in float32, as on a GPU
    /// Flags of every release, in addition to those of the algorithm.
    ReleaseFlag flags{ReleaseFlag::NONE};
    RandomSeed seed{}; ///< seed of the run; also draws clients (AlgorithmPreset::clients)
    /// Progress callback, called before the noise of each kind of node is calibrated; empty: none.
    /// @param done number of kinds that are already calibrated
    /// @param of number of kinds
    std::function<void(std::size_t done, std::size_t of)> watch{};
};

/// Clip norm, noise standard deviation and step size of a node in one round.
struct RoundRule
{
    double clip{0.0}; ///< per-example L2 clip norm C_k; infinity: the algorithm does not clip
    /// Noise standard deviation at noise multiplier 1: the clip norm C_k or, without clipping, a
    /// bound G on the gradient norm that the user states.
    double unit{0.0};
    /// Ratio of `unit` to the calibrated noise standard deviation; 0: the algorithm is not private.
    /// If noise is switched off, the calibrated ratio stays.
    double mu{0.0};
    /// Noise on the sum of clipped gradients: standard deviation, or scale of Laplace noise; 0: no
    /// noise. With a SensitivityRule: scale at sensitivity 1.
    double noise{0.0};
    double stepSize{0.0}; ///< step size gamma: factor on the gradient sum divided by the batch size
    /// Spacing of the grid to which the gradient sum is rounded before the noise is added; 0: not
    /// rounded.
    double grid{0.0};
    /// Sensitivity of the gradient sum to one example: the clip norm, or slightly more if the sum
    /// is rounded.
    double sensitivity{0.0};
    bool learns{true}; ///< false: the node takes no step, and the other numbers are not used

    /// True if all numbers are equal.
    bool operator==(const RoundRule& other) const
    {
        const auto all = [](const RoundRule& r) {
            return std::tie(r.clip,
                            r.unit,
                            r.mu,
                            r.noise,
                            r.stepSize,
                            r.grid,
                            r.sensitivity,
                            r.learns);
        };
        return all(*this) == all(other);
    }
};

/**
 * @brief The schedules of clip norm, noise standard deviation and step size of nodes with equal
 *        NodeTerms.
 *
 * The schedules depend on public numbers only, never on data, as the accountants require. The
 * schedules follow Dyn-D2P, Algorithm 1 and equations 4, 8 and 9.
 */
class NodePlan
{
  public:
    /**
     * @brief Builds the schedules, and calibrates the noise to the privacy budget
     *        NodeTerms::epsilon.
     *
     * In sound mode the accountant confirms the budget for the sampling and the neighbouring
     * relation in force. Calibration ignores flags that rule out a guarantee, so the noise is the
     * same without these flags. With them, no finite epsilon is certified.
     * @param settings settings of the run; the inherited NodeTerms and `nodes` are not used
     * @param terms number of examples, batch size, sampling rate and budget of the nodes
     * @param guarantees the accountant that certifies, with its cached answers
     * @param node a node of this plan; it determines the rounds in which the nodes of this plan
     *        step. Public randomness draws these rounds if clients are drawn. A server that does
     *        not learn has no such round
     * @throws UsageError if the budget is out of range, the accountant does not support these steps
     *         in sound mode, or float32 rounding of a gradient plus its noise would hide the noise
     */
    NodePlan(std::shared_ptr<const LearningPlanSettings> settings,
             const NodeTerms& terms,
             std::shared_ptr<AccountantCache> guarantees,
             NodeId node);

    /// Number of examples, batch size, sampling rate and budget of these nodes.
    const NodeTerms& Terms() const
    {
        return m_terms;
    }

    /// Clip norm, noise standard deviation and step size of round @p round, 0-based.
    const RoundRule& At(Round round) const;

    /// Number of rounds before @p round in which the node steps. Samplers use this number as the
    /// index of the round's batch.
    Round StepsBefore(Round round) const;

    /// Raises the noise standard deviation above the level that the budget requires.
    /// @param noise new RoundRule::noise of each round, [rounds]; values below the planned
    /// RoundRule::noise have no effect
    void RaiseNoise(const std::vector<double>& noise);

    /// Target epsilon to which the noise was calibrated; empty if the algorithm is not private or
    /// has fixed noise.
    std::optional<double> Budget() const;

    /// Sampling rate p in the paper's formula for the claimed epsilon, with J examples and batch
    /// size B. 1/J if the paper counts one example per round, otherwise B/J.
    double ClaimedRate() const;

    /// Epsilon that the paper's formula claims after the first @p rounds rounds, at the plan's
    /// delta; infinity if the algorithm is not private.
    double ClaimedEpsilon(Round rounds) const;

    /// Error measure kappa of the central limit theorem in the claimed formula (CltKappa()). A
    /// small kappa means an accurate claim. 0: the formula does not use the theorem.
    double ClaimKappa() const;

    /// Planned ledger entries of @p node for @p round, one for each iteration of the local step;
    /// none if the round has no step.
    std::vector<Release> ReleasesOf(NodeId node, Round round) const;

    /**
     * @brief Makes the ledger entries of a round from the records of the noise that its step drew.
     *
     * Each record becomes an entry with the numbers of the record. All entries get the flag
     * PLAN_MISMATCH if the records contradict ReleasesOf(). Contradictions are a different number
     * of records, a different noise stream, mechanism or sampling, a smaller noise standard
     * deviation, or a larger sensitivity. So are noise on fewer parameters than are shared, and an
     * unplanned flag BATCH_CLIP or DATA_DEPENDENT_SCALE. The relative tolerance for numbers is
     * 2^-20.
     * @param node the releasing node
     * @param round index of the round, from 0
     * @param records records of the noise that the step added, in the order of the draws
     * @param[out] mismatch the first difference, such as `the step added noise 0.5, the plan says
     *             1`; empty if there is none
     * @return at least one entry
     */
    std::vector<Release> Match(NodeId node,
                               Round round,
                               const std::vector<Release>& records,
                               std::string& mismatch) const;

    /// Planned ledger entries of @p node for all rounds.
    std::vector<Release> Releases(NodeId node) const;

  private:
    void Calibrate(const std::vector<double>& strength);
    ScheduleShape Steps(const std::vector<double>& strength) const;
    double CalibratedScale(const std::vector<double>& strength) const;
    void SpendAtMost(double epsilon, const std::vector<double>& strength);
    void SetStrength(const std::vector<double>& strength, double scale);
    void SetUnitNoise();

    std::uint32_t Iterations() const
    {
        return m_settings->algorithm.step->Iterations();
    }

    std::uint32_t IterationsOf(Round round) const
    {
        return At(round).learns ? Iterations() : 0;
    }

    std::size_t RuleOf(Round round) const;
    Release PlannedRelease(NodeId node, Round round, std::uint32_t iteration) const;
    std::string Difference(const Release& record, const Release& planned) const;
    Release MakeRelease(double sensitivity,
                        double noise,
                        Round round,
                        std::uint32_t iteration) const;
    bool Exceeds(double epsilon) const;
    void Fold(std::vector<RoundRule> rules);

    std::shared_ptr<const LearningPlanSettings> m_settings; ///< settings of the run
    NodeTerms m_terms;                                      ///< inputs of the nodes of this plan
    std::shared_ptr<AccountantCache> m_guarantees; ///< the accountant, with its cached answers
    std::vector<RoundRule> m_rules; ///< rules of rounds; equal consecutive rounds share one rule
    std::vector<Round> m_first;     ///< first round of each rule; empty: one rule per round
    std::vector<Round> m_steps; ///< number of the node's steps before the first round of each rule
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_NODE_PLAN_H
