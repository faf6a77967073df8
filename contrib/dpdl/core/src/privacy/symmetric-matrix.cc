// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/symmetric-matrix.h"

#include "dpdl/base/errors.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace dpdl
{

namespace
{

using DenseMatrix = Eigen::MatrixXd;

/// Views @p values as a column-major square matrix, [size, size], without copying. @p values must
/// outlive the view.
Eigen::Map<const DenseMatrix>
SquareOf(const std::vector<double>& values, std::size_t size)
{
    const auto n = static_cast<Eigen::Index>(size);
    return {values.data(), n, n};
}

Eigen::LLT<DenseMatrix>
FactorOf(const std::vector<double>& values, std::size_t size)
{
    Eigen::LLT<DenseMatrix> factor(SquareOf(values, size));
    // The test also rejects a NaN on the diagonal: the comparison with 0 is then false.
    if (factor.info() != Eigen::Success || !(factor.matrixLLT().diagonal().array() > 0.0).all())
    {
        throw Error("a covariance of noise is not positive definite");
    }
    return factor;
}

Eigen::SelfAdjointEigenSolver<DenseMatrix>
SpectrumOf(const std::vector<double>& values, std::size_t size, int parts)
{
    Eigen::SelfAdjointEigenSolver<DenseMatrix> spectrum(SquareOf(values, size), parts);
    if (spectrum.info() != Eigen::Success)
    {
        throw Error("the eigenvalues of a matrix did not converge");
    }
    return spectrum;
}

template <typename Dense>
std::vector<double>
ValuesOf(const Dense& matrix)
{
    return {matrix.data(), matrix.data() + matrix.size()};
}

} // namespace

SymmetricMatrix
SymmetricMatrix::Root() const
{
    SymmetricMatrix root(m_size);
    root.m_values = ValuesOf(FactorOf(m_values, m_size).matrixLLT());
    return root;
}

SymmetricMatrix
SymmetricMatrix::Inverse() const
{
    const auto n = static_cast<Eigen::Index>(m_size);
    const DenseMatrix values = FactorOf(m_values, m_size).solve(DenseMatrix::Identity(n, n));
    SymmetricMatrix inverse(m_size);
    inverse.m_values = ValuesOf(values);
    return inverse;
}

std::vector<double>
SymmetricMatrix::InverseDiagonal() const
{
    const SymmetricMatrix inverse = Inverse();
    const Eigen::VectorXd diagonal = SquareOf(inverse.m_values, m_size).diagonal();
    return ValuesOf(diagonal);
}

std::vector<double>
SymmetricMatrix::Eigenvalues() const
{
    return ValuesOf(SpectrumOf(m_values, m_size, Eigen::EigenvaluesOnly).eigenvalues());
}

std::vector<double>
SymmetricMatrix::Eigenvectors(std::vector<double>& vectors) const
{
    const auto spectrum = SpectrumOf(m_values, m_size, Eigen::ComputeEigenvectors);
    vectors = ValuesOf(spectrum.eigenvectors());
    return ValuesOf(spectrum.eigenvalues());
}

SymmetricMatrix
SymmetricMatrix::Map(const std::function<double(double)>& function) const
{
    const auto spectrum = SpectrumOf(m_values, m_size, Eigen::ComputeEigenvectors);
    const DenseMatrix& vectors = spectrum.eigenvectors();
    const Eigen::VectorXd values = spectrum.eigenvalues().unaryExpr(function);
    const DenseMatrix product = vectors * values.asDiagonal() * vectors.transpose();
    SymmetricMatrix mapped(m_size);
    mapped.m_values = ValuesOf(product);
    return mapped;
}

SymmetricMatrix
SymmetricMatrix::Around(const SymmetricMatrix& middle) const
{
    const DenseMatrix outer = SquareOf(m_values, m_size).selfadjointView<Eigen::Lower>();
    const DenseMatrix inner = SquareOf(middle.m_values, m_size).selfadjointView<Eigen::Lower>();
    const DenseMatrix product = outer * inner * outer;
    SymmetricMatrix around(m_size);
    around.m_values = ValuesOf(product);
    return around;
}

} // namespace dpdl
