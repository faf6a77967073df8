// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_REFERENCE_NETWORK_H
#define DPDL_TEST_REFERENCE_NETWORK_H

#include "dpdl/base/random.h"
#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/graph-sequence.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace dpdl
{

inline const double PI = std::acos(-1.0);

using Matrix = std::vector<std::vector<double>>;

/// Largest singular value by one-sided Jacobi rotations of the rows.
inline double
LargestSingularValue(Matrix rows)
{
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < 60; ++sweep)
    {
        rotated = false;
        for (std::size_t p = 0; p < rows.size(); ++p)
        {
            for (std::size_t q = p + 1; q < rows.size(); ++q)
            {
                double pp = 0.0;
                double qq = 0.0;
                double pq = 0.0;
                for (std::size_t c = 0; c < rows[p].size(); ++c)
                {
                    pp += rows[p][c] * rows[p][c];
                    qq += rows[q][c] * rows[q][c];
                    pq += rows[p][c] * rows[q][c];
                }
                if (std::fabs(pq) <= 1e-15 * std::sqrt(pp * qq) || std::fabs(pq) < 1e-300)
                {
                    continue;
                }
                rotated = true;
                const double angle = 0.5 * std::atan2(2.0 * pq, pp - qq);
                const double cosine = std::cos(angle);
                const double sine = std::sin(angle);
                for (std::size_t c = 0; c < rows[p].size(); ++c)
                {
                    const double a = rows[p][c];
                    const double b = rows[q][c];
                    rows[p][c] = cosine * a + sine * b;
                    rows[q][c] = cosine * b - sine * a;
                }
            }
        }
    }
    double largest = 0.0;
    for (const std::vector<double>& row : rows)
    {
        double square = 0.0;
        for (const double entry : row)
        {
            square += entry * entry;
        }
        largest = std::max(largest, square);
    }
    return std::sqrt(largest);
}

/// What becomes of shares in flight.
struct Fates
{
    double loss{0.0};       ///< probability of never arriving
    double late{0.0};       ///< probability of arriving later than the round of sending
    std::uint32_t delay{1}; ///< late shares arrive 1..delay rounds later
};

/**
 * Push-sum on numerators, with every share in flight as its own virtual node: a path to R that
 * has nothing in common with the tracker's. Columns are the carriers of mass at the window's start.
 */
class ReferenceNetwork
{
  public:
    ReferenceNetwork(std::shared_ptr<const GraphSequence> graph, Fates fates, std::uint32_t seed)
        : m_graph(std::move(graph)),
          m_fates(fates),
          m_seed{seed, 1},
          m_mass(m_graph->Nodes(), 1.0)
    {
        StartWindow();
    }

    void StartWindow()
    {
        const std::size_t columns = m_mass.size() + m_flying.size();
        m_startMass = m_mass;
        m_numerator.assign(m_mass.size(), std::vector<double>(columns, 0.0));
        for (std::size_t i = 0; i < m_mass.size(); ++i)
        {
            m_numerator[i][i] = 1.0;
        }
        for (Share& share : m_flying)
        {
            share.numerator.assign(columns, 0.0);
            share.numerator[m_startMass.size()] = 1.0;
            m_startMass.push_back(share.mass);
        }
    }

    /// Plays the next round and returns what every node mixed.
    std::vector<std::vector<MixedShare>> PlayRound()
    {
        for (NodeId node = 0; node < m_mass.size(); ++node)
        {
            Send(node);
        }
        std::vector<std::vector<MixedShare>> mixed(m_mass.size());
        std::vector<Share> flying;
        std::fill(m_mass.begin(), m_mass.end(), 0.0);
        for (std::vector<double>& numerator : m_numerator)
        {
            std::fill(numerator.begin(), numerator.end(), 0.0);
        }
        for (Share& share : m_flying)
        {
            if (share.arrives > m_round)
            {
                flying.push_back(share);
                continue;
            }
            mixed[share.target].push_back({share.source, share.sent, ScaledDouble(share.mass)});
            m_mass[share.target] += share.mass;
            for (std::size_t c = 0; c < share.numerator.size(); ++c)
            {
                m_numerator[share.target][c] += share.numerator[c];
            }
        }
        m_flying = flying;
        ++m_round;
        return mixed;
    }

    /// R = diag(w^e)^-1 Phi diag(w^s).
    Matrix WindowMatrix() const
    {
        Matrix matrix = m_numerator;
        for (std::size_t j = 0; j < matrix.size(); ++j)
        {
            for (std::size_t c = 0; c < m_startMass.size(); ++c)
            {
                matrix[j][c] *= m_startMass[c] / m_mass[j];
            }
        }
        return matrix;
    }

    /// pi: the part of the final mass that comes from each column.
    std::vector<double> Influence() const
    {
        std::vector<double> influence(m_startMass.size(), 0.0);
        for (std::size_t c = 0; c < m_startMass.size(); ++c)
        {
            for (std::size_t j = 0; j < m_mass.size(); ++j)
            {
                influence[c] += m_numerator[j][c] * m_startMass[c] / Total();
            }
        }
        return influence;
    }

    double Sigma() const
    {
        const std::vector<double> influence = Influence();
        Matrix matrix = WindowMatrix();
        for (std::size_t j = 0; j < matrix.size(); ++j)
        {
            const double root = std::sqrt(m_mass[j] / Total());
            for (std::size_t c = 0; c < influence.size(); ++c)
            {
                const double part = std::sqrt(influence[c]);
                matrix[j][c] = part > 0.0 ? root * (matrix[j][c] / part - part) : 0.0;
            }
        }
        return LargestSingularValue(matrix);
    }

    double Dobrushin() const
    {
        const Matrix matrix = WindowMatrix();
        double largest = 0.0;
        for (const std::vector<double>& a : matrix)
        {
            for (const std::vector<double>& b : matrix)
            {
                double sum = 0.0;
                for (std::size_t c = 0; c < a.size(); ++c)
                {
                    sum += std::fabs(a[c] - b[c]);
                }
                largest = std::max(largest, sum / 2.0);
            }
        }
        return largest;
    }

  private:
    /// A virtual node.
    struct Share
    {
        NodeId source;
        NodeId target;
        Round sent;
        Round arrives;
        double mass;
        std::vector<double> numerator;
    };

    double Total() const
    {
        double total = 0.0;
        for (const double mass : m_mass)
        {
            total += mass;
        }
        return total;
    }

    /// What one node gives another in this round.
    Share Part(NodeId node, NodeId target) const
    {
        const double weight = m_graph->Weight(node, target, m_round);
        Share share{node, target, m_round, m_round, m_mass[node] * weight, m_numerator[node]};
        for (double& entry : share.numerator)
        {
            entry *= weight;
        }
        return share;
    }

    void Send(NodeId node)
    {
        const RandomStream random(m_seed, RandomPurpose::TEST, node, m_round);
        m_flying.push_back(Part(node, node));
        for (const NodeId target : m_graph->OutNeighbours(node, m_round))
        {
            Share share = Part(node, target);
            const bool late = random.Uniform(3 * target) < m_fates.late;
            const auto delay = 1 + random.Integer(3 * target + 1, m_fates.delay);
            share.arrives = m_round + (late ? delay : 0);
            if (random.Uniform(3 * target + 2) >= m_fates.loss)
            {
                m_flying.push_back(share);
            }
        }
    }

    std::shared_ptr<const GraphSequence> m_graph; ///< who sends to whom
    Fates m_fates;                                ///< what becomes of it
    RandomSeed m_seed;                            ///< of the fates
    Round m_round{0};                             ///< the next one
    std::vector<double> m_mass;                   ///< w at the nodes
    std::vector<double> m_startMass;              ///< w of the carriers at the window's start
    Matrix m_numerator;                           ///< Phi, a row for each node
    std::vector<Share> m_flying;                  ///< sent, not mixed yet
};

} // namespace dpdl

#endif // DPDL_TEST_REFERENCE_NETWORK_H
