// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CLAIM_H
#define DPDL_PRIVACY_CLAIM_H

#include "dpdl/privacy/calibration.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// The epsilon that a formula claims for one node, as its releases add up.
class ClaimTotal
{
  public:
    virtual ~ClaimTotal() = default;

    /**
     * @brief Adds a release.
     * @param mu what the noise is a multiple of / noise, at least 0
     * @param rate p of the formula, in [0, 1]
     */
    virtual void Add(double mu, double rate) = 0;

    /// A number that the claim grows with, for any delta: what is cheap to compare.
    virtual double Spent() const = 0;

    /// The claim for all releases so far; 0 if there are none. @param delta in (0, 1)
    virtual double Epsilon(double delta) const = 0;
};

/**
 * @brief The formula by which an algorithm's paper computes its privacy while it runs.
 *
 * A claim is shown next to what is certified and is never taken for it. Where a paper calibrates
 * its noise by the same formula, it can also be solved for the noise. PublishedClaim describes
 * planned runs what this describes of real ones.
 */
class Claim
{
  public:
    virtual ~Claim() = default;

    /// A total without any release.
    virtual std::unique_ptr<ClaimTotal> Start() const = 0;

    /// Why nothing finite is ever claimed, one line without a full stop; "" if it is.
    virtual std::string Reason() const
    {
        return "";
    }

    /// True if the paper's formula counts one example a round, p = 1/J, whatever the batch is.
    virtual bool CountsOneExample() const
    {
        return false;
    }

    /**
     * @brief The factor on the mu of all steps at which the formula claims a budget.
     * @param steps shape and rates
     * @param epsilon budget, > 0
     * @param delta in (0, 1)
     * @return none if the paper has no such formula: an accountant has to find the noise
     * @throws UsageError if the target is out of range
     */
    virtual std::optional<double> Scale(const ScheduleShape& steps,
                                        double epsilon,
                                        double delta) const = 0;

    /// How far a limit theorem behind the claim is from holding (CltKappa); 0 without one.
    virtual double Kappa(const ScheduleShape& /* steps */) const
    {
        return 0.0;
    }
};

/// What a moments formula takes for the sampling probability in mode paper.
enum class PaperRate
{
    ONE_EXAMPLE, ///< 1 / J
    BATCH,       ///< B / J
};

/// The Gaussian limit theorem of Dyn-D2P (GdpEpsilon of CltMu), at p = 1/J in mode paper.
std::shared_ptr<const Claim> MakeCltClaim();

/**
 * @brief The asymptotic formula of the moments accountant, over the noise really used:
 *        epsilon = c2 sqrt(log(1/delta) sum_k (p_k mu_k)^2) (see MomentsFormula).
 * @param c2 the constant that the theorem leaves open, > 0
 * @param rate p in mode paper
 */
std::shared_ptr<const Claim> MakeMomentsClaim(double c2, PaperRate rate);

/// The sum of the releases' own epsilons: b / gamma_n each for Laplace noise of gamma_n S / b.
std::shared_ptr<const Claim> MakePureSumClaim();

/// No formula: infinity. @param reason one line without a full stop
std::shared_ptr<const Claim> MakeNoClaim(const std::string& reason);

} // namespace dpdl

#endif // DPDL_PRIVACY_CLAIM_H
