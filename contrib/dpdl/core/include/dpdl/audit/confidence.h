// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_CONFIDENCE_H
#define DPDL_AUDIT_CONFIDENCE_H

#include <cstdint>

namespace dpdl
{

/**
 * @file
 * One-sided bounds of a probability from counts (Clopper and Pearson, 1934). They hold for every
 * true probability and every number of trials; no normal approximation is made.
 */

/**
 * @brief Lower bound of the probability of an event.
 * @param hits how often it happened, at most @p trials
 * @param trials how often it could have happened, at least 1
 * @param alpha probability in (0, 1) with which the bound may be wrong
 * @return a number in [0, 1); 0 if it never happened
 */
double BinomialLowerBound(std::uint64_t hits, std::uint64_t trials, double alpha);

/// The upper bound that belongs to BinomialLowerBound; 1 if it always happened.
double BinomialUpperBound(std::uint64_t hits, std::uint64_t trials, double alpha);

} // namespace dpdl

#endif // DPDL_AUDIT_CONFIDENCE_H
