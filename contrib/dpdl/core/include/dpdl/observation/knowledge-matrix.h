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
 *        row space of R, Pi = R^+ R.
 *
 * If an observer sees y = R (g + N) with unit noise N, its best estimate of a change of g keeps the
 * part Pi g and loses the rest. The remaining noise gives mu^2 = |Pi g|^2 (Denisov, McMahan, Rush,
 * Smith and Thakurta, NeurIPS 2022; Bellet et al., arXiv 2510.17480).
 *
 * A singular value decomposition (LAPACK) of R yields the space; scaling the rows of R to unit
 * length does not change it. Singular values up to max(rows, columns) * 2^-52 times the largest
 * count as zero. If rounding hides a linear dependence of rows, unseen directions are added: the
 * matrix then reveals too much, never too little.
 */
class KnowledgeMatrix
{
  public:
    /**
     * @param rows views, each with one coefficient per input; shorter rows are padded with zeros
     * @param columns number of inputs
     * @throws Error if a coefficient is not finite or the decomposition does not converge
     */
    KnowledgeMatrix(const std::vector<const std::vector<double>*>& rows, std::size_t columns);

    /// Rank of R: dimension of the space that the observer knows.
    std::size_t Rank() const
    {
        return m_rank;
    }

    /// Smallest nonzero singular value divided by the largest; 1 if nothing is seen.
    double Conditioning() const
    {
        return m_conditioning;
    }

    /**
     * @brief Submatrix of Pi for some of the inputs.
     * @param columns indices of these inputs
     * @return symmetric, row-major, with as many rows as @p columns has entries
     */
    std::vector<double> Block(const std::vector<std::size_t>& columns) const;

  private:
    std::size_t m_rank{0};         ///< rank of R
    double m_conditioning{1.0};    ///< smallest singular value over the largest
    std::vector<double> m_vectors; ///< orthonormal, [columns, rank], row-major
};

} // namespace dpdl

#endif // DPDL_OBSERVATION_KNOWLEDGE_MATRIX_H
