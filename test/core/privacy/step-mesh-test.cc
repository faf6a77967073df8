// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dice.h"
#include "dpdl/privacy/accountant.h"
#include "fourier.h"
#include "one-direction-bound.h"
#include "pld-spectrum.h"
#include "step-mesh.h"

#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

constexpr double DELTA = 1e-5;

/// Kinds of steps that a mesh knows, and who is a neighbour.
struct Family
{
    NoiseKind noise;
    Amplification sampling;
    double muReplace; ///< divided by mu
    Adjacency adjacency;
};

const Family FAMILIES[] = {
    {NoiseKind::GAUSSIAN, Amplification::POISSON, 2.0, Adjacency::ADD_REMOVE},
    {NoiseKind::GAUSSIAN, Amplification::POISSON, 2.0, Adjacency::REPLACE},
    {NoiseKind::GAUSSIAN, Amplification::POISSON, 1.0, Adjacency::REPLACE},
    {NoiseKind::GAUSSIAN, Amplification::WITHOUT_REPLACEMENT, 1.0, Adjacency::ADD_REMOVE},
    {NoiseKind::GAUSSIAN, Amplification::WITHOUT_REPLACEMENT, 1.0, Adjacency::REPLACE},
    {NoiseKind::LAPLACE, Amplification::POISSON, 2.0, Adjacency::ADD_REMOVE},
    {NoiseKind::LAPLACE, Amplification::POISSON, 2.0, Adjacency::REPLACE},
};

/// Ranges of the noise multiplier and the rate, log-uniform.
struct Ranges
{
    double leastNoise, mostNoise, leastRate, mostRate;
};

StepCounts
RandomSteps(const Family& family, const Ranges& ranges, int number, std::uint32_t trial)
{
    Dice dice(2, trial);
    StepCounts steps;
    for (int i = 0; i < number; ++i)
    {
        PrivacyStep step;
        step.noise = family.noise;
        step.sampling = family.sampling;
        step.muAddRemove = 1.0 / dice.Between(ranges.leastNoise, ranges.mostNoise);
        step.muReplace = family.muReplace * step.muAddRemove;
        step.rate = dice.Between(ranges.leastRate, ranges.mostRate);
        ++steps[step];
    }
    return steps;
}

/// The hockey-stick divergence of order e^loss, loss != 0.
double
CurveAt(const DominatingPair& pair, double loss)
{
    const PldGrid grid{loss > 0.0 ? 1 : -1, 1, std::abs(loss)};
    double p[2];
    double q[2];
    pair.CellMasses(grid, p, q);
    return p[1] - std::exp(loss) * q[1];
}

/// No mixture's curve is below the curve of its step.
void
ExpectDominated(const PldMesh& mesh,
                const std::vector<std::shared_ptr<const DominatingPair>>& exact)
{
    const MeshCell& cell = mesh.cells->front();
    ASSERT_EQ(mesh.cells->size(), 1U);
    ASSERT_EQ(cell.places.size(), exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i)
    {
        const MeshCell::Place& place = cell.places[i];
        const std::array<double, 4> weights = MeshCell::Weights(place.rate, place.shift);
        for (const double size : {1e-6, 1e-3, 0.01, 0.05, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0})
        {
            for (const double loss : {size, -size})
            {
                double mixed = 0.0;
                for (std::size_t j = 0; j < weights.size(); ++j)
                {
                    mixed += weights[j] * CurveAt(*mesh.corners[cell.corners[j]], loss);
                }
                EXPECT_GE(mixed, CurveAt(*exact[i], loss) - 1e-14) << "loss " << loss;
            }
        }
    }
}

EpsilonBounds
Bounds(const PldKinds& kinds)
{
    OneDirectionBound bound(kinds, DELTA);
    return bound.Refine(LESS_SHARP);
}

} // namespace

TEST(StepMesh, AMixtureOfCornersDominatesEachStep)
{
    std::uint32_t trial = 0;
    for (const Family& family : FAMILIES)
    {
        for (const Ranges& ranges : {Ranges{0.2, 1.0, 0.01, 0.9},
                                     Ranges{0.9, 1.0, 0.1, 0.11},
                                     Ranges{0.05, 30.0, 1e-4, 0.99},
                                     Ranges{5.0, 50.0, 1e-3, 0.01}})
        {
            const StepCounts steps = RandomSteps(family, ranges, 40, ++trial);
            std::vector<std::shared_ptr<const DominatingPair>> remove;
            std::vector<std::shared_ptr<const DominatingPair>> add;
            for (const auto& entry : steps)
            {
                const DirectedPairs pairs = PairsOf(entry.first, family.adjacency);
                remove.push_back(pairs.remove);
                add.push_back(pairs.add);
            }
            const DirectedKinds kinds = MeshKinds(steps, family.adjacency, 4);
            ASSERT_EQ(kinds.remove.meshes.size(), 1U);
            EXPECT_EQ(kinds.remove.meshes[0].corners.size(), 4U);
            EXPECT_NEAR(kinds.remove.steps, 40.0, 1e-9);
            ExpectDominated(kinds.remove.meshes[0], remove);
            ExpectDominated(kinds.add.meshes[0], add);
        }
    }
}

/// The parameter is the number of a family.
class StepMeshOf : public testing::TestWithParam<std::uint32_t>
{
};

TEST_P(StepMeshOf, EpsilonOfGroupedStepsIsAboveTheExactOneAndClose)
{
    const Ranges all[] = {{5.0, 50.0, 1e-3, 0.01}, {1.0, 20.0, 1e-3, 0.1}, {0.7, 3.0, 0.01, 0.5}};
    const Family& family = FAMILIES[GetParam()];
    std::uint32_t trial = 100 + 3 * GetParam();
    for (const Ranges& ranges : all)
    {
        const int number = 300 + 850 * static_cast<int>(trial % 3);
        const StepCounts steps = RandomSteps(family, ranges, number, ++trial);
        const DirectedKinds exact = SortKinds(steps, family.adjacency);
        const DirectedKinds grouped = MeshKinds(steps, family.adjacency);
        const DirectedKinds coarse = MeshKinds(steps, family.adjacency, 40);
        for (const bool add : {false, true})
        {
            if (add && exact.symmetric)
            {
                continue;
            }
            const EpsilonBounds expected = Bounds(add ? exact.add : exact.remove);
            const EpsilonBounds bounds = Bounds(add ? grouped.add : grouped.remove);
            EXPECT_GE(bounds.upper, expected.lower) << "trial " << trial;
            EXPECT_LE(bounds.upper, 1.015 * expected.upper) << "trial " << trial;
            // On a coarse mesh what mixing adds is more than what grids do.
            const EpsilonBounds raised = Bounds(add ? coarse.add : coarse.remove);
            EXPECT_GE(raised.upper, (1.0 + 2.0 * LESS_SHARP) * expected.lower) << "trial " << trial;
            EXPECT_EQ(grouped.symmetric, exact.symmetric);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Few, StepMeshOf, testing::Values(5));
INSTANTIATE_TEST_SUITE_P(Others, StepMeshOf, testing::Values(0, 1, 2, 3, 4, 6));

TEST(StepMesh, TheEstimateOfWhatGroupingAddsIsOfTheRightSize)
{
    const StepCounts steps = RandomSteps(FAMILIES[0], {5.0, 50.0, 1e-3, 0.01}, 2000, 7);
    const DirectedKinds exact = SortKinds(steps, Adjacency::ADD_REMOVE);
    const double expected = Bounds(exact.remove).lower;
    for (const std::size_t corners : {30, 100, 300})
    {
        const DirectedKinds kinds = MeshKinds(steps, Adjacency::ADD_REMOVE, corners);
        OneDirectionBound bound(kinds.remove, DELTA);
        const double raised = bound.Refine(LESS_SHARP).lower - expected;
        EXPECT_GE(bound.Grouping(), 0.7 * raised);
        EXPECT_LE(bound.Grouping(), 4.0 * raised + 1e-4);
    }
}

TEST(StepMesh, CellsAreMultipliedAsTheirStepsAre)
{
    const StepCounts steps = RandomSteps(FAMILIES[0], {2.0, 2.1, 0.01, 0.011}, 400, 8);
    const DirectedKinds kinds = MeshKinds(steps, Adjacency::ADD_REMOVE, 4);
    const PldMesh& mesh = kinds.remove.meshes[0];
    PldTilt tilt;
    tilt.main = 5.0;
    tilt.above = tilt.below = tilt.local = 5.0;
    PldSpectrum spectrum(4096, 1e-3, tilt, 1e-12);
    std::vector<KindSpectrum> corners;
    for (const auto& pair : mesh.corners)
    {
        corners.push_back(spectrum.SpectrumOf(*pair));
    }
    const MeshCell& whole = mesh.cells->front();
    std::array<const KindSpectrum*, 4> at{};
    for (std::size_t i = 0; i < at.size(); ++i)
    {
        at[i] = &corners[whole.corners[i]];
    }
    SpectrumProduct expected = spectrum.Composed();
    SpectrumProduct product = expected;
    MultiplyCell(whole, at, product);
    for (const MeshCell::Place& place : whole.places)
    {
        MeshCell one;
        one.corners = whole.corners;
        one.places = {place};
        one.count = place.count;
        MultiplyCell(one, at, expected);
    }
    // The masses are divided by other sums.
    const double scale = std::exp(expected.totals.logMoment - product.totals.logMoment);
    EXPECT_NEAR(scale, 1.0, 1e-4);
    EXPECT_GE(product.totals.logAbove + product.totals.logMoment,
              expected.totals.logAbove + expected.totals.logMoment);
    double largest = 0.0;
    for (std::size_t k = 0; k < product.coefficients.size(); ++k)
    {
        const double error = std::abs(product.coefficients[k] - scale * expected.coefficients[k]);
        EXPECT_LE(error, (product.relative[k] + 1e-12) * std::abs(product.coefficients[k]));
        largest = std::max(largest, product.relative[k]);
    }
    EXPECT_GT(largest, 0.0);
    EXPECT_LT(largest, 1e-8);
}

TEST(StepMesh, PlainSumsAreTheTransform)
{
    const std::size_t size = 4096;
    PldCells cells;
    cells.first = -700;
    cells.mass.assign(3000, 0.0);
    Dice dice(2, 9);
    Fourier fourier(size);
    std::fill(fourier.Values(), fourier.Values() + size, 0.0);
    for (std::size_t j = 0; j < cells.mass.size(); ++j)
    {
        cells.mass[j] = dice.Between(1e-6, 1e-3);
        fourier.Values()[(size + j - 700) % size] += cells.mass[j];
    }
    fourier.Forward();
    std::vector<std::complex<double>> coefficients(50);
    RootsOfUnity(size).Transform(cells, coefficients);
    for (std::size_t k = 0; k < coefficients.size(); ++k)
    {
        EXPECT_LE(std::abs(coefficients[k] - fourier.Coefficients()[k]), 1e-14);
    }
}

TEST(StepMesh, OnlyVeryManyKindsAreGrouped)
{
    const Ranges ranges{5.0, 50.0, 1e-3, 0.01};
    const Accountant& pld = *Accountants().Get("pld");
    const AccountingQuery question{DELTA, Adjacency::ADD_REMOVE};
    EXPECT_LE(CountPairs(RandomSteps(FAMILIES[0], ranges, 1500, 10)), MANY_PAIRS);
    EXPECT_TRUE(
        pld.Evaluate(RandomSteps(FAMILIES[0], ranges, 1000, 10), question).warnings.empty());
    EXPECT_GT(CountPairs(RandomSteps(FAMILIES[0], ranges, 1501, 10)), MANY_PAIRS);
    const Guarantee grouped = pld.Evaluate(RandomSteps(FAMILIES[0], ranges, 20000, 10), question);
    EXPECT_EQ(grouped.warnings.size(), 1U);
    EXPECT_LE(grouped.epsilon, 1.01 * grouped.lower);
    // Many values of the noise at one rate are interpolated.
    EXPECT_LE(CountPairs(RandomSteps(FAMILIES[0], {5.0, 50.0, 0.01, 0.01}, 20000, 10)), 200U);
}

} // namespace dpdl
