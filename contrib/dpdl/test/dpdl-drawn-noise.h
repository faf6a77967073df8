// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DRAWN_NOISE_H
#define DPDL_DRAWN_NOISE_H

#include "dpdl/base/noise-source.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace dpdltest
{

/**
 * @file
 * What an adversary learns from releases, from the noise vectors that were drawn, by dense linear
 * algebra: none of the functions that made the noise or its certificate has a part in it.
 */

using Matrix = std::vector<std::vector<double>>;

/// The inverse of a square matrix, by Gauss and Jordan. @param a definite
inline Matrix
Inverse(Matrix a)
{
    const std::size_t n = a.size();
    Matrix inverse(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < n; ++i)
    {
        inverse[i][i] = 1.0;
    }
    for (std::size_t k = 0; k < n; ++k)
    {
        const double pivot = a[k][k];
        for (std::size_t j = 0; j < n; ++j)
        {
            a[k][j] /= pivot;
            inverse[k][j] /= pivot;
        }
        for (std::size_t i = 0; i < n; ++i)
        {
            const double factor = i == k ? 0.0 : a[i][k];
            for (std::size_t j = 0; factor != 0.0 && j < n; ++j)
            {
                a[i][j] -= factor * a[k][j];
                inverse[i][j] -= factor * inverse[k][j];
            }
        }
    }
    return inverse;
}

/// a b'. @param a [n k] @param b [m k]
inline Matrix
TimesTransposed(const Matrix& a, const Matrix& b)
{
    Matrix product(a.size(), std::vector<double>(b.size(), 0.0));
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        for (std::size_t j = 0; j < b.size(); ++j)
        {
            for (std::size_t k = 0; k < a[i].size(); ++k)
            {
                product[i][j] += a[i][k] * b[j][k];
            }
        }
    }
    return product;
}

/// A release, by the name of its noise.
struct DrawnRelease
{
    dpdl::NodeId node;
    dpdl::Round round;
    double deviation; ///< as in the plan
};

/// A stream of normals that may be in the noise of releases.
struct DrawnStream
{
    dpdl::RandomPurpose purpose;
    dpdl::NodeId number;
    dpdl::Round round;
};

/**
 * @brief The weights with which normals add up to noise: noise = weights * normals.
 * @return [releases streams]
 * @throws std::logic_error if the noise has anything else in it
 */
inline Matrix
DrawnWeights(const dpdl::NoiseSource& source,
             dpdl::RandomSeed seed,
             const std::vector<DrawnRelease>& releases,
             const std::vector<DrawnStream>& streams)
{
    const std::size_t values = 2 * streams.size() + 8;
    Matrix noise(releases.size(), std::vector<double>(values, 0.0));
    for (std::size_t i = 0; i < releases.size(); ++i)
    {
        const DrawnRelease& release = releases[i];
        const dpdl::NoiseScale scale{release.deviation, 0.0, 1.0};
        source.AddNoise(noise[i].data(), values, scale, release.node, release.round);
    }
    Matrix normals(streams.size(), std::vector<double>(values, 0.0));
    for (std::size_t k = 0; k < streams.size(); ++k)
    {
        const DrawnStream& name = streams[k];
        dpdl::RandomStream(seed, name.purpose, name.number, name.round)
            .AddNormal(normals[k].data(), values, 1.0);
    }
    // Least squares; both factors are symmetric.
    const Matrix gram = Inverse(TimesTransposed(normals, normals));
    const Matrix weights = TimesTransposed(TimesTransposed(noise, normals), gram);
    for (std::size_t i = 0; i < releases.size(); ++i)
    {
        for (std::size_t v = 0; v < values; ++v)
        {
            double rest = noise[i][v];
            for (std::size_t k = 0; k < streams.size(); ++k)
            {
                rest -= weights[i][k] * normals[k][v];
            }
            if (!(std::fabs(rest) < 1e-9 * releases[i].deviation * static_cast<double>(values)))
            {
                throw std::logic_error("the noise is not made of the streams that it should be");
            }
        }
    }
    return weights;
}

/**
 * @brief The information about shifts of releases that their noises leave: the inverse covariance.
 * @param weights of all releases, [releases streams]
 * @param seen numbers of the releases that are seen
 * @param known by stream: whether the adversary knows it
 * @return [seen seen]; with sensitivity 1, entry (i, i) is mu^2 of a shift of release i alone
 */
inline Matrix
SeenInformation(const Matrix& weights,
                const std::vector<std::size_t>& seen,
                const std::vector<bool>& known)
{
    Matrix secret;
    for (const std::size_t row : seen)
    {
        std::vector<double> left = weights[row];
        for (std::size_t k = 0; k < left.size(); ++k)
        {
            left[k] = known[k] ? 0.0 : left[k];
        }
        secret.push_back(std::move(left));
    }
    return Inverse(TimesTransposed(secret, secret));
}

/// The noise of one round that nodes share.
class DrawnRound
{
  public:
    /**
     * @param source of the noise
     * @param seed of the run
     * @param round which
     * @param deviations by node, as in the plan
     */
    DrawnRound(const dpdl::NoiseSource& source,
               dpdl::RandomSeed seed,
               dpdl::Round round,
               const std::vector<double>& deviations)
        : m_nodes(deviations.size())
    {
        std::vector<DrawnRelease> releases;
        std::vector<DrawnStream> streams;
        for (dpdl::NodeId node = 0; node < m_nodes; ++node)
        {
            releases.push_back({node, round, deviations[node]});
            streams.push_back({dpdl::RandomPurpose::NOISE, node, round});
        }
        for (dpdl::NodeId number = 0; number < m_nodes * (m_nodes + 1) / 2; ++number)
        {
            streams.push_back({dpdl::RandomPurpose::SHARED_NOISE, number, round});
        }
        m_weights = DrawnWeights(source, seed, releases, streams);
    }

    /// mu^2 of a shift of 1 of the release of a node whose secrets are known.
    double SquareAlone(dpdl::NodeId node) const
    {
        return 1.0 / (m_weights[node][node] * m_weights[node][node]);
    }

    /**
     * @brief mu^2 of a shift of 1 of each release.
     * @param made by node: whether it released
     * @param colluders who give away their noise and the streams in it
     * @param leaked streams that are known apart from that
     * @return by node; 0 for those who collude or released nothing
     */
    std::vector<double> Squares(const std::vector<bool>& made,
                                const std::vector<dpdl::NodeId>& colluders,
                                const std::vector<dpdl::NodeId>& leaked = {}) const
    {
        std::vector<bool> known(m_weights.front().size(), false);
        std::vector<bool> isSeen = made;
        for (const dpdl::NodeId colluder : colluders)
        {
            isSeen[colluder] = false;
            for (std::size_t k = 0; k < known.size(); ++k)
            {
                known[k] = known[k] || std::fabs(m_weights[colluder][k]) > 1e-9;
            }
        }
        for (const dpdl::NodeId stream : leaked)
        {
            known[m_nodes + stream] = true;
        }
        std::vector<std::size_t> seen;
        for (std::size_t node = 0; node < m_nodes; ++node)
        {
            if (isSeen[node])
            {
                seen.push_back(node);
            }
        }
        const Matrix information = SeenInformation(m_weights, seen, known);
        std::vector<double> squares(m_nodes, 0.0);
        for (std::size_t row = 0; row < seen.size(); ++row)
        {
            squares[seen[row]] = information[row][row];
        }
        return squares;
    }

  private:
    std::size_t m_nodes; ///< of the run
    Matrix m_weights;    ///< [nodes streams]: own streams first, then shared ones
};

/// The weights of a node's noise in all rounds. @param deviations by round @return [rounds rounds]
inline Matrix
DrawnRounds(const dpdl::NoiseSource& source,
            dpdl::RandomSeed seed,
            dpdl::NodeId node,
            const std::vector<double>& deviations)
{
    std::vector<DrawnRelease> releases;
    std::vector<DrawnStream> streams;
    for (dpdl::Round round = 0; round < deviations.size(); ++round)
    {
        releases.push_back({node, round, deviations[round]});
        streams.push_back({dpdl::RandomPurpose::NOISE, node, round});
    }
    return DrawnWeights(source, seed, releases, streams);
}

/**
 * @brief mu^2 of an example that takes part whenever batches are drawn from its part of the
 *        examples, with the worst signs of its gradients and in the worst part.
 * @param weights of a node's noise, see DrawnRounds()
 * @param seen rounds whose releases are seen
 * @param parts of the examples; round t draws from part t mod parts
 */
inline double
WorstSquare(const Matrix& weights, const std::vector<std::size_t>& seen, std::size_t parts)
{
    const Matrix information =
        SeenInformation(weights, seen, std::vector<bool>(weights.size(), false));
    double worst = 0.0;
    for (std::size_t part = 0; part < parts; ++part)
    {
        std::vector<std::size_t> rows;
        for (std::size_t row = 0; row < seen.size(); ++row)
        {
            if (seen[row] % parts == part)
            {
                rows.push_back(row);
            }
        }
        for (uint32_t signs = 0; signs < 1U << rows.size(); ++signs)
        {
            double square = 0.0;
            for (std::size_t a = 0; a < rows.size(); ++a)
            {
                for (std::size_t b = 0; b < rows.size(); ++b)
                {
                    const bool isSame = ((signs >> a ^ signs >> b) & 1U) == 0;
                    square += (isSame ? 1.0 : -1.0) * information[rows[a]][rows[b]];
                }
            }
            worst = std::max(worst, square);
        }
    }
    return worst;
}

/// delta of mu-GDP at epsilon (Balle and Wang, ICML 2018, theorem 8); 0 for a mu of 0.
inline double
DeltaOfGaussian(double epsilon, double mu)
{
    if (!(mu > 0.0))
    {
        return 0.0;
    }
    const auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    return below(mu / 2.0 - epsilon / mu) - std::exp(epsilon) * below(-mu / 2.0 - epsilon / mu);
}

} // namespace dpdltest

#endif // DPDL_DRAWN_NOISE_H
