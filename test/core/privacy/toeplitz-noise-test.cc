// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/toeplitz-noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

std::vector<double>
Powers(double lambda, std::size_t count)
{
    std::vector<double> column;
    for (std::size_t k = 0; k < count; ++k)
    {
        column.push_back(std::pow(lambda, static_cast<double>(k)));
    }
    return column;
}

std::vector<double>
Bands(std::size_t bands)
{
    return SquareRootColumn(bands);
}

TEST(ToeplitzNoise, SensitivitiesAreThePublishedOnes)
{
    EXPECT_NEAR(ToeplitzSensitivity(SquareRootColumn(16), 16, 1, 16), 1.394230557388831, 1e-12);
    EXPECT_NEAR(ToeplitzSensitivity(SquareRootColumn(48), 48, 1, 48), 1.5155405660921804, 1e-12);
    EXPECT_NEAR(ToeplitzSensitivity(Powers(0.5, 32), 32, 1, 32), 1.1547005383792515, 1e-12);
    EXPECT_NEAR(ToeplitzSensitivity(Powers(0.9, 32), 32, 1, 32), 2.292804512912684, 1e-12);
    EXPECT_NEAR(ToeplitzSensitivity(Powers(0.9, 32), 32, 4, 8), 6.048414468445843, 1e-12);
    EXPECT_NEAR(ToeplitzSensitivity(Powers(0.9, 12), 12, 12, 1), 17.340220903600382, 1e-12);
    EXPECT_NEAR(ToeplitzSensitivity(Powers(0.5, 12), 12, 12, 1), 6.4292523965746184, 1e-12);
    EXPECT_NEAR(ToeplitzSensitivity(Powers(0.95, 48), 48, 4, 12), 8.810960646224766, 1e-12);
    EXPECT_NEAR(ToeplitzSensitivity(Powers(0.9, 32), 32, 32, 1), 43.44674284747155, 1e-11);
    EXPECT_NEAR(ToeplitzSensitivity(Bands(4), 24, 6, 4), 2.98825827197048, 1e-12);
    EXPECT_NEAR(ToeplitzSensitivity(Bands(8), 32, 4, 8), 2.621739315118494, 1e-12);
}

/// The largest move of any pattern of rounds with the separation, by trying all.
double
WorstPattern(const std::vector<double>& column, std::size_t rounds, std::size_t separation)
{
    double worst = 0.0;
    for (std::uint32_t pattern = 1; pattern < (1U << rounds); ++pattern)
    {
        std::vector<double> moved(rounds, 0.0);
        std::size_t last = rounds;
        bool isAllowed = true;
        for (std::size_t s = 0; s < rounds; ++s)
        {
            if ((pattern >> s & 1U) != 0)
            {
                isAllowed = isAllowed && (last == rounds || s - last >= separation);
                last = s;
                for (std::size_t t = s; t < std::min(rounds, s + column.size()); ++t)
                {
                    moved[t] += column[t - s];
                }
            }
        }
        double squares = 0.0;
        for (const double move : moved)
        {
            squares += move * move;
        }
        worst = isAllowed ? std::max(worst, std::sqrt(squares)) : worst;
    }
    return worst;
}

TEST(ToeplitzNoise, NoPatternOfRoundsIsWorseThanTheFirstPossibleOnes)
{
    constexpr std::size_t ROUNDS = 12;
    for (const auto& column : {Powers(0.9, ROUNDS), Powers(0.4, ROUNDS), Bands(ROUNDS), Bands(3)})
    {
        for (const std::size_t separation : {1U, 2U, 3U, 5U, 12U})
        {
            EXPECT_NEAR(ToeplitzSensitivity(column, ROUNDS, ROUNDS, separation),
                        WorstPattern(column, ROUNDS, separation),
                        1e-12);
        }
    }
}

TEST(ToeplitzNoise, TheInverseOfBandsEnds)
{
    EXPECT_EQ(InverseColumn(Bands(4), 2000), InverseColumn(Bands(4), 200));
    EXPECT_LT(InverseColumn(Bands(4), 2000).size(), 120U);
    EXPECT_EQ(InverseColumn(Powers(1.0, 50), 50), (std::vector<double>{1.0, -1.0}));
}

TEST(ToeplitzNoise, TheInverseIsTheInverse)
{
    EXPECT_EQ(InverseColumn(Powers(0.5, 20), 20), (std::vector<double>{1.0, -0.5}));
    constexpr std::size_t ROUNDS = 40;
    for (const auto& column : {Powers(0.9, ROUNDS), SquareRootColumn(ROUNDS), Bands(5)})
    {
        const std::vector<double> inverse = InverseColumn(column, ROUNDS);
        for (std::size_t t = 0; t < ROUNDS; ++t)
        {
            double product = 0.0;
            for (std::size_t k = 0; k <= t; ++k)
            {
                product += (k < column.size() ? column[k] : 0.0) *
                           (t - k < inverse.size() ? inverse[t - k] : 0.0);
            }
            EXPECT_NEAR(product, t == 0 ? 1.0 : 0.0, 1e-12);
        }
    }
}

TEST(ToeplitzNoise, TheSquareRootHalvesPrefixSums)
{
    const std::vector<double> root = SquareRootColumn(16);
    double squares = 0.0;
    for (std::size_t t = 0; t < 16; ++t)
    {
        double product = 0.0;
        for (std::size_t k = 0; k <= t; ++k)
        {
            product += root[k] * root[t - k];
        }
        EXPECT_NEAR(product, 1.0, 1e-14);
        squares += root[t] * root[t];
    }
    // The largest error of a prefix sum: the last row's length times the sensitivity.
    EXPECT_NEAR(squares, 1.9438788471567705, 1e-12);
}

TEST(FitBands, ComesCloseToTheBestMatrixForPrefixSums)
{
    // Every round's noise stays in the sum: response 1 at every lag. Optimal without bands, and
    // the square root: published values, times the root of the rounds.
    const std::vector<std::vector<double>> sums(16, std::vector<double>{1.0});
    const auto error = [&sums](const std::vector<double>& column) {
        return std::sqrt(ResponseError(column, sums) / 16.0);
    };
    EXPECT_NEAR(error({1.0}), 2.9154759474226504, 1e-12);
    EXPECT_NEAR(error(SquareRootColumn(16)), 1.7968144397852388, 1e-12);
    const double all = error(FitBands(16, sums));
    EXPECT_LT(all, 1.7968144397852388);
    EXPECT_GE(all, 1.6894036819986678);
    double last = error({1.0});
    for (const std::size_t bands : {2U, 4U, 8U})
    {
        const double fitted = error(FitBands(bands, sums));
        EXPECT_LT(fitted, error(SquareRootColumn(bands)));
        EXPECT_LT(fitted, last);
        last = fitted;
    }
}

TEST(FitBands, NoNearbyColumnIsBetter)
{
    const std::vector<std::vector<double>> fading{{0.5, 0.5, 0.0},
                                                  {0.25, 0.5, 0.25},
                                                  {0.3, 0.4, 0.3},
                                                  {0.33, 0.33, 0.33},
                                                  {0.33, 0.33, 0.33}};
    const std::vector<double> column = FitBands(3, fading);
    EXPECT_EQ(column.front(), 1.0);
    for (const double first : {-1e-3, 0.0, 1e-3})
    {
        for (const double second : {-1e-3, 0.0, 1e-3})
        {
            const std::vector<double> other{1.0, column[1] + first, column[2] + second};
            EXPECT_GE(ResponseError(other, fading), ResponseError(column, fading));
        }
    }
}

} // namespace
} // namespace dpdl
