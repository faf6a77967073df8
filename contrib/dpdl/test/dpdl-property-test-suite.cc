// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-property-run.h"
#include "dpdl-test-case.h"

#include <iostream>

using namespace ns3;
using dpdltest::PropertyCase;
using dpdltest::PropertyCaseMaker;
using dpdltest::PropertyRun;

namespace
{

/**
 * @ingroup dpdl-tests
 * @brief Whatever fails: mass is exact at every event, every message has one fate, every run ends.
 *
 * Case K alone: DPDL_PROPERTY_FIRST=K DPDL_PROPERTY_CASES=1, then the suite as usual.
 */
class DpdlPropertyTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const uint32_t first = dpdltest::FromEnvironment("DPDL_PROPERTY_FIRST", 0);
        const uint32_t cases = dpdltest::FromEnvironment("DPDL_PROPERTY_CASES", 500);
        const auto dataset = dpdl::LoadDataset("fashion-mnist", "", 24, 1); // read once
        // Suites that begin in the same second share their folder.
        const PropertyCaseMaker maker(CreateTempDirFilename(std::to_string(first) + "-"));
        for (uint32_t number = first; number - first < cases; ++number)
        {
            Try(maker.Make(number), cases == 1);
        }
    }

    /// Runs a case. @param subject which one @param isAlone whether to print what it is
    void Try(const PropertyCase& subject, bool isAlone)
    {
        if (isAlone)
        {
            std::cerr << subject.Describe() << "\n";
        }
        const std::string fault = PropertyRun(subject).Judge();
        if (!fault.empty())
        {
            std::cerr << "case " << subject.number << " " << fault << std::endl;
        }
        NS_TEST_EXPECT_MSG_EQ(fault, "", "case " << subject.number << ": " << subject.Describe());
    }
};

const dpdltest::Suite g_dpdlPropertyTestSuite("dpdl-property",
                                              {new DpdlPropertyTest("laws under random failures")},
                                              ns3::TestSuite::Type::SYSTEM);

} // namespace
