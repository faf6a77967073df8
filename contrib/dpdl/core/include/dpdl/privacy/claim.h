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

/// Accumulates the epsilon that a formula claims for the releases of one node.
class ClaimTotal
{
  public:
    virtual ~ClaimTotal() = default;

    /**
     * @brief Adds a release.
     * @param mu reference quantity of the noise (the clip bound, say) / noise, at least 0
     * @param rate p of the formula, in [0, 1]
     */
    virtual void Add(double mu, double rate) = 0;

    /// A cheap proxy that increases with the claim, for any delta.
    virtual double Spent() const = 0;

    /// The claim for all releases so far; 0 if there are none. @param delta in (0, 1)
    virtual double Epsilon(double delta) const = 0;
};

/**
 * @brief The formula by which an algorithm's paper computes its privacy while it runs.
 *
 * A claim is reported next to the certified guarantee and never replaces it. If a paper calibrates
 * its noise by the same formula, the formula is also solved for the noise. PublishedClaim does the
 * same for planned runs.
 */
class Claim
{
  public:
    virtual ~Claim() = default;

    /// A total without releases.
    virtual std::unique_ptr<ClaimTotal> Start() const = 0;

    /// Reason for an always infinite claim, one line without a full stop; "" if claims are finite.
    virtual std::string Reason() const
    {
        return "";
    }

    /// True if the paper's formula assumes one example per round, p = 1/J, for any batch size.
    virtual bool CountsOneExample() const
    {
        return false;
    }

    /**
     * @brief The factor on the mu of all steps at which the formula claims a budget.
     * @param steps shape and rates
     * @param epsilon budget, > 0
     * @param delta in (0, 1)
     * @return no value if the paper has no such formula; an accountant then finds the noise
     * @throws UsageError if the target is out of range
     */
    virtual std::optional<double> Scale(const ScheduleShape& steps,
                                        double epsilon,
                                        double delta) const = 0;

    /// Error measure of the limit theorem behind the claim (CltKappa); 0 without one.
    virtual double Kappa(const ScheduleShape& /* steps */) const
    {
        return 0.0;
    }
};

/// Sampling probability in a moments formula in mode paper.
enum class PaperRate
{
    ONE_EXAMPLE, ///< 1 / J
    BATCH,       ///< B / J
};

/// The Gaussian limit theorem of Dyn-D2P (GdpEpsilon of CltMu), at p = 1/J in mode paper.
std::shared_ptr<const Claim> MakeCltClaim();

/**
 * @brief The asymptotic formula of the moments accountant, applied to the noise in use:
 *        epsilon = c2 sqrt(log(1/delta) sum_k (p_k mu_k)^2) (see MomentsFormula).
 * @param c2 the constant that the theorem leaves open, > 0
 * @param rate p in mode paper
 */
std::shared_ptr<const Claim> MakeMomentsClaim(double c2, PaperRate rate);

/// Sum of the releases' epsilons: b / gamma_n each for Laplace noise of scale gamma_n S / b.
std::shared_ptr<const Claim> MakePureSumClaim();

/// A claim without a formula: epsilon is infinite. @param reason one line without a full stop
std::shared_ptr<const Claim> MakeNoClaim(const std::string& reason);

} // namespace dpdl

#endif // DPDL_PRIVACY_CLAIM_H
