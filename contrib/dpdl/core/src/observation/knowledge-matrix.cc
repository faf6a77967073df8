// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/observation/network-observer.h"

#include <Eigen/SVD>
#include <algorithm>
#include <limits>

// Computes the orthogonal projector R^+ R onto the row space of the knowledge matrix R, by Eigen's
// singular value decomposition of the normalised rows.

namespace dpdl
{

namespace
{

/// Matrix of the nonzero rows, each scaled to Euclidean norm 1.
/// @param columns length of a row; shorter rows are padded with zeros
Eigen::MatrixXd
UnitRows(const std::vector<const std::vector<double>*>& rows, std::size_t columns)
{
    Eigen::MatrixXd matrix =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(columns == 0 ? 0 : rows.size()),
                              static_cast<Eigen::Index>(columns));
    Eigen::Index count = 0;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    {
        const std::vector<double>& row = *rows[static_cast<std::size_t>(i)];
        const Eigen::Map<const Eigen::RowVectorXd> entries(row.data(),
                                                           static_cast<Eigen::Index>(row.size()));
        if (!entries.allFinite())
        {
            throw Error("the knowledge matrix has an entry that is not finite");
        }
        // Eigen's stableNorm() avoids overflow and underflow of the squares.
        const double length = entries.stableNorm();
        if (length > 0.0)
        {
            matrix.row(count++).head(entries.size()) = entries / length;
        }
    }
    matrix.conservativeResize(count, Eigen::NoChange);
    return matrix;
}

/// Singular value decomposition with right singular vectors. Eigen 5 expects the option as a
/// template argument.
auto
RightVectorsOf(const Eigen::MatrixXd& matrix)
{
#if EIGEN_VERSION_AT_LEAST(3, 4, 90)
    return Eigen::BDCSVD<Eigen::MatrixXd, Eigen::ComputeThinV>(matrix);
#else
    return Eigen::BDCSVD<Eigen::MatrixXd>(matrix, Eigen::ComputeThinV);
#endif
}

} // namespace

KnowledgeMatrix::KnowledgeMatrix(const std::vector<const std::vector<double>*>& rows,
                                 std::size_t columns)
{
    const Eigen::MatrixXd matrix = UnitRows(rows, columns);
    if (matrix.size() == 0)
    {
        return;
    }
    m_leastEntry = (matrix.array() == 0.0).select(1.0, matrix.array().abs()).minCoeff();
    const auto parts = RightVectorsOf(matrix);
    if (parts.info() != Eigen::Success)
    {
        throw Error("the singular value decomposition did not converge");
    }
    const Eigen::VectorXd& values = parts.singularValues();
    const double least = static_cast<double>(std::max(matrix.rows(), matrix.cols())) *
                         std::numeric_limits<double>::epsilon() * values[0];
    const Eigen::Index rank = (values.array() > least).count();
    m_rank = static_cast<std::size_t>(rank);
    m_conditioning = values[rank - 1] / values[0];
    const Eigen::MatrixXd vectors = parts.matrixV().leftCols(rank).transpose();
    m_vectors.assign(vectors.data(), vectors.data() + vectors.size());
}

std::vector<double>
KnowledgeMatrix::Block(const std::vector<std::size_t>& columns) const
{
    std::vector<double> block(columns.size() * columns.size(), 0.0);
    if (m_rank == 0 || columns.empty())
    {
        return block;
    }
    const auto size = static_cast<Eigen::Index>(columns.size());
    const Eigen::Map<const Eigen::MatrixXd> vectors(
        m_vectors.data(),
        static_cast<Eigen::Index>(m_rank),
        static_cast<Eigen::Index>(m_vectors.size() / m_rank));
    Eigen::MatrixXd part(vectors.rows(), size);
    for (Eigen::Index i = 0; i < size; ++i)
    {
        part.col(i) = vectors.col(static_cast<Eigen::Index>(columns[static_cast<std::size_t>(i)]));
    }
    Eigen::Map<Eigen::MatrixXd>(block.data(), size, size).noalias() = part.transpose() * part;
    return block;
}

} // namespace dpdl
