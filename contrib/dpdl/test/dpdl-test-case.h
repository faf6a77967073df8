// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_CASE_H
#define DPDL_TEST_CASE_H

#include "dpdl/base/errors.h"

#include "ns3/test.h"

#include <functional>
#include <initializer_list>
#include <string>

namespace dpdltest
{

/// A test case that its suite names: `using Case::Case;`.
class Case : public ns3::TestCase
{
  public:
    /// @param name says what holds
    explicit Case(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /// @param mistake that has to throw a UsageError @param what it is, for a failure @param words
    /// that the message has
    void Refuse(const std::function<void()>& mistake,
                const std::string& what,
                const std::string& words = "")
    {
        bool isRefused = false;
        try
        {
            mistake();
        }
        catch (const dpdl::UsageError& error)
        {
            isRefused = std::string(error.what()).find(words) != std::string::npos;
        }
        NS_TEST_EXPECT_MSG_EQ(isRefused, true, what);
    }
};

/// A suite that registers itself.
class Suite : public ns3::TestSuite
{
  public:
    /**
     * @param name of the suite
     * @param cases in this order; the suite owns them
     * @param type of the suite
     */
    Suite(const std::string& name,
          std::initializer_list<ns3::TestCase*> cases,
          Type type = Type::UNIT)
        : TestSuite(name, type)
    {
        for (ns3::TestCase* one : cases)
        {
            AddTestCase(one);
        }
    }
};

} // namespace dpdltest

#endif // DPDL_TEST_CASE_H
