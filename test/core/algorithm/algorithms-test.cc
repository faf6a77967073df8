// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"

#include <algorithm>
#include <cctype>
#include <gtest/gtest.h>
#include <set>

namespace dpdl
{
namespace
{

TEST(Algorithms, DefaultIsFirst)
{
    EXPECT_EQ(Algorithms().Names().front(), "dyn-d2p");
}

TEST(Algorithms, EveryPresetIsOneThatAPlanAccepts)
{
    for (const PartInfo& info : Algorithms().List())
    {
        const AlgorithmPreset preset = MakeAlgorithm(info.name);
        EXPECT_GT(preset.stepSize, 0.0) << info.name;
        EXPECT_GE(preset.clipDecay, 1.0) << info.name;
        EXPECT_GE(preset.muGrowth, 1.0) << info.name;
        EXPECT_TRUE(preset.isPrivate || preset.clip == 0.0) << info.name;
        const bool isUnbounded = HasFlag(preset.flags, ReleaseFlag::NO_CLIP);
        EXPECT_EQ(preset.isPrivate && !isUnbounded, preset.clip > 0.0) << info.name;
    }
}

TEST(Algorithms, ShownDefaultsAreThePresets)
{
    for (const PartInfo& info : Algorithms().List())
    {
        const AlgorithmPreset preset = MakeAlgorithm(info.name);
        for (const ParameterInfo& parameter : info.parameters)
        {
            const double value = parameter.name == "stepSize"          ? preset.stepSize
                                 : parameter.name == "clip"            ? preset.clip
                                 : parameter.name == "hyper:clipDecay" ? preset.clipDecay
                                 : parameter.name == "hyper:muGrowth"  ? preset.muGrowth
                                                                       : -1.0;
            if (value >= 0.0)
            {
                EXPECT_EQ(std::stod(parameter.defaultValue), value) << parameter.name;
            }
            EXPECT_FALSE(parameter.meaning.empty()) << info.name << " " << parameter.name;
        }
    }
}

TEST(Algorithms, FactorsAreHyperParametersOfEveryGeometricSchedule)
{
    for (const PartInfo& info : Algorithms().List())
    {
        const AlgorithmPreset preset = MakeAlgorithm(info.name);
        const bool isGeometric = preset.isPrivate && (!preset.schedule || info.name == "bandmf");
        std::multiset<std::string> shown;
        for (const ParameterInfo& parameter : info.parameters)
        {
            shown.insert(parameter.name);
        }
        for (const char* name : {"hyper:clipDecay", "hyper:muGrowth"})
        {
            EXPECT_EQ(shown.count(name), isGeometric ? 1U : 0U) << info.name << " " << name;
        }
    }
    const AlgorithmPreset chosen = MakeAlgorithm("dyn-d2p", "clipDecay=5,muGrowth=1.25");
    EXPECT_EQ(chosen.clipDecay, 5.0);
    EXPECT_EQ(chosen.muGrowth, 1.25);
    EXPECT_EQ(MakeAlgorithm("dyn-c-d2p", "clipDecay=7").clipDecay, 7.0);
    EXPECT_EQ(MakeAlgorithm("dyn-mu-d2p", "muGrowth=7").muGrowth, 7.0);
    EXPECT_EQ(MakeAlgorithm("dyn-mu-d2p", "noiseGrowth=7").muGrowth, 7.0) << "its former name";
    EXPECT_THROW(MakeAlgorithm("dyn-mu-d2p", "noiseGrowth=7,muGrowth=7"), UsageError);
    EXPECT_EQ(MakeAlgorithm("dyn-c-d2p").muGrowth, 1.0);
    EXPECT_EQ(MakeAlgorithm("dyn-mu-d2p").clipDecay, 1.0);
    EXPECT_THROW(MakeAlgorithm("sgp", "muGrowth=2"), UsageError);
    EXPECT_THROW(MakeAlgorithm("dyn-d2p", "clipDecay=0.5"), UsageError) << "it only falls";
}

TEST(Algorithms, AHyperParameterTakesThePlaceOfTheOneInTheText)
{
    EXPECT_EQ(WithHyperParameter("", "clipDecay", 4.0), "clipDecay=4");
    EXPECT_EQ(WithHyperParameter("clipDecay=2,muGrowth=3", "clipDecay", 1.5),
              "muGrowth=3,clipDecay=1.5");
}

TEST(Algorithms, NamesAreKebabCaseAndUnique)
{
    std::set<std::string> names;
    for (const PartInfo& info : Algorithms().List())
    {
        EXPECT_TRUE(names.insert(info.name).second) << info.name;
        EXPECT_FALSE(info.summary.empty()) << info.name;
        EXPECT_FALSE(info.source.empty()) << info.name;
        EXPECT_TRUE(std::all_of(info.name.begin(), info.name.end(), [](unsigned char c) {
            return std::islower(c) || std::isdigit(c) || c == '-';
        })) << info.name;
    }
}

} // namespace
} // namespace dpdl
