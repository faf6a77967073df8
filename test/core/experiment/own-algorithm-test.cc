// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "experiment-fixture.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr const char* ARGUMENT = "it is the step of const-d2p";

/// Gradient push with constant clip and noise, as a program would enter it under another name.
Algorithm
OwnAlgorithm()
{
    return {{{{"pull", 0.5, 0.0, 1.0, "for a test"}}}, [](const HyperParameters& hyper) {
                AlgorithmPreset preset;
                preset.isPrivate = true;
                preset.stepSize = hyper["pull"];
                preset.clip = 2.0;
                return preset;
            }};
}

class OwnAlgorithmRun : public ExperimentTest
{
  protected:
    static void SetUpTestSuite()
    {
        RegisterAlgorithm({"own-unproven", "for a test"}, OwnAlgorithm());
        RegisterAlgorithm({"own-argued", "for a test", "a paper"}, OwnAlgorithm(), ARGUMENT);
    }

    RunOptions Settings(const std::string& algorithm, const std::string& hyper = "") const
    {
        RunOptions settings = Small();
        settings.algorithm = algorithm;
        settings.hyper = hyper;
        return settings;
    }
};

TEST_F(OwnAlgorithmRun, IsListedAndTakesItsHyperParameters)
{
    EXPECT_EQ(MakeAlgorithm("own-unproven", "pull=0.25").stepSize, 0.25);
    EXPECT_THROW(MakeAlgorithm("own-unproven", "pull=2"), UsageError);
    const PartInfo info = Algorithms().List().back();
    EXPECT_EQ(info.name, "own-argued");
    EXPECT_EQ(info.source, "a paper");
    EXPECT_EQ(info.parameters.back().meaning, ARGUMENT);
}

TEST_F(OwnAlgorithmRun, TakesNoNameTwice)
{
    const std::size_t before = Algorithms().List().size();
    for (const char* const name : {"own-argued", "dyn-d2p"})
    {
        EXPECT_THROW(RegisterAlgorithm({name, "again"}, OwnAlgorithm()), UsageError);
    }
    EXPECT_EQ(Algorithms().List().size(), before);
}

TEST_F(OwnAlgorithmRun, WithoutAnArgumentNothingIsCertifiedOrClaimed)
{
    for (const Mode mode : {Mode::SOUND, Mode::PAPER})
    {
        RunOptions settings = Settings("own-unproven");
        settings.mode = mode;
        Run(settings);
        EXPECT_EQ(Value("SELECT MIN(claimed) = 9e999, MIN(certified) = 9e999 FROM "
                        "guarantee_by_node"),
                  "1|1");
        EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE reason NOT LIKE "
                        "'%no argument for its privacy%'"),
                  "0");
        EXPECT_EQ(Value("SELECT DISTINCT flags FROM release"), "FLOAT_NOISE,UNPROVEN_STEP");
        EXPECT_EQ(Value("SELECT COUNT(*) FROM settings WHERE name = 'privacyArgument'"), "0");
    }
}

TEST_F(OwnAlgorithmRun, WithAnArgumentItIsCertifiedAsWhatItIs)
{
    Run(Settings("const-d2p"));
    const char* const certified = "SELECT certified, noise FROM guarantee_by_node JOIN release "
                                  "USING (node) WHERE node = 0 AND round = 0";
    const std::string expected = Value(certified);
    Run(Settings("own-argued", "pull=1"));
    EXPECT_EQ(Value(certified), expected);
    EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'privacyArgument'"), ARGUMENT);
}

} // namespace
} // namespace dpdl
