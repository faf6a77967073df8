// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "laplace-pair.h"
#include "mirrored-pair.h"
#include "pair-laws.h"

namespace dpdl
{

namespace
{

using Side = LaplacePair::Side;

/// Renyi divergence of two Laplace distributions, in closed form.
double
LaplaceRdp(double shift, double order)
{
    return std::log(order / (2.0 * order - 1.0) * std::exp((order - 1.0) * shift) +
                    (order - 1.0) / (2.0 * order - 1.0) * std::exp(-order * shift)) /
           (order - 1.0);
}

} // namespace

TEST(LaplacePair, KeepsTheLawsOfPairs)
{
    for (const double rate : {0.01, 0.5, 1.0})
    {
        for (const double shift : {0.05, 1.0, 4.0})
        {
            // A width that does not divide the atoms, and one that does.
            for (const double h : {0.003, shift / 256.0})
            {
                SCOPED_TRACE(testing::Message() << rate << " " << shift << " " << h);
                ExpectPairLaws(LaplacePair(rate, shift, Side::REMOVE), h);
                ExpectPairLaws(LaplacePair(rate, shift, Side::ADD), h);
                if (rate < 1.0)
                {
                    ExpectPairLaws(MirroredLaplacePair(rate, shift), h);
                }
            }
        }
    }
}

TEST(LaplacePair, SamplingAmplifiesAsProven)
{
    // H_a of the sampled pair is q times H of the plain pair at 1 + (a - 1) / q.
    const double rate = 0.05;
    const double shift = 1.5;
    const PairOnGrid remove(LaplacePair(rate, shift, Side::REMOVE), 0.001);
    const PairOnGrid mirrored(MirroredLaplacePair(rate, shift), 0.001);
    for (const double epsilon : {0.0, 0.02, 0.1})
    {
        const double plain = std::log1p(std::expm1(epsilon) / rate);
        const double expected = rate * -std::expm1(0.5 * (plain - shift));
        EXPECT_NEAR(remove.Delta(epsilon), expected, 1e-13);
        EXPECT_NEAR(mirrored.Delta(epsilon), expected, 1e-13);
    }
}

TEST(LaplacePair, MomentsMatchTheClosedForm)
{
    for (const double shift : {0.3, 3.0, 9.0, 300.0})
    {
        for (const double order : {1.01, 1.7, 30.0, 300.0})
        {
            const LaplacePair pair(1.0, shift, Side::ADD);
            const double rdp = pair.LogMoment(order) / (order - 1.0);
            EXPECT_LE(rdp, shift * (1.0 + 1e-12));
            EXPECT_GE(rdp, shift + std::log(order / (2.0 * order - 1.0)) / (order - 1.0) - 1e-9);
            if (order * shift < 600.0)
            {
                EXPECT_NEAR(rdp / LaplaceRdp(shift, order), 1.0, 1e-10) << shift << " " << order;
            }
        }
    }
}

TEST(LaplacePair, RemovingIsNeverHarderToSeeThanAddingInRenyiTerms)
{
    for (const double rate : {0.001, 0.1, 0.9})
    {
        for (const double shift : {0.1, 1.0, 5.0})
        {
            const LaplacePair remove(rate, shift, Side::REMOVE);
            const LaplacePair add(rate, shift, Side::ADD);
            const MirroredLaplacePair mirrored(rate, shift);
            for (const double order : {1.1, 2.0, 9.5})
            {
                EXPECT_GE(remove.LogMoment(order), add.LogMoment(order) * (1.0 - 1e-9));
                EXPECT_GE(mirrored.LogMoment(order), remove.LogMoment(order) * (1.0 - 1e-9));
            }
        }
    }
}

} // namespace dpdl
