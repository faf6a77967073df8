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
 * Node i keeps its model z_i and receives models z_j. The coefficients c are fractions of the
 * push-sum weight w, called mass. c_j is the mass that node j sent with its model, divided by the
 * total mass of node i after mixing. c_i is this fraction for the mass that node i kept. The sum of
 * all c is 1.
 *
 * * Average: c_i z_i plus the sum over all j of c_j z_j, the rule of push-sum.
 * * Trimmed: in every coordinate, the F smallest and the F largest received values are left out.
 *   The remaining values and the node's value are averaged with weights proportional to c: BRIDGE-T
 *   (Fang, Yang and Bajwa, IEEE TSIPN 2022). Equal values are ordered by c. A node that receives at
 *   most 2 F models keeps its model.
 * * Clipped: z_i + sum over j of c_j (z_j - z_i) min(1, TAU / |z_j - z_i|), with L2 norms:
 *   ClippedGossip (He, Karimireddy and Jaggi, arXiv:2202.01545, equation 3).
 *
 * Trimming and clipping are post-processing of received models, so the privacy guarantee is
 * unchanged. Both rules conserve the sum of the masses w over the nodes, but not the sum of x = w
 * z.
 */
struct MixRule
{
    /// Kinds of mix rules, defined in the description of MixRule.
    enum class Kind
    {
        AVERAGE, ///< weighted mean, the rule of push-sum
        TRIMMED, ///< coordinate-wise trimmed mean
        CLIPPED, ///< received models are clipped to a ball around the node's model
    };

    Kind kind{Kind::AVERAGE}; ///< kind of the rule
    std::size_t trimmed{0};   ///< TRIMMED: F, number of values left out at each end, >= 1
    /// CLIPPED: TAU > 0. A received model at a larger L2 distance from the node's model is clipped.
    double radius{0.0};
    /// AVERAGE: true if sums have double precision and are rounded to float32 once.
    bool isExact{false};

    /// True if the rule is the weighted mean of push-sum.
    bool IsAverage() const
    {
        return kind == Kind::AVERAGE;
    }
};

/// Description of the texts that ParseMixRule() accepts, for error messages.
inline const std::string MIX_RULES =
    "average, trimmed:F with a whole number F from 0 on, or clipped:TAU with a distance TAU > 0";

/**
 * @brief Parses the option `mix`.
 * @param text average, trimmed:F or clipped:TAU; trimmed:0 is average
 * @throws UsageError naming option `mix` if the text has any other form, or F or TAU is out of
 *         range
 */
MixRule ParseMixRule(const std::string& text);

/**
 * @brief Mixes by a rule. For AVERAGE it calls MixParameters(), or MixExactly() if rule.isExact.
 *
 * In each group of terms of the same coordinates, the first term must be the node's model. The
 * terms received from other nodes (MixTerm::isHeard) must follow. The rule applies to these
 * received terms, with float32 sums. All other terms of the group are added to the result
 * unchanged.
 * @param rule kind of the rule, and F or TAU
 * @param[in,out] terms summands, as for MixParameters(); clipping changes their coefficients so
 *                that their sum is the clipped mix
 * @param[out] out receives the mixed vector
 */
void MixByRule(const MixRule& rule, std::vector<MixTerm>& terms, ParameterVector& out);

} // namespace dpdl

#endif // DPDL_TRAINING_MIX_RULE_H
