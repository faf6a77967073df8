// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SAMPLED_GAUSSIAN_H
#define DPDL_PRIVACY_SAMPLED_GAUSSIAN_H

#include <cstddef>
#include <map>
#include <vector>

namespace dpdl
{

/**
 * @brief Moments E[r^a] of r = 1 - q + q exp(mu x - mu^2/2), x standard normal, at many orders.
 *
 * Everything that does not depend on the order is computed once, on a grid that grows with the
 * largest requested order.
 */
class SampledGaussian
{
  public:
    /**
     * @param rate sampling probability q, in [0, 1]
     * @param mu sensitivity divided by noise; finite, at least 0
     * @param lowestOrder lowest order that will be requested if it is below 0; else 0
     */
    SampledGaussian(double rate, double mu, double lowestOrder = 0.0);

    /// log E[r^order] for any order from -20; in extreme cases an upper bound.
    double LogMoment(double order);

  private:
    /// Number of grid points for an order; appends missing points.
    std::size_t PointsFor(double order);
    double DirectSum(double order, std::size_t count) const;
    double ScaledLogSum(double order, std::size_t count) const;

    double m_rate;                      ///< sampling probability q
    double m_mu;                        ///< shift mu of the normal distribution
    double m_first;                     ///< first grid point
    double m_step;                      ///< distance between grid points
    std::vector<double> m_logRatio;     ///< log r, by grid point
    std::vector<double> m_excess;       ///< r - 1, by grid point
    std::vector<double> m_excessWeight; ///< (r - 1) phi(x) times m_step, by grid point
    std::vector<double> m_weight;       ///< r phi(x) times m_step, by grid point
    std::vector<double> m_logWeight;    ///< log of m_weight
};

/// A quadrature node: a value of mu and its weight.
struct MuNode
{
    double mu{0.0};
    /// Number of steps that the node stands for; may be negative if interpolated.
    double weight{0.0};
};

/// Values of mu within a factor of two, or the quadrature nodes that replace them.
struct MuPiece
{
    std::vector<MuNode> nodes;
    bool interpolated{false}; ///< false: the nodes are the values themselves
    double low{0.0};          ///< smallest value of mu in the piece
    double high{0.0};         ///< largest value of mu in the piece
    double count{0.0};        ///< total number of steps in the piece
};

/**
 * @brief Replaces many values by few nodes: sum of weight * f(mu) over the nodes is sum of count *
 *        f(mu) over the values, for every f that is analytic in mu.
 *
 * The range of mu is cut into pieces that span a factor of two. Chebyshev interpolation of f
 * replaces a piece with more values than nodes; its error decreases geometrically with the number
 * of nodes. A piece with fewer values is kept and is exact.
 *
 * @param counts number of steps, by mu > 0
 * @param nodes Chebyshev nodes of a piece, at least 2; 24 give an error of about 1e-14 of f
 * @param spare a piece is replaced if it has at least this number of values more than nodes
 */
std::vector<MuPiece> PiecesOver(const std::map<double, double>& counts, int nodes, int spare);

/// @p number values of mu that are midway between nodes of an interpolated piece, spread over the
/// piece.
std::vector<double> HeldOut(const MuPiece& piece, int number);

/// Weights that interpolate f at one mu from its values at the nodes.
std::vector<double> InterpolationWeights(const MuPiece& piece, double mu);

} // namespace dpdl

#endif // DPDL_PRIVACY_SAMPLED_GAUSSIAN_H
