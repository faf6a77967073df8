// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-network.h"

#include <algorithm>
#include <array>

namespace dpdl
{

namespace
{

/**
 * @brief Per-example clipping at about the cost of the plain batch gradient.
 *
 * Up to the first linear layer, a batch is computed in chunks of a few examples whose activations
 * stay in the cache; the later layers process whole blocks. Per-example weight gradients of
 * convolutions are materialised, which costs no more operations than their sum. Those of linear
 * layers are not: their norm is |input| * |output gradient| (Goodfellow, arXiv:1510.01799), and the
 * product that sums over the batch applies the clip factors (book-keeping; Bu et al., ICML 2023).
 * Images are in [row, column, channel] order. All products use NativeKernels: a BLAS chooses its
 * kernels by the number of examples, which changes the last bits. Activations and per-example
 * gradients are float32; sums over examples are in double precision.
 */
class NativeEngine : public GradientEngine
{
  public:
    /// @param model to compute
    explicit NativeEngine(const ModelSpec& model)
        : m_network(model),
          m_parameters(model.ParameterCount())
    {
    }

    BatchResult ClippedGradientSum(const float* parameters,
                                   const Batch& batch,
                                   double clip,
                                   double* gradientSum) override;

    /// True: no kernel depends on the number or position of examples.
    bool IsBatchInvariant() const override
    {
        return true;
    }

    Evaluation Evaluate(const float* parameters,
                        const Split& split,
                        std::size_t first,
                        std::size_t count) override;

  private:
    NativeNetwork m_network;  ///< layers and their memory
    std::size_t m_parameters; ///< of the model
};

BatchResult
NativeEngine::ClippedGradientSum(const float* parameters,
                                 const Batch& batch,
                                 double clip,
                                 double* gradientSum)
{
    m_network.Begin(parameters);
    BatchResult result;
    if (batch.size == 0)
    {
        std::fill_n(gradientSum, m_parameters, 0.0);
    }
    // Blocks of about the same size, so none has only a few examples.
    const std::size_t blocks = (batch.size + NativeNetwork::BLOCK - 1) / NativeNetwork::BLOCK;
    for (std::size_t block = 0; block < blocks; ++block)
    {
        const std::size_t first = block * batch.size / blocks;
        const std::size_t end = (block + 1) * batch.size / blocks;
        result += m_network.Gradient(batch.Part(first, end - first), clip, gradientSum);
    }
    return result;
}

Evaluation
NativeEngine::Evaluate(const float* parameters,
                       const Split& split,
                       std::size_t first,
                       std::size_t count)
{
    m_network.Begin(parameters);
    Evaluation evaluation;
    std::array<std::uint32_t, NativeNetwork::BLOCK> examples{};
    for (std::size_t begin = first; begin < first + count; begin += NativeNetwork::BLOCK)
    {
        const std::size_t size = std::min(NativeNetwork::BLOCK, first + count - begin);
        for (std::size_t i = 0; i < size; ++i)
        {
            examples[i] = static_cast<std::uint32_t>(begin + i);
        }
        evaluation += m_network.Score({&split, examples.data(), size});
    }
    return evaluation;
}

} // namespace

std::unique_ptr<GradientEngine>
MakeNativeEngine(const ModelSpec& model)
{
    return std::make_unique<NativeEngine>(model);
}

} // namespace dpdl
