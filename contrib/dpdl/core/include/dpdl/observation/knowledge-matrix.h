// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_OBSERVATION_KNOWLEDGE_MATRIX_H
#define DPDL_OBSERVATION_KNOWLEDGE_MATRIX_H

#include <cstddef>
#include <vector>

namespace dpdl
{

/**
 * @brief Information of a set of linear views about each input: the orthogonal projector onto the
 * space that the rows of R span, Pi = R^+ R.
 *
 * If y = R (g + N) with unit noise N is seen, the best estimate of a change of g keeps its part
 * Pi g and loses the rest, so that the noise left on it gives mu^2 = |Pi g|^2 (Denisov, McMahan,
 * Rush, Smith and Thakurta, NeurIPS 2022; Bellet et al., arXiv 2510.17480).
 *
 * The space is found by a singular value decomposition (LAPACK) of R with its rows brought to unit
 * length, which does not move it. Singular values up to max(rows, columns) * 2^-52 times the
 * largest count as zero. Where rounding has hidden that rows depend on each other, directions are
 * added that were not seen: the matrix then reveals too much, never too little.
 */
class KnowledgeMatrix
{
  public:
    /**
     * @param rows what was seen, each with a coefficient for each input; what a shorter row lacks
     *        is zero
     * @param columns number of inputs
     * @throws Error if a coefficient is not finite or the decomposition does not converge
     */
    KnowledgeMatrix(const std::vector<const std::vector<double>*>& rows, std::size_t columns);

    /// Dimension of what is known.
    std::size_t Rank() const
    {
        return m_rank;
    }

    /// Smallest singular value that counts as one, divided by the largest; 1 if nothing is seen.
    double Conditioning() const
    {
        return m_conditioning;
    }

    /**
     * @brief The part of Pi that belongs to some of the inputs.
     * @param columns which
     * @return symmetric, row-major, as many rows as @p columns has entries
     */
    std::vector<double> Block(const std::vector<std::size_t>& columns) const;

  private:
    std::size_t m_rank{0};         ///< rank of R
    double m_conditioning{1.0};    ///< smallest singular value over the largest
    std::vector<double> m_vectors; ///< orthonormal, [columns, rank], row-major
};

} // namespace dpdl

#endif // DPDL_OBSERVATION_KNOWLEDGE_MATRIX_H
