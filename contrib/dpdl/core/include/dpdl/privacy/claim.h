// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CLAIM_H
#define DPDL_PRIVACY_CLAIM_H

#include "dpdl/privacy/calibration.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// Choice of the noise of a paper's algorithm.
enum class Mode
{
    SOUND, ///< noise calibrated with a rigorous accountant for the actual sampling
    PAPER, ///< the paper's literal choice of noise, by its own formula
};

/// Name of the mode: `sound` or `paper`.
std::string ToString(Mode mode);

/// Formula by which papers compute epsilon from mu_k and p_k of the releases of one node.
enum class ClaimFormula
{
    NONE,     ///< the paper gives no formula; the claimed epsilon is infinite
    CLT,      ///< central limit theorem: GdpEpsilon() of CltMu() (Dyn-D2P, Prop. 3)
    MOMENTS,  ///< c2 sqrt(log(1/delta) sum_k (p_k mu_k)^2) (Abadi et al., 2016, Theorem 1)
    PURE_SUM, ///< sum_k mu_k of basic composition, for Laplace noise
};

/// An assumption without which a claimed epsilon need not hold.
struct ClaimAssumption
{
    std::string name;    ///< kebab-case name in output; never changes its meaning
    std::string meaning; ///< statement that is assumed, one line without a full stop
};

/**
 * @brief The formula by which an algorithm's paper computes its privacy.
 *
 * A claim is reported next to the certified guarantee and never replaces it. If a paper calibrates
 * its noise by the same formula, the formula is also solved for the noise. The formulas, their text
 * and their assumptions are the table of claim.cc.
 */
struct Claim
{
    ClaimFormula formula{ClaimFormula::CLT}; ///< formula that the paper uses
    /// True: in mode paper the formula uses p = 1/J, one of J examples per round, for any batch
    /// size.
    bool oneExample{true};
    double c2{2.0};       ///< MOMENTS: constant factor that the theorem leaves open, > 0
    std::string reason{}; ///< NONE: reason for the missing formula, one line without a full stop

    /**
     * @brief Contribution of a release to the sum in the formula.
     * @param mu noise's reference, such as the clip bound, divided by the noise; at least 0
     * @param rate sampling probability p of the formula, in [0, 1]
     */
    double Spent(double mu, double rate) const;

    /**
     * @brief The claimed epsilon.
     * @param spent sum of Spent() over the releases; 0 for none
     * @param delta delta of the guarantee, in (0, 1)
     */
    double Epsilon(double spent, double delta) const;

    /**
     * @brief The factor on the mu of all steps at which the formula claims a budget.
     * @param steps relative mu and sampling probability of each step
     * @param epsilon budget that the formula shall claim, > 0
     * @param delta delta of the guarantee, in (0, 1)
     * @return no value without a formula; an accountant then finds the noise
     * @throws UsageError if the target is out of range
     */
    std::optional<double> Scale(const ScheduleShape& steps, double epsilon, double delta) const;

    /// Error measure of the claim's limit theorem (CltKappa); 0 if the claim does not use one.
    double Kappa(const ScheduleShape& steps) const;

    /// Text of the formula, one line; "" for NONE.
    std::string Text() const;

    /// Assumptions under which the paper derived the formula; none for NONE.
    const std::vector<ClaimAssumption>& Assumptions() const;
};

/// Settings of a planned run of an algorithm.
struct ClaimSettings
{
    std::string algorithm;   ///< name of the algorithm, one of Algorithms()
    Mode mode{Mode::SOUND};  ///< choice of the noise: by an accountant or by the paper's formula
    double epsilon{1.0};     ///< target of the algorithm, > 0
    std::uint64_t rounds{1}; ///< number of rounds K, 1 to MOST_ROUNDS
    std::uint64_t localSamples{1};            ///< number of examples J of a node, at least 1
    std::string sampler{"poisson"};           ///< sampler of the batches, by its name in Release
    AccountingQuery question;                 ///< delta and neighbouring relation of both epsilons
    std::string accountant{"pld"};            ///< accountant that calibrates in mode sound
    std::map<std::string, double> parameters; ///< given values, by the names of ClaimParameters()

    /// The most rounds of a planned run.
    static constexpr std::uint64_t MOST_ROUNDS = 1000000;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_CLAIM_H
