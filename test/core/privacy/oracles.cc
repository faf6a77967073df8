// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "oracles.h"

#include <boost/property_tree/json_parser.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace dpdl
{

namespace
{

/// Worst relative error per quantity, for the table that is printed at the end.
std::map<std::string, double>&
Worst()
{
    static std::map<std::string, double> worst;
    return worst;
}

} // namespace

const Tree&
Oracles()
{
    static const Tree TREE = [] {
        Tree tree;
        boost::property_tree::read_json(DPDL_SOURCE_DIR "/test/core/privacy/oracles.json", tree);
        return tree;
    }();
    return TREE;
}

const Tree&
Child(const Tree& tree, std::string_view key)
{
    const auto found = tree.find(std::string(key));
    if (found == tree.not_found())
    {
        throw std::out_of_range("the oracle has no '" + std::string(key) + "'");
    }
    return found->second;
}

bool
Has(const Tree& tree, const std::string& key)
{
    return tree.find(key) != tree.not_found();
}

double
Number(const Tree& tree)
{
    return std::stod(tree.data());
}

double
Number(const Tree& tree, const std::string& key)
{
    return Number(Child(tree, key));
}

std::vector<double>
Numbers(const Tree& tree)
{
    std::vector<double> numbers;
    for (const auto& item : tree)
    {
        numbers.push_back(Number(item.second));
    }
    return numbers;
}

Check
EachRow(const Check& check)
{
    return [check](const Tree& rows) {
        for (const auto& row : rows)
        {
            std::ostringstream text;
            boost::property_tree::write_json(text, row.second, false);
            SCOPED_TRACE(text.str());
            check(row.second);
        }
    };
}

void
Hold(const std::string& quantity, double value, double expected, double tolerance)
{
    const double error = value == expected ? 0.0 : std::abs(value / expected - 1.0);
    EXPECT_LE(error, tolerance) << quantity << ": " << value << " instead of " << expected;
    double& worst = Worst()[quantity];
    worst = error <= worst ? worst : error;
}

void
HoldPld(const Schedule& schedule, double delta, Direction direction, double exact, double tolerance)
{
    const Guarantee bound = schedule.Ask("pld", delta, direction);
    HoldBound("pld", bound.epsilon, exact, tolerance);
    EXPECT_LE(bound.lower, exact * (1.0 + tolerance));
}

void
HoldBound(const std::string& quantity, double bound, double exact, double tolerance)
{
    EXPECT_GE(bound, exact * (1.0 - tolerance)) << quantity;
    Hold(quantity, bound, exact, PLD_EXCESS);
}

void
PrintWorstErrors(std::ostream& out)
{
    for (const auto& [quantity, error] : Worst())
    {
        out << "worst relative error, " << quantity << ": " << error << "\n";
    }
}

} // namespace dpdl
