// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "dpdl/training/gossip.h"
#include "dpdl/training/parameters.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

std::vector<MixTerm>
RandomTerms(ParameterPool& pool, std::size_t count)
{
    std::vector<MixTerm> terms;
    for (std::size_t t = 0; t < count; ++t)
    {
        const RandomStream stream({1, 1}, RandomPurpose::TEST, 0, static_cast<Round>(t));
        terms.push_back({pool.Acquire(), stream.Uniform(pool.Dimension() + 7)});
        stream.FillNormal(terms.back().source->Data(), pool.Dimension());
    }
    return terms;
}

TEST(MixParameters, EqualsTheSumInDoublePrecision)
{
    for (const std::size_t size : {1U, 17U, 64U, 1000U, 26010U})
    {
        ParameterPool pool(size);
        for (std::size_t count = 0; count <= 11; ++count)
        {
            const std::vector<MixTerm> terms = RandomTerms(pool, count);
            const ParameterHandle out = pool.Acquire();
            MixParameters(terms, *out);
            for (std::size_t i = 0; i < size; ++i)
            {
                double sum = 0.0;
                double magnitude = 0.0;
                for (const MixTerm& term : terms)
                {
                    const double product = term.coefficient * double{term.source->Data()[i]};
                    sum += product;
                    magnitude += std::abs(product);
                }
                ASSERT_NEAR(out->Data()[i], sum, 1e-6 * magnitude) << size << ' ' << count;
            }
            EXPECT_LT(MixingError(terms, *out), 1e-6);
        }
    }
}

TEST(MixExactly, RoundsTheSumOnceAndNoPartOfIt)
{
    constexpr std::size_t TERMS = 300;
    ParameterPool pool(5);
    std::vector<MixTerm> terms;
    double sum = 0.0;
    for (std::size_t t = 0; t < TERMS; ++t)
    {
        const float value = 98304.0F + 0x1p-7F * static_cast<float>(t % 3);
        const std::vector<float> values(5, value);
        terms.push_back({pool.AcquireCopy(values.data()), 1.0 / TERMS, 0, 4});
        sum += value / static_cast<double>(TERMS);
    }
    const ParameterHandle exact = pool.Acquire();
    const ParameterHandle rounded = pool.Acquire();
    MixExactly(terms, *exact);
    MixParameters(terms, *rounded);
    EXPECT_EQ(exact->Data()[0], static_cast<float>(sum));
    EXPECT_NE(rounded->Data()[0], exact->Data()[0]);
    EXPECT_EQ(exact->Data()[4], 0.0F) << "what no term is for";
}

TEST(MixParameters, KeepsAgreementExactly)
{
    ParameterPool pool(1000);
    std::vector<MixTerm> terms = RandomTerms(pool, 1);
    terms[0].coefficient = 0.5;
    terms.push_back({terms[0].source, 0.25});
    terms.push_back({terms[0].source, 0.25});
    const ParameterHandle out = pool.Acquire();
    MixParameters(terms, *out);
    for (std::size_t i = 0; i < 1000; ++i)
    {
        EXPECT_EQ(out->Data()[i], terms[0].source->Data()[i]);
    }
}

TEST(MixParameters, ChunkByChunkIsTheSameToTheLastBit)
{
    constexpr std::size_t SIZE = 7850;
    ParameterPool pool(SIZE);
    for (const std::size_t length : {1U, 3U, 350U, 2047U, 4096U})
    {
        const ChunkLayout layout(SIZE, length);
        for (const std::size_t count : {1U, 2U, 3U, 6U, 7U})
        {
            const std::vector<MixTerm> terms = RandomTerms(pool, count);
            std::vector<MixTerm> cut;
            for (std::size_t chunk = 0; chunk < layout.Count(); ++chunk)
            {
                for (const MixTerm& term : terms)
                {
                    cut.push_back(
                        {term.source, term.coefficient, layout.Begin(chunk), layout.End(chunk)});
                }
            }
            const ParameterHandle whole = pool.Acquire();
            const ParameterHandle chunked = pool.Acquire();
            MixParameters(terms, *whole);
            MixParameters(cut, *chunked);
            EXPECT_TRUE(std::equal(whole->Data(), whole->Data() + SIZE, chunked->Data()))
                << length << " " << count;
            EXPECT_EQ(MixingError(cut, *chunked), MixingError(terms, *whole));
        }
    }
}

TEST(MixParameters, ChunksHaveCoefficientsOfTheirOwn)
{
    ParameterPool pool(5);
    const ParameterHandle ones = pool.Acquire();
    std::fill_n(ones->Data(), 5, 1.0F);
    const ParameterHandle out = pool.Acquire();
    MixParameters({{ones, 0.5, 0, 2}, {ones, 0.25, 0, 2}, {ones, 2.0, 2, 5}}, *out);
    EXPECT_EQ(std::vector<float>(out->Data(), out->Data() + 5),
              (std::vector<float>{0.75F, 0.75F, 2.0F, 2.0F, 2.0F}));
}

TEST(ChunkLayout, CutsEveryLengthIntoChunksThatCoverIt)
{
    for (const std::size_t parameters : {1U, 2U, 10U, 7850U})
    {
        for (const std::size_t length : {0U, 1U, 3U, 10U, 7849U, 7850U, 9000U})
        {
            const ChunkLayout layout(parameters, length);
            std::size_t end = 0;
            for (std::size_t chunk = 0; chunk < layout.Count(); ++chunk)
            {
                EXPECT_EQ(layout.Begin(chunk), end);
                EXPECT_GT(layout.Size(chunk), 0U);
                end = layout.End(chunk);
            }
            EXPECT_EQ(end, parameters) << length;
        }
    }
    EXPECT_EQ(ChunkLayout().Count(), 1U);
}

TEST(MixingError, SeesAWrongCoordinate)
{
    ParameterPool pool(64);
    const std::vector<MixTerm> terms = RandomTerms(pool, 3);
    const ParameterHandle out = pool.Acquire();
    MixParameters(terms, *out);
    out->Data()[4] += 10.0F;
    EXPECT_GT(MixingError(terms, *out), 1.0);
    EXPECT_EQ(MixingError({}, *out), 0.0);
}

} // namespace
} // namespace dpdl
