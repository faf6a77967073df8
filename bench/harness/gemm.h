// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_GEMM_H
#define DPDL_BENCH_GEMM_H

#include "dpdl/training/model.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/// Sizes of a matrix product C [rows, columns] = A [rows, inner] B [inner, columns].
struct GemmShape
{
    std::size_t rows;    ///< of A and C
    std::size_t columns; ///< of B and C
    std::size_t inner;   ///< columns of A, rows of B

    /// Multiplications and additions.
    double Flop() const
    {
        return 2.0 * static_cast<double>(rows) * static_cast<double>(columns) *
               static_cast<double>(inner);
    }
};

/**
 * @brief The products that the gradient of a batch cannot do without: forward, of the weights, and
 *        of the inputs except those of the first layer. A convolution is the product of its
 * windows.
 * @param model a chain of layers
 * @param batch number of examples
 */
std::vector<GemmShape> GradientGemms(const ModelSpec& model, std::size_t batch);

/// Multiplications and additions of all of them.
double TotalFlop(const std::vector<GemmShape>& shapes);

/// Does products of random matrices, with the sgemm that the engines use.
class GemmWork
{
  public:
    /// @param shapes the products, done one behind the other
    explicit GemmWork(std::vector<GemmShape> shapes);

    /// Does all of them once.
    void Run();

  private:
    std::vector<GemmShape> m_shapes; ///< the products
    std::vector<float> m_a;          ///< as large as the largest A
    std::vector<float> m_b;          ///< as large as the largest B
    std::vector<float> m_c;          ///< as large as the largest C
};

/// The product whose rate counts as this machine's peak.
GemmShape PeakGemm();

} // namespace dpdl

#endif // DPDL_BENCH_GEMM_H
