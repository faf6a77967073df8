// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "dpdl/training/gossip.h"

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
