// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/base/random.h"
#include "dpdl/observation/network-observer.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace dpdl
{
namespace
{

using Rows = std::vector<std::vector<double>>;

KnowledgeMatrix
Make(const Rows& rows, std::size_t columns)
{
    std::vector<const std::vector<double>*> pointers;
    for (const std::vector<double>& row : rows)
    {
        pointers.push_back(&row);
    }
    return KnowledgeMatrix(pointers, columns);
}

/// All of Pi.
std::vector<double>
Projector(const KnowledgeMatrix& knowledge, std::size_t columns)
{
    std::vector<std::size_t> all(columns);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return knowledge.Block(all);
}

TEST(KnowledgeMatrix, NothingSeenIsNothingKnown)
{
    EXPECT_EQ(Make({}, 3).Rank(), 0u);
    EXPECT_EQ(Make({{0.0, 0.0, 0.0}}, 3).Rank(), 0u);
    EXPECT_EQ(Make({{}}, 0).Rank(), 0u);
    EXPECT_EQ(Projector(Make({}, 2), 2), (std::vector<double>(4, 0.0)));
    EXPECT_EQ(Make({}, 3).Conditioning(), 1.0);
}

TEST(KnowledgeMatrix, RowsOfAnyScaleAndShortOnesCount)
{
    const KnowledgeMatrix knowledge = Make({{1e-200}, {1e150, 1e150}, {0.0, 0.0, 0.0}}, 3);
    EXPECT_EQ(knowledge.Rank(), 2u);
    EXPECT_NEAR(knowledge.Block({0}).front(), 1.0, 1e-14);
    EXPECT_NEAR(knowledge.Block({1}).front(), 1.0, 1e-14);
    EXPECT_NEAR(knowledge.Block({2}).front(), 0.0, 1e-14);
}

TEST(KnowledgeMatrix, IsAnOrthogonalProjectorThatKeepsItsRows)
{
    constexpr std::size_t COLUMNS = 12;
    const RandomStream stream({1, 1}, RandomPurpose::TEST, 0, 0);
    std::uint64_t drawn = 0;
    for (const std::size_t count : {1U, 5U, 12U, 30U})
    {
        Rows rows(count, std::vector<double>(COLUMNS));
        for (std::vector<double>& row : rows)
        {
            for (double& entry : row)
            {
                entry = stream.Uniform(drawn++) - 0.5;
            }
        }
        rows.push_back(rows.front());
        const KnowledgeMatrix knowledge = Make(rows, COLUMNS);
        EXPECT_EQ(knowledge.Rank(), std::min(count, COLUMNS));
        const std::vector<double> projector = Projector(knowledge, COLUMNS);
        double trace = 0.0;
        for (std::size_t i = 0; i < COLUMNS; ++i)
        {
            trace += projector[i * COLUMNS + i];
            for (std::size_t j = 0; j < COLUMNS; ++j)
            {
                double square = 0.0;
                for (std::size_t k = 0; k < COLUMNS; ++k)
                {
                    square += projector[i * COLUMNS + k] * projector[k * COLUMNS + j];
                }
                EXPECT_NEAR(square, projector[i * COLUMNS + j], 1e-13);
            }
        }
        EXPECT_NEAR(trace, static_cast<double>(knowledge.Rank()), 1e-12);
        for (std::size_t j = 0; j < COLUMNS; ++j)
        {
            double kept = 0.0;
            for (std::size_t i = 0; i < COLUMNS; ++i)
            {
                kept += rows.front()[i] * projector[i * COLUMNS + j];
            }
            EXPECT_NEAR(kept, rows.front()[j], 1e-13);
        }
    }
}

TEST(KnowledgeMatrix, EntriesThatAreNotFiniteAreRefused)
{
    EXPECT_THROW(Make({{1.0, std::nan("")}}, 2), Error);
    EXPECT_THROW(Make({{std::numeric_limits<double>::infinity(), 1.0}}, 2), Error);
}

} // namespace
} // namespace dpdl
