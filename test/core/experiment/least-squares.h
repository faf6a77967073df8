// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_LEAST_SQUARES_H
#define DPDL_TEST_LEAST_SQUARES_H

#include "dpdl/data/dataset.h"

#include <cmath>
#include <vector>

namespace dpdl
{

/// f(z) = mean over examples of (z . x - y)^2 / 2 with x = (pixels / 255, 1): H z - b is its
/// gradient, in double precision.
struct LeastSquares
{
    using Vector = std::vector<double>;

    std::vector<Vector> h; ///< H, symmetric and positive definite
    Vector b;              ///< H z* = b

    /// Of the examples begin..end-1 of a split.
    LeastSquares(const Split& split, std::size_t begin, std::size_t end)
        : h(split.pixels.size() / split.Size() + 1, Vector(split.pixels.size() / split.Size() + 1)),
          b(h.size())
    {
        Vector x(h.size(), 1.0);
        for (std::size_t i = begin; i < end; ++i)
        {
            for (std::size_t j = 0; j + 1 < x.size(); ++j)
            {
                x[j] = split.pixels[i * (x.size() - 1) + j] / 255.0;
            }
            for (std::size_t j = 0; j < x.size(); ++j)
            {
                const double share = x[j] / static_cast<double>(end - begin);
                b[j] += share * split.labels[i];
                for (std::size_t k = 0; k < x.size(); ++k)
                {
                    h[j][k] += share * x[k];
                }
            }
        }
    }

    /// H z - b.
    Vector Gradient(const Vector& z) const
    {
        Vector gradient(z.size());
        for (std::size_t j = 0; j < z.size(); ++j)
        {
            gradient[j] = -b[j];
            for (std::size_t k = 0; k < z.size(); ++k)
            {
                gradient[j] += h[j][k] * z[k];
            }
        }
        return gradient;
    }

    /// z*, by Gaussian elimination.
    Vector Optimum() const
    {
        std::vector<Vector> a = h;
        Vector z = b;
        for (std::size_t i = 0; i < z.size(); ++i)
        {
            for (std::size_t j = 0; j < z.size(); ++j)
            {
                const double factor = j == i ? 0.0 : a[j][i] / a[i][i];
                for (std::size_t k = i; k < z.size(); ++k)
                {
                    a[j][k] -= factor * a[i][k];
                }
                z[j] -= factor * z[i];
            }
        }
        for (std::size_t i = 0; i < z.size(); ++i)
        {
            z[i] /= a[i][i];
        }
        return z;
    }

    /// Eigenvalues of H, by Jacobi's rotations.
    Vector Eigenvalues() const
    {
        std::vector<Vector> a = h;
        const std::size_t n = a.size();
        for (std::size_t turn = 0; turn < 20 * n * n; ++turn)
        {
            const std::size_t p = turn % n;
            const std::size_t q = (p + 1 + turn / n % (n - 1)) % n;
            const double angle = std::atan2(2.0 * a[p][q], a[q][q] - a[p][p]) / 2.0;
            const double c = std::cos(angle);
            const double s = std::sin(angle);
            for (std::size_t k = 0; k < n; ++k)
            {
                const double akp = a[k][p];
                a[k][p] = c * akp - s * a[k][q];
                a[k][q] = s * akp + c * a[k][q];
            }
            for (std::size_t k = 0; k < n; ++k)
            {
                const double apk = a[p][k];
                a[p][k] = c * apk - s * a[q][k];
                a[q][k] = s * apk + c * a[q][k];
            }
        }
        Vector values;
        for (std::size_t i = 0; i < n; ++i)
        {
            values.push_back(a[i][i]);
        }
        return values;
    }
};

/// Euclidean distance.
inline double
DistanceOf(const std::vector<double>& a, const std::vector<double>& b)
{
    double squares = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        squares += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return std::sqrt(squares);
}

} // namespace dpdl

#endif // DPDL_TEST_LEAST_SQUARES_H
