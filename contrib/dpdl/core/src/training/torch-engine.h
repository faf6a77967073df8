// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_ENGINE_H
#define DPDL_TRAINING_TORCH_ENGINE_H

#include "torch-batch.h"

#include <vector>

namespace dpdl
{

/// Device on which an engine computes, and memory that it shares with its caller.
struct TorchPlace
{
    at::Device device{at::kCPU}; ///< device of the tensors
    at::Device home{at::kCPU};   ///< device of the flat parameters and of the gradient sum
    bool byKernels{true}; ///< true: the native kernels read the tensors, which are in host memory
    /// Most memory for the gradients of the examples of one pass, in bytes.
    std::size_t bytes{std::size_t{2} << 30};
};

/// Parameter tensors of a model on place.device, read-only and without gradients: views of the flat
/// vector if place.home is the same device, else copies. The vector must outlive the views.
/// @param parameters [ParameterCount()] on place.home
std::vector<at::Tensor> ParameterTensors(const ModelSpec& model,
                                         const float* parameters,
                                         const TorchPlace& place);

/// GradientSum for tensors on any device: sums the examples of each block of at most SUM_BLOCK,
/// then the blocks.
class TensorSum
{
  public:
    /// @param total [size] on place.home, overwritten; complete after Finish()
    /// @param size number of values of a gradient
    /// @param place device of the gradients
    TensorSum(double* total, std::size_t size, const TorchPlace& place);

    /// Returns the tensor [size] to which the caller adds the gradients of the next examples.
    /// @param examples number of the next examples, at most SUM_BLOCK
    const at::Tensor& Next(std::size_t examples);

    /// Adds the last block, and copies the sum if place.home is another device.
    void Finish();

  private:
    at::Tensor m_result; ///< sum of all gradients, on place.home
    at::Tensor m_total;  ///< sum of the finished blocks, or of the current block if it is the first
    at::Tensor m_block;  ///< sum of the current block; undefined in the first block
    std::size_t m_examples{0}; ///< number of examples in the current block
};

/// Base of the engines that compute with LibTorch: passes the examples of a batch part by part to
/// the subclass.
class TorchEngine : public GradientEngine
{
  public:
    /// @param model model to compute
    /// @param place device of the tensors
    /// @param atOnce largest number of examples of a part
    TorchEngine(ModelSpec model, const TorchPlace& place, std::size_t atOnce);

    BatchResult ClippedGradientSum(const float* parameters,
                                   const Batch& batch,
                                   double clip,
                                   double* gradientSum) final;
    Evaluation Evaluate(const float* parameters,
                        const Split& split,
                        std::size_t first,
                        std::size_t count) final;

  protected:
    /// Model that the engine computes.
    const ModelSpec& Model() const
    {
        return m_model;
    }

    /// Device of the tensors.
    const TorchPlace& Place() const
    {
        return m_place;
    }

    /// Copies the examples of a part to the device.
    TorchBatch ToDevice(const Batch& part) const;

  private:
    /// Sets the parameters for the next calls of the other methods.
    /// @param parameters [tensors] result of ParameterTensors()
    virtual void Load(const std::vector<at::Tensor>& parameters) = 0;

    /// Computes logits [examples, classes] of images, without gradients.
    virtual at::Tensor Logits(const at::Tensor& images) = 0;

    /// Adds the clipped gradients of a part of a batch.
    /// @param clip clip norm (L2) of one example's gradient
    /// @param[in,out] sum gradient sum of the batch
    virtual BatchResult AddPart(const Batch& part, double clip, TensorSum& sum) = 0;

    const ModelSpec m_model;    ///< model that the engine computes
    const TorchPlace m_place;   ///< device of the tensors
    const std::size_t m_atOnce; ///< largest number of examples of a part
};

} // namespace dpdl

#endif // DPDL_TRAINING_TORCH_ENGINE_H
