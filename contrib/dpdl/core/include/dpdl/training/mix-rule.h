// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_MIX_RULE_H
#define DPDL_TRAINING_MIX_RULE_H

#include "dpdl/training/gossip.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Rule by which a node combines the models that it receives.
 *
 * Let c_j be the mass of node j's share, over the mass that node i holds after mixing, and c_i that
 * of what it kept. They sum to 1.
 *
 * * Average: sum over all j of c_j z_j, push-sum's own rule.
 * * Trimmed: in every coordinate the F smallest and the F largest of the values heard are left out,
 *   and the others are averaged with the node's own, with weights in proportion to c: BRIDGE-T
 *   (Fang, Yang and Bajwa, IEEE TSIPN 2022). Of values that are equal, those of larger c are the
 *   larger. A node that hears at most 2 F keeps its own model.
 * * Clipped: z_i + sum over j of c_j (z_j - z_i) min(1, TAU / |z_j - z_i|), with L2 norms:
 * ClippedGossip (He, Karimireddy and Jaggi, arXiv:2202.01545, equation 3).
 *
 * Both are functions of what was heard alone, so that they change no guarantee of privacy. They
 * leave w as it is, the sum of all masses, and do not conserve x = w z.
 */
struct MixRule
{
    /// Which of the three.
    enum class Kind
    {
        AVERAGE, ///< what push-sum does
        TRIMMED, ///< coordinate-wise trimmed mean
        CLIPPED, ///< self-centred clipping
    };

    Kind kind{Kind::AVERAGE}; ///< which
    std::size_t trimmed{0};   ///< F >= 1
    double radius{0.0};       ///< TAU > 0
    bool isExact{false};      ///< the average has sums in double precision, rounded once

    /// True if all that was heard counts as it is.
    bool IsAverage() const
    {
        return kind == Kind::AVERAGE;
    }
};

/// Texts that ParseMixRule() accepts.
inline const std::string MIX_RULES =
    "average, trimmed:F with a whole number F from 0 on, or clipped:TAU with a distance TAU > 0";

/**
 * @brief Reads the option `mix`.
 * @param text average, trimmed:F or clipped:TAU; trimmed:0 is average
 * @throws UsageError otherwise
 */
MixRule ParseMixRule(const std::string& text);

/**
 * @brief Mixes by a rule; as MixParameters() does if the rule is average.
 *
 * The first term of some coordinates is the node's own. Those that are heard follow it. The rule is
 * for these, with sums in float32; all others are added to what it gives.
 * @param rule how
 * @param[in,out] terms as for MixParameters(); clipping changes their coefficients to those that
 *        have the clipped sum
 * @param[out] out receives the result
 */
void MixByRule(const MixRule& rule, std::vector<MixTerm>& terms, ParameterVector& out);

} // namespace dpdl

#endif // DPDL_TRAINING_MIX_RULE_H
