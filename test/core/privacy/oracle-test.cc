// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "oracles.h"

#include <algorithm>
#include <cctype>
#include <gtest/gtest.h>
#include <iostream>
#include <set>

namespace dpdl
{

namespace
{

/// Every check; throws if a key has two.
const Checks&
AllChecks()
{
    static const Checks ALL = [] {
        Checks all;
        for (Checks checks : {GaussianChecks(), PublishedChecks(), OtherChecks()})
        {
            all.merge(checks);
            if (!checks.empty())
            {
                throw std::logic_error("two checks of " + checks.begin()->first);
            }
        }
        return all;
    }();
    return ALL;
}

/// Schedules of thousands of different steps, which take as long as all others together.
const std::set<std::string> LONG_KEYS{"dyn_claimed_vs_true"};

std::set<std::string>
CheckedKeys()
{
    std::set<std::string> keys;
    for (const auto& entry : AllChecks())
    {
        keys.insert(entry.first);
    }
    return keys;
}

std::set<std::string>
ShortKeys()
{
    std::set<std::string> keys = CheckedKeys();
    for (const std::string& key : LONG_KEYS)
    {
        keys.erase(key);
    }
    return keys;
}

std::string
TestName(const testing::TestParamInfo<std::string>& info)
{
    std::string name = info.param;
    std::replace_if(
        name.begin(),
        name.end(),
        [](char c) { return !std::isalnum(c); },
        '_');
    return name;
}

class Oracle : public testing::TestWithParam<std::string>
{
  protected:
    static void TearDownTestSuite()
    {
        PrintWorstErrors(std::cout);
    }
};

} // namespace

TEST_P(Oracle, IsMet)
{
    AllChecks().at(GetParam())(Child(Oracles(), GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All, Oracle, testing::ValuesIn(ShortKeys()), TestName);
INSTANTIATE_TEST_SUITE_P(Others, Oracle, testing::ValuesIn(LONG_KEYS), TestName);

TEST(Oracles, EveryKeyHasACheck)
{
    std::set<std::string> keys;
    for (const auto& entry : Oracles())
    {
        keys.insert(entry.first);
    }
    EXPECT_EQ(keys, CheckedKeys());
}

} // namespace dpdl
