// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_VERDICT_H
#define DPDL_AUDIT_VERDICT_H

#include <limits>
#include <string>

namespace dpdl
{

/// What an audit can find.
enum class Finding
{
    CONSISTENT,       ///< what was observed exceeds neither the claim nor the certified bound
    CLAIM_FALSE,      ///< it exceeds the claim
    CERTIFIED_BROKEN, ///< it exceeds the certified bound: the accounting or the mechanism is wrong
};

/// `consistent`, `claim-false`, `certified-broken`.
std::string ToString(Finding finding);

/// With what a program ends that has found this: 1 if the certified bound is broken, else 0.
int ExitStatus(Finding finding);

/**
 * @brief Holds what was claimed, what is certified and what was observed against one another.
 *
 * An audit proves a lower bound: it can refute, and never confirms. For a mechanism that does what
 * its ledger says, observed <= certified up to the stated error probability.
 */
class Verdict
{
  public:
    /// The three numbers, at the same delta and for the same neighbours.
    struct Figures
    {
        double claimed{std::numeric_limits<double>::quiet_NaN()};  ///< epsilon; NaN: no claim
        double certified{std::numeric_limits<double>::infinity()}; ///< epsilon, upper bound
        double observed{0.0};                                      ///< epsilon, lower bound
        /// Of the lower bound, in (0, 1); 1: it was derived, not measured; NaN: not known.
        double confidence{0.0};
    };

    /// @param figures compared here, and kept
    explicit Verdict(const Figures& figures);

    /// The figures.
    const Figures& Get() const
    {
        return m_figures;
    }

    /// The outcome; a broken bound outweighs a false claim.
    dpdl::Finding Finding() const
    {
        return m_finding;
    }

    /// The outcome in one line, without a full stop.
    std::string Event() const;

  private:
    Figures m_figures;       ///< as given
    dpdl::Finding m_finding; ///< the outcome
};

} // namespace dpdl

#endif // DPDL_AUDIT_VERDICT_H
