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

/// Method that determines the noise of an algorithm.
enum class Mode
{
    SOUND, ///< an accountant calibrates the noise for the actual sampling
    PAPER, ///< the formula of the algorithm's paper determines the noise
};

/// Name of the mode: `sound` or `paper`.
std::string ToString(Mode mode);

/// Formulas by which papers compute epsilon. mu_k is sensitivity / noise standard deviation
/// (Laplace: scale) of the k-th release of a node, and p_k its sampling probability.
enum class ClaimFormula
{
    NONE, ///< the paper gives no formula; the claimed epsilon is infinite
    CLT,  ///< central limit theorem: GdpEpsilon() of CltMu() (Zhu et al., IJCAI 2025, Prop. 3)
    /// c2 sqrt(log(1/delta) sum_k (p_k mu_k)^2), with a constant c2 that the theorem does not
    /// determine (Abadi et al., 2016, Theorem 1).
    MOMENTS,
    PURE_SUM, ///< sum_k mu_k: basic composition, for Laplace noise
};

/// An assumption of a claimed epsilon.
struct ClaimAssumption
{
    std::string name;    ///< kebab-case name in output, stable across versions
    std::string meaning; ///< assumption in one line, without a full stop
};

/**
 * @brief Formula by which an algorithm's paper computes epsilon.
 *
 * The claimed epsilon is reported in addition to the certified epsilon. If a paper calibrates its
 * noise by the same formula, Scale() solves the formula for the noise. The table in claim.cc has
 * the texts and the assumptions of all formulas.
 */
struct Claim
{
    ClaimFormula formula{ClaimFormula::CLT}; ///< formula in the paper
    /// True: in mode PAPER, the formula uses the sampling probability 1 / J for any batch size,
    /// with J examples of the node. False: it uses the actual sampling probability.
    bool oneExample{true};
    double c2{2.0};       ///< MOMENTS: constant c2 > 0, which the theorem does not determine
    std::string reason{}; ///< NONE: reason for the missing formula, one line without a full stop

    /**
     * @brief Contribution of one release to the sum over releases from which Epsilon() computes
     *        epsilon.
     * @param mu sensitivity (for example the clip norm) divided by the noise standard deviation
     *        (Laplace: scale); at least 0
     * @param rate sampling probability p of the formula, in [0, 1]
     * @return contribution, at least 0; 0 for formula NONE
     */
    double Spent(double mu, double rate) const;

    /**
     * @brief Claimed epsilon, at least 0; infinity for formula NONE.
     * @param spent sum of Spent() over the releases of one node; 0 without releases
     * @param delta delta of the guarantee, in (0, 1)
     */
    double Epsilon(double spent, double delta) const;

    /**
     * @brief Computes the factor on the mu of all steps at which the formula claims a given
     *        epsilon.
     * @param steps relative mu and sampling probability of each step
     * @param epsilon target epsilon, > 0
     * @param delta delta of the guarantee, in (0, 1)
     * @return factor > 0; no value for ClaimFormula::NONE
     * @throws UsageError naming option 'epsilon' or 'delta' if it is out of range
     */
    std::optional<double> Scale(const ScheduleShape& steps, double epsilon, double delta) const;

    /// CltKappa() of the steps: error measure of formula CLT; 0 for other formulas.
    double Kappa(const ScheduleShape& steps) const;

    /// Text of the formula, one line; "": formula NONE.
    std::string Text() const;

    /// Assumptions from which the paper derived the formula; empty for formula NONE.
    const std::vector<ClaimAssumption>& Assumptions() const;
};

/// Options of a planned run for which claims are computed.
struct ClaimSettings
{
    std::string algorithm;   ///< name of the algorithm, one of Algorithms()
    Mode mode{Mode::SOUND};  ///< choice of the noise: by an accountant or by the paper's formula
    double epsilon{1.0};     ///< target epsilon, > 0
    std::uint64_t rounds{1}; ///< number of rounds K, 1 to MOST_ROUNDS
    std::uint64_t localSamples{1};  ///< number of examples J of a node, >= 1
    std::string sampler{"poisson"}; ///< name of the sampler, as in Release::sampler
    /// Delta and neighbouring relation of the claimed and the certified epsilon.
    AccountingQuery question;
    /// Name of the accountant that calibrates the noise in mode SOUND.
    std::string accountant{"pld"};
    /// Values that the user set; key: a name in ClaimParameters().
    std::map<std::string, double> parameters;

    /// Largest accepted number of rounds of a planned run.
    static constexpr std::uint64_t MOST_ROUNDS = 1000000;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_CLAIM_H
