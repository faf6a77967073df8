// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MIRRORED_PAIR_H
#define DPDL_PRIVACY_MIRRORED_PAIR_H

#include "dominating-pair.h"
#include "laplace-pair.h"

#include <functional>
#include <mutex>
#include <vector>

namespace dpdl
{

/// A point of the distributions P and Q of a dominating pair.
struct PldPoint
{
    double loss{0.0};       ///< privacy loss log(dP/dQ) at the point, in nats
    double logDensity{0.0}; ///< log of Q's density or, for an atom, of Q's probability at the point
};

/**
 * @brief Moments E_Q[r^a] - 1 of the likelihood ratio r = dP/dQ of a mirrored pair (MirroredPair).
 *
 * Each privacy loss above 0 has its mirror image below 0, with P and Q exchanged. So E_Q[r^a] - 1
 * is the integral of (r^a - 1)(1 - r^(1-a)) dQ over the losses above 0, which has no cancellation.
 * The integral is computed by Gauss-Legendre quadrature on panels of equal width. The quadrature
 * points are stored and used again for other orders. A larger distance appends panels.
 */
class ExcessMoments
{
  public:
    /// Maps a distance t >= 0 from the point with privacy loss 0 to the privacy loss and density at
    /// this distance.
    using Curve = std::function<PldPoint(double)>;

    /**
     * @param curve maps each distance to the privacy loss, which is at least 0, and the density
     * @param width width of a quadrature panel, > 0
     * @param atoms privacy losses above 0 that have a positive probability
     */
    ExcessMoments(Curve curve, double width, const std::vector<PldPoint>& atoms = {});

    /// True if the quadrature up to the distance @p to needs at most 1000 panels.
    bool Affordable(double to) const;

    /**
     * @brief Logarithm of |E_Q[r^a] - 1|, summed over the quadrature points up to a distance.
     * @param order order a of the moment, > 0
     * @param to distance beyond which the curve has ended or is negligible; must be Affordable()
     * @return -infinity for a = 1
     */
    double Log(double order, double to) const;

  private:
    /// Computes and stores the missing quadrature points up to the distance @p to. Returns the
    /// number of points up to this distance, including atoms.
    std::size_t PointsFor(double to) const;

    /// Privacy loss and density at each distance from the point with loss 0.
    Curve m_curve;
    double m_width;      ///< width of a quadrature panel, in the unit of the curve's argument t
    std::size_t m_atoms; ///< number of atoms, which are the first elements of m_points
    mutable std::mutex m_mutex; ///< guards m_points
    /// The atoms, then quadrature points whose density includes the quadrature weight.
    mutable std::vector<PldPoint> m_points;
};

/**
 * @brief A dominating pair whose privacy curve is unchanged if P and Q are exchanged. The pair is
 *        valid for both directions, REMOVE and ADD.
 *
 * The masses at privacy losses above 0 define the pair. The mass of P at a negative loss is the
 * mass of Q at the opposite loss, and the remaining probability has loss 0.
 *
 * Every privacy curve that holds in both directions for all epsilon >= 0 is the curve of such a
 * pair. Let H_a be the hockey-stick divergence with a = e^epsilon. The identity H_a(P||Q) = 1 - a +
 * a H_{1/a}(Q||P) then determines the curve for epsilon < 0 (Zhu, Dong and Wang, 2022).
 */
class MirroredPair : public DominatingPair
{
  public:
    void CellMasses(const PldGrid& grid, double* p, double* q) const override;
    double LogMoment(double order) const override;

  protected:
    /**
     * @brief Probabilities of the cells above 0 of the grid 0, h, 2h, ...
     * @param cells number of cells
     * @param h width of a cell, in nats of privacy loss
     * @param[out] p [cells + 2]: p[i] = P((i-1) h < loss <= i h) for i = 1..cells, p[cells + 1] =
     *        P(loss > cells h); p[0] is not used
     * @param[out] q [cells + 2]: the same probabilities under Q
     */
    virtual void UpperMasses(std::size_t cells, double h, double* p, double* q) const = 0;

    /**
     * @brief Logarithm of |E_Q[r^order] - 1|, with r = dP/dQ, or a bound on this logarithm.
     *
     * A bound is an upper bound for order > 1 and a lower bound for order < 1. In both cases
     * LogMoment() is an upper bound of the log moment.
     * @param order at least 1/2 and not 1
     */
    virtual double LogExcess(double order) const = 0;
};

/**
 * @brief Dominating pair of a sampled Gaussian step for the replace-one neighbouring relation.
 *
 * The sampling rate is q. Rival::OPPOSITE is the pair (1 - q) N(0, 1) + q N(mu, 1) and (1 - q) N(0,
 * 1) + q N(-mu, 1). It is valid for Poisson sampling if the example and its replacement each move
 * the sum by at most mu standard deviations of the noise.
 *
 * Rival::STILL takes the privacy losses above 0 from (1 - q) N(0, 1) + q N(mu, 1) against N(0, 1),
 * and mirrors them. It is valid for batches of fixed size drawn without replacement if replacing an
 * example moves the sum by at most mu (Balle, Barthe and Gaboardi, 2018; Zhu, Dong and Wang, 2022).
 * It is also valid for Poisson sampling if neither adding nor replacing an example moves the sum by
 * more than mu.
 *
 * Proof for OPPOSITE: let the two examples change the sum by u and v. For a >= 1 the hockey-stick
 * divergence H_a is the integral of the positive part of q N(u) - (a - 1)(1 - q) N(0) - a q N(v).
 * H_a increases with |u|, with |u - v|, and with the correlation of u and u - v. So H_a is largest
 * if u and v are opposite.
 */
class MirroredGaussianPair : public MirroredPair
{
  public:
    /// Effect of the replacing example ("rival") on the gradient sum.
    enum class Rival
    {
        STILL,    ///< the replacement does not move the sum
        OPPOSITE, ///< the replacement moves the sum opposite to the example
    };

    /**
     * @param rate sampling probability q, in (0, 1)
     * @param mu largest change of the sum by an example, in standard deviations of the noise;
     *        finite, > 0
     * @param rival effect of the replacing example on the sum
     */
    MirroredGaussianPair(double rate, double mu, Rival rival);

    PldRange Range(double tail) const override;

  protected:
    void UpperMasses(std::size_t cells, double h, double* p, double* q) const override;
    double LogExcess(double order) const override;

  private:
    /// Privacy loss and density at a distance t >= 0 from the point with privacy loss 0.
    PldPoint At(double t) const;
    /// Distance t at which At(t) has the privacy loss @p loss >= 0.
    double Inverse(double loss) const;

    double m_rate;   ///< sampling probability q
    double m_mu;     ///< mu of the class description, in standard deviations of the noise
    bool m_opposite; ///< true: Rival::OPPOSITE
    /// Half the distance between the sums with the example and with its replacement, in standard
    /// deviations of the noise.
    double m_half;
    double m_centre;        ///< point x with privacy loss 0, relative to the centre of N(0, 1)
    ExcessMoments m_excess; ///< moments E_Q[r^a] - 1 of the likelihood ratio r
};

/**
 * @brief Dominating pair of a sampled Laplace step for the replace-one neighbouring relation.
 *
 * The privacy losses above 0 are those of (1 - q) Lap(0) + q Lap(s) against Lap(0), for sampling
 * rate q and noise of scale 1. The losses below 0 mirror them. Balle, Barthe and Gaboardi (2018)
 * prove the bound for batches of fixed size. For Poisson sampling, joint convexity of the
 * hockey-stick divergence gives the bound. The batch with the example is compared with two batches:
 * without any example, and with the replacement. The shift s bounds the change of the sum in both
 * comparisons.
 */
class MirroredLaplacePair : public MirroredPair
{
  public:
    /**
     * @param rate sampling probability q, in (0, 1)
     * @param shift s: L1 distance between the sums with an example and with its replacement,
     *        divided by the noise scale; finite, > 0
     */
    MirroredLaplacePair(double rate, double shift);

    PldRange Range(double tail) const override;

  protected:
    void UpperMasses(std::size_t cells, double h, double* p, double* q) const override;
    double LogExcess(double order) const override;

  private:
    LaplacePair m_upper;    ///< pair whose privacy losses above 0 define this pair
    double m_shift;         ///< shift s of the class description, in noise scales
    double m_top;           ///< largest privacy loss of the pair, in nats
    ExcessMoments m_excess; ///< moments E_Q[r^a] - 1 of the likelihood ratio r
};

} // namespace dpdl

#endif // DPDL_PRIVACY_MIRRORED_PAIR_H
