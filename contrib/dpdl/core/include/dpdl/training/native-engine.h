// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NATIVE_ENGINE_H
#define DPDL_TRAINING_NATIVE_ENGINE_H

#include "dpdl/training/gradient-engine.h"

#include <memory>

namespace dpdl
{

class NativeNetwork;

/**
 * @brief Gradients of per-example clipping at the price of the gradient of the whole batch.
 *
 * Up to the first linear layer a batch is computed in chunks of a few examples whose intermediate
 * values stay in the cache, from there on as a whole. The weight gradient of a convolution is
 * formed example by example, which costs no more operations than their sum. For a linear layer it
 * is never formed: its norm is |input| * |output gradient| (Goodfellow, arXiv:1510.01799), and the
 * clip factors go into the product that sums over the batch (book-keeping; Bu et al., ICML 2023).
 * Images are in [row, column, channel] order inside. All products are loops of this project
 * (NativeKernels): a BLAS chooses its kernels by the number of examples, and with them the last
 * bits. Values and gradients of an example are float32; gradients of examples are added up in
 * double precision.
 */
class NativeEngine : public GradientEngine
{
  public:
    /// @param model what it computes
    explicit NativeEngine(const ModelSpec& model);
    ~NativeEngine() override;

    BatchResult ClippedGradientSum(const float* parameters,
                                   const Batch& batch,
                                   double clip,
                                   double* gradientSum) override;

    /// True: all kernels treat the examples of a block alike.
    bool IsBatchInvariant() const override;

    Evaluation Evaluate(const float* parameters,
                        const Split& split,
                        std::size_t first,
                        std::size_t count) override;

  private:
    std::unique_ptr<NativeNetwork> m_network; ///< layers and their memory
    std::size_t m_parameters;                 ///< of the model
};

} // namespace dpdl

#endif // DPDL_TRAINING_NATIVE_ENGINE_H
