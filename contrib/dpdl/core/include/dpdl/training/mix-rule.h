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
 * Let c_j be the mass of node j's share divided by the mass of node i after mixing, and c_i that of
 * the share it kept. They sum to 1.
 *
 * * Average: sum over all j of c_j z_j, the rule of push-sum.
 * * Trimmed: in every coordinate the F smallest and F largest received values are left out. The
 *   others are averaged with the node's value, weighted in proportion to c: BRIDGE-T (Fang, Yang
 *   and Bajwa, IEEE TSIPN 2022). Equal values are ordered by c. A node that receives at most 2 F
 *   models keeps its model.
 * * Clipped: z_i + sum over j of c_j (z_j - z_i) min(1, TAU / |z_j - z_i|), with L2 norms:
 * ClippedGossip (He, Karimireddy and Jaggi, arXiv:2202.01545, equation 3).
 *
 * The last two depend only on received models, so the privacy guarantee is unchanged. They keep w,
 * the sum of all masses, and do not conserve x = w z.
 */
struct MixRule
{
    /// Rules that exist.
    enum class Kind
    {
        AVERAGE, ///< weighted mean of push-sum
        TRIMMED, ///< coordinate-wise trimmed mean
        CLIPPED, ///< self-centred clipping
    };

    Kind kind{Kind::AVERAGE}; ///< kind of the rule
    std::size_t trimmed{0};   ///< TRIMMED: F, number of values left out at either end, >= 1
    double radius{0.0};       ///< CLIPPED: TAU, largest distance of a model without clipping, > 0
    bool isExact{false};      ///< the average is summed in double precision and rounded once

    /// True if received models are averaged unchanged.
    bool IsAverage() const
    {
        return kind == Kind::AVERAGE;
    }
};

/// Values that ParseMixRule() accepts, for messages.
inline const std::string MIX_RULES =
    "average, trimmed:F with a whole number F from 0 on, or clipped:TAU with a distance TAU > 0";

/**
 * @brief Reads the option `mix`.
 * @param text average, trimmed:F or clipped:TAU; trimmed:0 is average
 * @throws UsageError otherwise
 */
MixRule ParseMixRule(const std::string& text);

/**
 * @brief Mixes by a rule; calls MixParameters() or MixExactly() if the rule is average.
 *
 * For each group of coordinates, the first term is the node's own model, and the received ones
 * follow. The rule applies to these, with float32 sums; all other terms are added to its result.
 * @param rule kind and its parameter
 * @param[in,out] terms as for MixParameters(); clipping replaces their coefficients by those that
 *        give the clipped sum
 * @param[out] out receives the result
 */
void MixByRule(const MixRule& rule, std::vector<MixTerm>& terms, ParameterVector& out);

} // namespace dpdl

#endif // DPDL_TRAINING_MIX_RULE_H
