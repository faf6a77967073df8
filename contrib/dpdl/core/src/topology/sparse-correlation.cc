// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "contraction-figures.h"
#include "lanczos.h"

#include <algorithm>
#include <cmath>

// Estimates the maximal correlation sigma of ContractionTracker by Lanczos iteration on M M^T with
// M = (I - u u^T) A. The number of products is limited, and R and its transpose are applied round
// by round.

namespace dpdl
{

namespace
{

/// Largest number of multiplications by M M^T. Each multiplication takes two passes over all shares
/// of the window.
constexpr std::size_t MOST_PRODUCTS = 64;

/// Largest computed maximal correlation that is treated as 0, because it is only rounding error.
constexpr double ROUNDING = 1e-13;

/// The product R of a window's mixing matrices, and its transpose, applied to vectors round by
/// round.
class RoundProduct
{
  public:
    RoundProduct(std::size_t nodes, const std::vector<std::shared_ptr<const RoundMixing>>& rounds)
        : m_nodes(nodes),
          m_columns(nodes),
          m_rounds(rounds),
          m_states(rounds.size() + 1, std::vector<double>(nodes))
    {
        for (std::size_t offset = 0; offset < rounds.size(); ++offset)
        {
            for (const MixingTerm& term : rounds[offset]->terms)
            {
                m_columns += term.lateness > offset ? 1 : 0;
            }
        }
    }

    /// Number of columns of R: one per node, then one per share that was sent before the window.
    std::size_t Columns() const
    {
        return m_columns;
    }

    /// Returns R x, [nodes]; valid until the next call.
    /// @param x vector of length Columns()
    const std::vector<double>& Forward(const std::vector<double>& x)
    {
        std::copy_n(x.begin(), m_nodes, m_states[0].begin());
        std::size_t carrier = m_nodes;
        for (std::size_t offset = 0; offset < m_rounds.size(); ++offset)
        {
            const RoundMixing& round = *m_rounds[offset];
            for (std::size_t node = 0; node < m_nodes; ++node)
            {
                double sum = 0.0;
                for (std::size_t t = round.begin[node]; t < round.begin[node + 1]; ++t)
                {
                    const MixingTerm& term = round.terms[t];
                    sum += term.value * (term.lateness > offset
                                             ? x[carrier++]
                                             : m_states[offset - term.lateness][term.source]);
                }
                m_states[offset + 1][node] = sum;
            }
        }
        return m_states.back();
    }

    /**
     * @brief Computes x = R^T y.
     * @param y vector, [nodes]
     * @param[out] x vector of length Columns()
     */
    void Backward(const std::vector<double>& y, std::vector<double>& x)
    {
        for (std::vector<double>& state : m_states)
        {
            std::fill(state.begin(), state.end(), 0.0);
        }
        m_states.back() = y;
        std::size_t carrier = m_columns;
        for (std::size_t offset = m_rounds.size(); offset-- > 0;)
        {
            const RoundMixing& round = *m_rounds[offset];
            for (std::size_t node = m_nodes; node-- > 0;)
            {
                const double value = m_states[offset + 1][node];
                for (std::size_t t = round.begin[node + 1]; t-- > round.begin[node];)
                {
                    const MixingTerm& term = round.terms[t];
                    if (term.lateness > offset)
                    {
                        x[--carrier] = term.value * value;
                    }
                    else
                    {
                        m_states[offset - term.lateness][term.source] += term.value * value;
                    }
                }
            }
        }
        std::copy(m_states[0].begin(), m_states[0].end(), x.begin());
    }

  private:
    std::size_t m_nodes; ///< number of nodes
    /// Number of columns: one per node, then one per share sent before the window.
    std::size_t m_columns;
    /// Rounds of the window; must outlive this object.
    const std::vector<std::shared_ptr<const RoundMixing>>& m_rounds;
    /// [rounds + 1, n] state of each node before each round and after the last round.
    std::vector<std::vector<double>> m_states;
};

/// M = (I - u u^T) A of ContractionTracker in the form A - u v^T, with u = w^(1/2) and v = A^T u =
/// pi^(1/2). w are the push-sum weights of the nodes and pi the masses of the columns of R, each
/// scaled to sum 1.
class CentredProduct
{
  public:
    CentredProduct(std::size_t nodes,
                   const std::vector<std::shared_ptr<const RoundMixing>>& rounds,
                   const std::vector<double>& weights)
        : m_product(nodes, rounds),
          m_rowRoots(nodes),
          m_columnRoots(m_product.Columns()),
          m_inner(m_product.Columns()),
          m_outer(nodes)
    {
        m_product.Backward(weights, m_columnRoots);
        for (double& root : m_columnRoots)
        {
            root = std::sqrt(root);
        }
        std::transform(weights.begin(), weights.end(), m_rowRoots.begin(), [](double weight) {
            return std::sqrt(weight);
        });
    }

    /// Computes y = M M^T x.
    void Apply(const std::vector<double>& x, std::vector<double>& y)
    {
        for (std::size_t j = 0; j < x.size(); ++j)
        {
            m_outer[j] = m_rowRoots[j] * x[j];
        }
        m_product.Backward(m_outer, m_inner);
        const double alongU = DotProduct(m_rowRoots.data(), x.data(), x.size());
        double alongV = 0.0;
        for (std::size_t c = 0; c < m_inner.size(); ++c)
        {
            const double root = m_columnRoots[c];
            const double entry = root > 0.0 ? m_inner[c] / root - root * alongU : 0.0;
            alongV += root * entry;
            m_inner[c] = root > 0.0 ? entry / root : 0.0;
        }
        const std::vector<double>& image = m_product.Forward(m_inner);
        for (std::size_t j = 0; j < x.size(); ++j)
        {
            y[j] = m_rowRoots[j] * (image[j] - alongV);
        }
    }

  private:
    RoundProduct m_product;            ///< product R of the rounds
    std::vector<double> m_rowRoots;    ///< u: square roots of the masses w; index: row
    std::vector<double> m_columnRoots; ///< v: square roots of the masses pi; index: column
    std::vector<double> m_inner;       ///< scratch: M^T x, then the vector to which R is applied
    std::vector<double> m_outer;       ///< scratch: the vector to which R^T is applied
};

} // namespace

Correlation
SparseCorrelation(const std::vector<std::shared_ptr<const RoundMixing>>& rounds,
                  const std::vector<double>& weights)
{
    CentredProduct product(weights.size(), rounds, weights);
    const EigenvalueEstimate square = EstimateLargestEigenvalue(
        weights.size(),
        [&product](const std::vector<double>& x, std::vector<double>& y) { product.Apply(x, y); },
        MOST_PRODUCTS);
    const double sigma = std::min(std::sqrt(square.value), 1.0);
    const double most = std::min(std::sqrt(square.value + square.error), 1.0);
    return sigma > ROUNDING ? Correlation{sigma, most - sigma} : Correlation{0.0, most};
}

} // namespace dpdl
