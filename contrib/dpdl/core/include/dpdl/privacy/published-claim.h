// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PUBLISHED_CLAIM_H
#define DPDL_PRIVACY_PUBLISHED_CLAIM_H

#include "dpdl/base/registry.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/step-group.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Interpretation of a paper's algorithm.
enum class Mode
{
    SOUND, ///< noise calibrated with a rigorous accountant for the actual sampling
    PAPER, ///< the paper's literal choice of noise, by its own formula
};

/// Settings of a planned run of an algorithm.
struct ClaimSettings
{
    Mode mode{Mode::SOUND};                   ///< calibration of the noise
    double epsilon{1.0};                      ///< target of the algorithm, > 0
    std::uint64_t rounds{1};                  ///< K, 1 to MOST_ROUNDS
    std::uint64_t localSamples{1};            ///< J, at least 1
    std::string sampler{"poisson"};           ///< of the real batches, as in Release
    AccountingQuery question;                 ///< delta, adjacency
    std::map<std::string, double> parameters; ///< by the names of Info(); only those given

    /// The most rounds of a planned run.
    static constexpr std::uint64_t MOST_ROUNDS = 1000000;
};

/// An assumption of a published claim.
struct Premise
{
    std::string name;    ///< kebab-case; never changes its meaning
    std::string meaning; ///< one line without a full stop
};

/// The claim for a planned run, and the releases of that run.
struct ClaimedRun
{
    std::optional<double> claimed; ///< epsilon by the paper's formula; no value without a formula
    std::vector<StepGroup> steps;  ///< the releases of one node; empty if not described
    StepCounts counts;             ///< step counts of the plan, used if `steps` is empty
    std::string unsupported;       ///< reason to certify nothing finite, one line; or ""
    ReleaseFlag flags{ReleaseFlag::NONE};                 ///< of the releases
    std::vector<std::string> warnings;                    ///< preconditions that do not hold
    std::vector<std::pair<std::string, double>> schedule; ///< values of the plan, by name
};

/**
 * @brief The privacy statement of an algorithm's paper, as a formula to compare with a proven
 *        bound.
 *
 * A claim is never a guarantee. Run() returns both: the epsilon that the paper states, and the
 * steps from which an accountant computes a proven bound.
 */
class PublishedClaim
{
  public:
    virtual ~PublishedClaim() = default;

    /// Name, summary, paper, and the parameters with their defaults.
    virtual PartInfo Info() const = 0;

    /// The formula for epsilon or for the noise, one line; "" for none.
    virtual std::string Formula() const = 0;

    /// False if the paper does not describe the algorithm in this mode.
    virtual bool Describes(Mode /* mode */) const
    {
        return true;
    }

    /// Assumptions of the claim.
    virtual std::vector<Premise> Assumptions() const = 0;

    /**
     * @brief Plans a run.
     * @param settings the run
     * @param accountant calibrates in mode sound
     * @throws UsageError if a number is out of range, or in mode sound if the accountant is not
     *         certified or cannot reach the target
     */
    virtual ClaimedRun Run(const ClaimSettings& settings, const Accountant& accountant) const = 0;
};

/// Claims of the algorithms whose papers state one, by algorithm.
const Registry<std::shared_ptr<const PublishedClaim>>& PublishedClaims();

} // namespace dpdl

#endif // DPDL_PRIVACY_PUBLISHED_CLAIM_H
