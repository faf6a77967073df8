// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_VERDICT_H
#define DPDL_AUDIT_VERDICT_H

#include <limits>
#include <string>

namespace dpdl
{

/// Outcome of an audit.
enum class Finding
{
    CONSISTENT,       ///< the observed bound exceeds neither the claim nor the certified bound
    CLAIM_FALSE,      ///< the observed bound exceeds the claim
    CERTIFIED_BROKEN, ///< the observed bound exceeds the certified bound: the accounting or the
                      ///< mechanism is wrong
};

/// `consistent`, `claim-false`, `certified-broken`.
std::string ToString(Finding finding);

/// Exit status of a program with this finding: 1 if the certified bound is broken, else 0.
int ExitStatus(Finding finding);

/**
 * @brief Compares the claimed, the certified and the observed epsilon.
 *
 * An audit proves a lower bound: it can refute, but never confirm. If a mechanism matches its
 * ledger, observed <= certified up to the stated error probability.
 */
class Verdict
{
  public:
    /// The three epsilons, for the same delta and neighbouring relation.
    struct Figures
    {
        double claimed{std::numeric_limits<double>::quiet_NaN()};  ///< epsilon; NaN: no claim
        double certified{std::numeric_limits<double>::infinity()}; ///< epsilon, upper bound
        double observed{0.0};                                      ///< epsilon, lower bound
        /// Confidence of the lower bound, in (0, 1); 1: derived, not measured; NaN: not known.
        double confidence{0.0};
    };

    /// @param figures to compare; copied
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
