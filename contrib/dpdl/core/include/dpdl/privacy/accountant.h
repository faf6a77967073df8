// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ACCOUNTANT_H
#define DPDL_PRIVACY_ACCOUNTANT_H

#include "dpdl/base/registry.h"
#include "dpdl/privacy/release.h"

#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// What an accountant says of a list of releases.
struct Guarantee
{
    double epsilon{0.0};                 ///< at least 0; infinity if there is no guarantee
    double delta{0.0};                   ///< as asked for
    std::string accountant;              ///< name of the accountant
    std::string adjacency{"add-remove"}; ///< what two neighbouring datasets differ in
    std::string reason;                  ///< why epsilon is infinite, one sentence; else ""
    std::vector<std::string> warnings;   ///< what a reader must know besides, one sentence each
    double error{0.0}; ///< how much of epsilon is numerical slack; 0: nothing beyond rounding
};

/**
 * @brief Turns a list of releases of one node into (epsilon, delta).
 *
 * Accountants fail closed: anything that they cannot account for (an unknown mechanism or sampler,
 * no noise, no clipping, a noise scale that depends on data, a number that is not finite) gives an
 * infinite epsilon and a reason, never a number that ignores it. No releases at all cost nothing.
 */
class Accountant
{
  public:
    virtual ~Accountant() = default;

    /// The name under which it is registered.
    virtual std::string Name() const = 0;

    /// True if its epsilon is a proven upper bound; false if it is only a claim.
    virtual bool Certified() const = 0;

    /**
     * @brief Evaluates the releases of one node.
     * @param releases in any order
     * @param delta in (0, 1)
     * @throws UsageError naming option 'delta' if it is outside (0, 1)
     */
    Guarantee Evaluate(const std::vector<Release>& releases, double delta) const;

  protected:
    /// Evaluates releases that were found accountable and are not empty; fills in @p guarantee.
    virtual void Account(const std::vector<Release>& releases, Guarantee& guarantee) const = 0;
};

/**
 * @brief All accountants, by name.
 *
 * `rdp` and `pld` bound sampled Gaussian steps, `gdp` is exact without sampling, `clt` reports what
 * the central-limit formula claims.
 */
const Registry<std::shared_ptr<const Accountant>>& Accountants();

} // namespace dpdl

#endif // DPDL_PRIVACY_ACCOUNTANT_H
