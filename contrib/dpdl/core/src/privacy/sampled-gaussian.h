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
 * @brief Moments E[r^a] of the likelihood ratio r = 1 - q + q exp(mu x - mu^2 / 2) at many orders
 *        a. The expectation is over a standard normal x; q is the sampling rate.
 *
 * Factors that do not depend on the order are computed once, on a grid that grows with the largest
 * requested order.
 */
class SampledGaussian
{
  public:
    /**
     * @param rate sampling probability q, in [0, 1]
     * @param mu L2 sensitivity divided by the noise standard deviation; finite, at least 0
     * @param lowestOrder lowest order that will be requested, or 0 if no order is below 0
     */
    SampledGaussian(double rate, double mu, double lowestOrder = 0.0);

    /// Natural logarithm of E[r^order], for an order of at least lowestOrder. An upper bound if the
    /// grid would need more than 20000 points.
    double LogMoment(double order);

  private:
    /// Number of grid points that an order needs. Computes and stores the missing points.
    std::size_t PointsFor(double order);
    double DirectSum(double order, std::size_t count) const;
    double ScaledLogSum(double order, std::size_t count) const;

    double m_rate; ///< sampling probability q
    /// Shift mu of the normal distribution, in standard deviations.
    double m_mu;
    double m_first;                     ///< first grid point, a value of x
    double m_step;                      ///< distance between grid points
    std::vector<double> m_logRatio;     ///< log r, by grid point
    std::vector<double> m_excess;       ///< r - 1, by grid point
    std::vector<double> m_excessWeight; ///< (r - 1) phi(x) times m_step, by grid point
    std::vector<double> m_weight;       ///< r phi(x) times m_step, by grid point
    std::vector<double> m_logWeight;    ///< log of m_weight, by grid point
};

/// A value of mu, and its weight in a sum over steps.
struct MuNode
{
    double mu{0.0};
    /// Number of steps with this mu. For an interpolation node: its weight, which may be negative.
    double weight{0.0};
};

/// Values of mu within a factor of two, or the interpolation nodes that replace them.
struct MuPiece
{
    std::vector<MuNode> nodes;
    /// true: the nodes are interpolation nodes; false: they are the values of mu
    bool interpolated{false};
    double low{0.0};   ///< smallest value of mu in the piece
    double high{0.0};  ///< largest value of mu in the piece
    double count{0.0}; ///< total number of steps in the piece
};

/**
 * @brief Replaces many values of mu by few nodes. For an analytic function f, the sum of weight *
 *        f(mu) over the nodes approximates the sum of count * f(mu) over the values.
 *
 * The range of mu is cut into pieces that span a factor of two. Chebyshev nodes replace the values
 * of a piece that has more than nodes + spare values. The error of a sum decreases geometrically
 * with the number of nodes. Other pieces keep their values and are exact.
 *
 * @param counts number of steps; key: mu > 0
 * @param nodes number of Chebyshev nodes of a piece, at least 2; 24 nodes have a relative error of
 *        about 1e-14
 * @param spare a piece is replaced if it has more than nodes + spare values
 */
std::vector<MuPiece> PiecesOver(const std::map<double, double>& counts, int nodes, int spare);

/// Returns @p number values of mu in the range of an interpolated piece, for measuring the
/// interpolation error. Each value is midway between two neighbouring nodes.
std::vector<double> HeldOut(const MuPiece& piece, int number);

/// Interpolation weights at @p mu of an interpolated piece, one per node.
std::vector<double> InterpolationWeights(const MuPiece& piece, double mu);

} // namespace dpdl

#endif // DPDL_PRIVACY_SAMPLED_GAUSSIAN_H
