// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "lanczos.h"

#include "dpdl/base/random.h"
#include "dpdl/base/simd.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// Lanczos iteration builds a tridiagonal matrix. Bisection with Sturm sequences finds its largest
// eigenvalues, the Ritz values.

namespace dpdl
{

namespace
{

/// Up to dimension FULL_ORTHOGONALITY, the iteration ends when the estimated relative error of the
/// largest eigenvalue is at most this.
constexpr double RELATIVE_ERROR = 1e-13;

/// Above dimension FULL_ORTHOGONALITY, the iteration ends when the largest Ritz value grew by at
/// most this fraction in STEPS_OF_GROWTH steps. An error estimate needs the gap between Ritz
/// values. The gap is unknown, because lost orthogonality produces copies of eigenvalues.
constexpr double RELATIVE_GROWTH = 1e-12;
constexpr std::size_t STEPS_OF_GROWTH = 32;

/// Up to this dimension, every Lanczos vector is made orthogonal to all earlier vectors. In larger
/// dimensions this would cost far more than the products with the matrix. There, vectors lose
/// orthogonality along eigenvectors that have converged (Paige 1971). The iteration then takes more
/// steps, but still converges to the largest eigenvalue.
constexpr std::size_t FULL_ORTHOGONALITY = 256;

/// Largest number of steps above dimension FULL_ORTHOGONALITY. Without full orthogonality, n steps
/// do not guarantee an exact result.
constexpr std::size_t MOST_STEPS_LARGE = 3000;

/// Parameters of EstimateLargestEigenvalue(). ESTIMATED_ERROR: estimated relative error that ends
/// the iteration. FEWEST_STEPS: number of steps before the estimate is used. MISSED: largest
/// probability, for a random start vector, that the largest eigenvalue exceeds the returned bound.
constexpr double ESTIMATED_ERROR = 1e-9;
constexpr std::size_t FEWEST_STEPS = 8;
constexpr double MISSED = 1e-6;

/// EstimateLargestEigenvalue() treats an eigenvalue of at most this as 0, because it is rounding
/// noise for a matrix of norm 1.
constexpr double NOTHING = 1e-26;

/// The iteration ends if the norm of the residual is at most this fraction of the largest entry of
/// the tridiagonal matrix.
constexpr double BREAKDOWN = 1e-15;
constexpr std::size_t STEPS_BETWEEN_CHECKS = 8;

/// Symmetric tridiagonal matrix that the Lanczos iteration builds.
struct Tridiagonal
{
    std::vector<double> diagonal;
    /// Element i: entry (i + 1, i) of the matrix. The last element is the residual's norm.
    std::vector<double> below;

    /// Number of eigenvalues above @p x, by a Sturm sequence.
    std::size_t CountAbove(double x) const
    {
        std::size_t count = 0;
        double pivot = 1.0;
        for (std::size_t i = 0; i < diagonal.size(); ++i)
        {
            const double coupling = i == 0 ? 0.0 : below[i - 1];
            pivot = diagonal[i] - x - coupling * coupling / pivot;
            pivot = pivot == 0.0 ? -std::numeric_limits<double>::min() : pivot;
            count += pivot > 0.0 ? 1 : 0;
        }
        return count;
    }

    /// The @p rank-th largest eigenvalue, rounded up by at most a relative error of about 1e-15;
    /// @p rank counts from 1.
    double Eigenvalue(std::size_t rank) const
    {
        double high = 0.0;
        for (std::size_t i = 0; i < diagonal.size(); ++i)
        {
            high = std::max(high, diagonal[i] + below[i] + (i == 0 ? 0.0 : below[i - 1]));
        }
        double low = 0.0;
        while (high - low > 2.0 * std::numeric_limits<double>::epsilon() * high)
        {
            const double middle = low + (high - low) / 2.0;
            (CountAbove(middle) >= rank ? low : high) = middle;
        }
        return high;
    }

    /// Norm of the residual of the Ritz vector for the largest eigenvalue: the last element of
    /// `below` times the last entry of the unit eigenvector. The square of this last entry is -1
    /// divided by the derivative of the last pivot.
    double Residual(double eigenvalue) const
    {
        double slope = 1.0;
        double pivot = diagonal[0] - eigenvalue;
        for (std::size_t i = 1; i < diagonal.size(); ++i)
        {
            const double ratio = below[i - 1] / pivot;
            slope = 1.0 + ratio * ratio * slope;
            pivot = diagonal[i] - eigenvalue - ratio * below[i - 1];
        }
        return below.back() / std::sqrt(slope);
    }

    /// Replaces @p last, the previous largest eigenvalue, by the current one.
    /// @return true if the eigenvalue grew by at most the fraction RELATIVE_GROWTH
    bool HasStopped(double& last) const
    {
        const double before = std::exchange(last, Eigenvalue(1));
        return last - before <= RELATIVE_GROWTH * last;
    }

    /// Estimated error of the largest eigenvalue @p first: min(r, r^2 / gap). r is the residual's
    /// norm, and gap is the distance to the second largest eigenvalue.
    double Error(double first) const
    {
        const double residual = Residual(first);
        const double gap = first - Eigenvalue(2);
        return gap > residual ? residual * residual / gap : residual;
    }

    bool HasConverged() const
    {
        const double first = Eigenvalue(1);
        return Error(first) <= RELATIVE_ERROR * first;
    }
};

std::vector<double>
StartVector(std::size_t size)
{
    std::vector<double> start(size);
    for (std::size_t i = 0; i < size; ++i)
    {
        const auto index = static_cast<std::uint32_t>(i);
        start[i] = Philox4x32({index, 0, 0, 0}, {0, 0})[0] / 4294967296.0 - 0.5;
    }
    return start;
}

void
Orthogonalise(std::vector<double>& vector, const std::vector<std::vector<double>>& basis)
{
    const std::size_t size = vector.size();
    double before = 0.0;
    double after = std::sqrt(DotProduct(vector.data(), vector.data(), size));
    do
    {
        before = after;
        for (const std::vector<double>& other : basis)
        {
            const double part = DotProduct(vector.data(), other.data(), size);
            AddMultiple(vector.data(), other.data(), -part, size);
        }
        after = std::sqrt(DotProduct(vector.data(), vector.data(), size));
    } while (after < before / 2.0 && after > std::numeric_limits<double>::min());
}

/// A Lanczos iteration in progress.
class Iteration
{
  public:
    /**
     * @param size dimension of the matrix
     * @param apply multiplies a vector by the matrix; must outlive this object
     * @param keepsAll true: every vector is made orthogonal to all earlier vectors
     */
    Iteration(std::size_t size, const SymmetricOperator& apply, bool keepsAll)
        : m_apply(apply),
          m_keepsAll(keepsAll),
          m_vector(StartVector(size)),
          m_image(size),
          m_norm(std::sqrt(DotProduct(m_vector.data(), m_vector.data(), size)))
    {
    }

    /// True if the residual is only rounding error. A further step is then impossible.
    bool IsExhausted() const
    {
        return m_norm <= BREAKDOWN * m_scale;
    }

    void Step()
    {
        const std::size_t size = m_vector.size();
        for (double& entry : m_vector)
        {
            entry /= m_norm;
        }
        m_basis.push_back(m_vector);
        m_apply(m_vector, m_image);
        m_projected.diagonal.push_back(DotProduct(m_vector.data(), m_image.data(), size));
        AddMultiple(m_image.data(), m_vector.data(), -m_projected.diagonal.back(), size);
        if (m_basis.size() > 1)
        {
            AddMultiple(m_image.data(), m_basis[m_basis.size() - 2].data(), -m_norm, size);
        }
        if (!m_keepsAll && m_basis.size() > 1)
        {
            m_basis.erase(m_basis.begin());
        }
        else
        {
            Orthogonalise(m_image, m_basis);
        }
        m_norm = std::sqrt(DotProduct(m_image.data(), m_image.data(), size));
        m_projected.below.push_back(m_norm);
        m_scale = std::max({m_scale, m_projected.diagonal.back(), m_norm});
        m_vector.swap(m_image);
    }

    std::size_t Steps() const
    {
        return m_projected.diagonal.size();
    }

    const Tridiagonal& Projected() const
    {
        return m_projected;
    }

    /// Largest eigenvalue of the projected matrix. Step() must not be called afterwards.
    double Largest()
    {
        m_projected.below.back() = 0.0;
        return m_projected.Eigenvalue(1);
    }

  private:
    /// Multiplies a vector by the matrix; must outlive this object.
    const SymmetricOperator& m_apply;
    /// true: each vector is made orthogonal to all earlier vectors
    bool m_keepsAll;
    Tridiagonal m_projected; ///< the projected matrix so far
    /// All Lanczos vectors if m_keepsAll, otherwise at most the last two.
    std::vector<std::vector<double>> m_basis;
    std::vector<double> m_vector; ///< next Lanczos vector, not normalised
    std::vector<double> m_image;  ///< scratch vector: the matrix times a vector
    double m_scale{0.0};          ///< largest entry of m_projected
    double m_norm;                ///< norm of m_vector
};

} // namespace

DPDL_MULTIVERSION double
DotProduct(const double* a, const double* b, std::size_t count)
{
    constexpr std::size_t LANES = 8;
    double sums[LANES] = {};
    std::size_t i = 0;
    for (; i + LANES <= count; i += LANES)
    {
        for (std::size_t lane = 0; lane < LANES; ++lane)
        {
            sums[lane] += a[i + lane] * b[i + lane];
        }
    }
    double sum = 0.0;
    for (; i < count; ++i)
    {
        sum += a[i] * b[i];
    }
    for (const double part : sums)
    {
        sum += part;
    }
    return sum;
}

DPDL_MULTIVERSION void
AddMultiple(double* target, const double* source, double factor, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        target[i] += factor * source[i];
    }
}

double
LargestEigenvalue(std::size_t size, const SymmetricOperator& apply)
{
    const bool isLarge = size > FULL_ORTHOGONALITY;
    const std::size_t mostSteps = isLarge ? MOST_STEPS_LARGE : size;
    const std::size_t stepsBetweenChecks = isLarge ? STEPS_OF_GROWTH : STEPS_BETWEEN_CHECKS;
    double last = 0.0;
    Iteration iteration(size, apply, !isLarge);
    while (iteration.Steps() < mostSteps && !iteration.IsExhausted())
    {
        iteration.Step();
        const Tridiagonal& projected = iteration.Projected();
        if (iteration.Steps() % stepsBetweenChecks == 0 &&
            (isLarge ? projected.HasStopped(last) : projected.HasConverged()))
        {
            break;
        }
    }
    return iteration.Largest();
}

EigenvalueEstimate
EstimateLargestEigenvalue(std::size_t size, const SymmetricOperator& apply, std::size_t mostSteps)
{
    Iteration iteration(size, apply, size <= FULL_ORTHOGONALITY);
    double error = 0.0;
    bool isFound = false;
    while (!isFound && iteration.Steps() < mostSteps && !iteration.IsExhausted())
    {
        iteration.Step();
        const double first = iteration.Projected().Eigenvalue(1);
        error = iteration.Projected().Error(first);
        isFound = iteration.Steps() >= FEWEST_STEPS &&
                  (error <= ESTIMATED_ERROR * first || first <= NOTHING);
    }
    isFound = isFound || iteration.IsExhausted();
    const auto steps = static_cast<double>(iteration.Steps());
    const double value = iteration.Largest();
    if (!isFound)
    {
        const double left = std::log(1.648 * std::sqrt(size) / MISSED) / (2.0 * steps - 1.0);
        // The relative error is at most left^2, so the eigenvalue is at most value / (1 - left^2).
        error = left < 1.0 ? value * left * left / (1.0 - left * left)
                           : std::numeric_limits<double>::infinity();
    }
    return {value, error};
}

} // namespace dpdl
