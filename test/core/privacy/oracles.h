// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_PRIVACY_ORACLES_H
#define DPDL_TEST_PRIVACY_ORACLES_H

#include "schedule.h"

#include <boost/property_tree/ptree.hpp>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dpdl
{

/// What oracles.json holds, or a part of it.
using Tree = boost::property_tree::ptree;

/// Holds the value of a key, or a row of it, to what the library computes.
using Check = std::function<void(const Tree&)>;

/// Checks by the key that they hold.
using Checks = std::map<std::string, Check>;

/// Relative errors that are allowed.
constexpr double CLOSED_FORM = 1e-12;
constexpr double ROOT = 1e-10;
constexpr double RENYI = 1e-10;
/// Of oracles that have all their digits.
constexpr double EXACT = 1e-9;
/// The certified bound is at most this far above the exact value.
constexpr double PLD_EXCESS = 1e-3;

/// The whole file.
const Tree& Oracles();

/// The child of a key, which may contain dots.
const Tree& Child(const Tree& tree, std::string_view key);

bool Has(const Tree& tree, const std::string& key);

double Number(const Tree& tree);
double Number(const Tree& tree, const std::string& key);
std::vector<double> Numbers(const Tree& tree);

/// A check of every row.
Check EachRow(const Check& check);

/// Expects a value to a relative tolerance; the worst error of a quantity is kept.
void Hold(const std::string& quantity, double value, double expected, double tolerance);

/// The certified bound holds and is tight. @param tolerance relative error of the oracle
void HoldPld(const Schedule& schedule,
             double delta,
             Direction direction,
             double exact,
             double tolerance = EXACT);

/// The same of a given epsilon.
void HoldBound(const std::string& quantity, double bound, double exact, double tolerance = EXACT);

/// One line per quantity.
void PrintWorstErrors(std::ostream& out);

/// Gaussian noise with Poisson sampling or none, add/remove adjacency.
Checks GaussianChecks();

/// What the published mechanisms claim, and what holds.
Checks PublishedChecks();

/// Pure and zero-concentrated DP, Laplace noise, replaced examples, batches of a fixed size.
Checks OtherChecks();

} // namespace dpdl

#endif // DPDL_TEST_PRIVACY_ORACLES_H
