// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/privacy/symmetric-matrix.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

SymmetricMatrix
Make(double a, double b, double c)
{
    SymmetricMatrix matrix(2);
    matrix.Add(0, 0, a);
    matrix.Add(1, 0, b);
    matrix.Add(1, 1, c);
    return matrix;
}

void
ExpectEqual(const SymmetricMatrix& matrix, double a, double b, double c)
{
    EXPECT_NEAR(matrix.At(0, 0), a, 1e-14);
    EXPECT_NEAR(matrix.At(0, 1), b, 1e-14);
    EXPECT_NEAR(matrix.At(1, 0), b, 1e-14);
    EXPECT_NEAR(matrix.At(1, 1), c, 1e-14);
}

TEST(SymmetricMatrix, EigenvaluesOfKnownMatrices)
{
    EXPECT_NEAR(Make(2.0, 1.0, 2.0).Eigenvalues().front(), 1.0, 1e-14);
    EXPECT_NEAR(Make(2.0, 1.0, 2.0).Eigenvalues().back(), 3.0, 1e-14);
    EXPECT_NEAR(Make(0.36, 0.48, 0.64).Eigenvalues().back(), 1.0, 1e-14);
}

TEST(SymmetricMatrix, InversesAndFunctionsOfKnownMatrices)
{
    const SymmetricMatrix matrix = Make(2.0, 1.0, 2.0);
    ExpectEqual(matrix.Inverse(), 2.0 / 3, -1.0 / 3, 2.0 / 3);
    ExpectEqual(matrix.Map([](double value) { return value * value; }), 5.0, 4.0, 5.0);
    ExpectEqual(matrix.Map([](double value) { return std::sqrt(value); }).Around(matrix),
                5.0,
                4.0,
                5.0);
    EXPECT_NEAR(matrix.InverseDiagonal()[1], 2.0 / 3, 1e-14);
    EXPECT_NEAR(matrix.Root().At(0, 0), std::sqrt(2.0), 1e-14);
    EXPECT_NEAR(matrix.Root().At(1, 0), std::sqrt(0.5), 1e-14);
    EXPECT_NEAR(matrix.Root().At(1, 1), std::sqrt(1.5), 1e-14);
    EXPECT_THROW(Make(1.0, 2.0, 1.0).Inverse(), Error);
}

} // namespace
} // namespace dpdl
