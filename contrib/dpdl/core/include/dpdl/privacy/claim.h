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

/// Way in which the noise of a paper's algorithm is chosen.
enum class Mode
{
    SOUND, ///< noise calibrated with a rigorous accountant for the actual sampling
    PAPER, ///< the paper's literal choice of noise, by its own formula
};

/// Name of the mode: `sound` or `paper`.
std::string ToString(Mode mode);

/// Formula by which papers compute epsilon. mu_k is sensitivity / noise and p_k the sampling
/// probability of the k-th release of one node.
enum class ClaimFormula
{
    NONE,     ///< the paper gives no formula; the claimed epsilon is infinite
    CLT,      ///< central limit theorem: GdpEpsilon() of CltMu() (Dyn-D2P, Prop. 3)
    MOMENTS,  ///< c2 sqrt(log(1/delta) sum_k (p_k mu_k)^2), c2 a constant (Abadi et al., 2016,
              ///< Theorem 1)
    PURE_SUM, ///< sum_k mu_k of basic composition, for Laplace noise
};

/// An assumption on which a claimed epsilon rests.
struct ClaimAssumption
{
    std::string name;    ///< kebab-case name in output; its meaning is stable across versions
    std::string meaning; ///< the assumption in one line, without a full stop
};

/**
 * @brief The formula by which an algorithm's paper computes epsilon.
 *
 * The claimed epsilon is reported next to the certified guarantee and never replaces it. If a paper
 * calibrates its noise by the same formula, Scale() solves the formula for the noise. The table in
 * claim.cc has the texts and the assumptions of all formulas.
 */
struct Claim
{
    ClaimFormula formula{ClaimFormula::CLT}; ///< formula that the paper uses
    /// True: in Mode::PAPER the formula uses the sampling probability 1 / J for any batch size,
    /// where J is the node's number of examples.
    bool oneExample{true};
    double c2{2.0};       ///< MOMENTS: the constant c2, which the theorem does not determine; > 0
    std::string reason{}; ///< NONE: reason for the missing formula, one line without a full stop

    /**
     * @brief Summand of a release in the formula.
     * @param mu sensitivity (for example the clip bound) divided by the noise; at least 0
     * @param rate sampling probability p of the formula, in [0, 1]
     */
    double Spent(double mu, double rate) const;

    /**
     * @brief The claimed epsilon.
     * @param spent sum of Spent() over the releases of one node; 0 without releases
     * @param delta delta of the guarantee, in (0, 1)
     */
    double Epsilon(double spent, double delta) const;

    /**
     * @brief The factor on the mu of all steps at which the formula claims a given epsilon.
     * @param steps relative mu and sampling probability of each step
     * @param epsilon target: the epsilon that the formula claims at the returned factor, > 0
     * @param delta delta of the guarantee, in (0, 1)
     * @return factor > 0; no value for ClaimFormula::NONE, for which an accountant calibrates the
     *         noise
     * @throws UsageError if the target is out of range
     */
    std::optional<double> Scale(const ScheduleShape& steps, double epsilon, double delta) const;

    /// CltKappa() of the steps, the error measure of ClaimFormula::CLT; 0 for other formulas.
    double Kappa(const ScheduleShape& steps) const;

    /// Text of the formula, one line; "" for NONE.
    std::string Text() const;

    /// Assumptions under which the paper derived the formula; none for NONE.
    const std::vector<ClaimAssumption>& Assumptions() const;
};

/// Options of a planned run of an algorithm, from which claims are computed.
struct ClaimSettings
{
    std::string algorithm;   ///< name of the algorithm, one of Algorithms()
    Mode mode{Mode::SOUND};  ///< choice of the noise: by an accountant or by the paper's formula
    double epsilon{1.0};     ///< target epsilon of the algorithm, > 0
    std::uint64_t rounds{1}; ///< number of rounds K, 1 to MOST_ROUNDS
    std::uint64_t localSamples{1};  ///< number of examples J of a node, >= 1
    std::string sampler{"poisson"}; ///< sampler of the batches, by its name in Release
    /// Delta and neighbouring relation of the claimed and the certified epsilon.
    AccountingQuery question;
    std::string accountant{"pld"}; ///< accountant that calibrates in mode sound
    /// Values set by the user, by the names of ClaimParameters().
    std::map<std::string, double> parameters;

    /// Largest number of rounds of a planned run.
    static constexpr std::uint64_t MOST_ROUNDS = 1000000;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_CLAIM_H
