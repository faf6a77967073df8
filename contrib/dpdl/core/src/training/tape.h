// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TAPE_H
#define DPDL_TRAINING_TAPE_H

#include "dpdl/training/model.h"

#include <ATen/core/Tensor.h>
#include <array>
#include <string>
#include <vector>

// Operations with parameters of a LibTorch model, and the tape that applies them. A tape can record
// the operations for ghost clipping.

namespace dpdl
{

/// Marks a missing parameter tensor of an operation.
constexpr std::size_t NO_TENSOR = static_cast<std::size_t>(-1);

/// (rows, columns) of a window, a stride or a padding.
using Pair = std::array<std::int64_t, 2>;

/// A convolution of [examples, channels, rows, columns].
struct ConvOp
{
    std::size_t weight;     ///< number of the tensor [out, in / groups, rows, columns]
    std::size_t bias;       ///< number of the tensor [out], or NO_TENSOR
    Pair kernel;            ///< height and width of the window
    Pair stride;            ///< step of the window
    Pair padding;           ///< rows and columns of zeros on each side
    std::int64_t groups{1}; ///< each has an equal part of the input and output channels
};

/// A product of [examples, .., in] with a matrix, plus a bias.
struct LinearOp
{
    std::size_t weight; ///< number of the tensor [out, in]
    std::size_t bias;   ///< number of the tensor [out], or NO_TENSOR
};

/// Default epsilon that normalisations add to a variance, as in PyTorch.
constexpr double USUAL_EPSILON = 1e-5;

/// Normalisation of [examples, channels, rows, columns] over groups of channels of one example.
struct GroupNormOp
{
    std::size_t scale;             ///< number of the tensor [channels]
    std::size_t shift;             ///< number of the tensor [channels]
    std::int64_t groups;           ///< number of groups
    double epsilon{USUAL_EPSILON}; ///< added to the variance
};

/// Normalisation of [examples, tokens, width] over the width.
struct LayerNormOp
{
    std::size_t scale;             ///< number of the tensor [width]
    std::size_t shift;             ///< number of the tensor [width]
    double epsilon{USUAL_EPSILON}; ///< added to the variance
};

/// Normalisation of each channel over all examples of the batch.
struct BatchNormOp
{
    std::size_t scale; ///< number of the tensor [channels]
    std::size_t shift; ///< number of the tensor [channels]
};

/// A tensor that every example uses directly: a class token or a position embedding.
struct ParameterOp
{
    std::size_t tensor; ///< number of the tensor
};

/// Collects the tensors of a model in the order in which its operations are declared.
class ParameterList
{
  public:
    /// Tensors name.weight [out, in, kernel, kernel] and, with @p bias, name.bias.
    ConvOp Conv(const std::string& name,
                const std::vector<std::uint32_t>& weight,
                std::uint32_t stride,
                std::uint32_t padding,
                bool bias);

    /// Tensors name.weight [out, in] and name.bias.
    LinearOp Linear(const std::string& name, std::uint32_t in, std::uint32_t out);

    /// Tensors name.weight and name.bias [channels].
    GroupNormOp GroupNorm(const std::string& name, std::uint32_t channels, std::uint32_t groups);

    /// Tensors name.weight and name.bias [width].
    LayerNormOp LayerNorm(const std::string& name, std::uint32_t width);

    /// Tensors name.weight and name.bias [channels].
    BatchNormOp BatchNorm(const std::string& name, std::uint32_t channels);

    /// One tensor for a ParameterOp. @param shape of the tensor
    ParameterOp Free(const std::string& name,
                     const std::vector<std::uint32_t>& shape,
                     Initialisation start);

    /// The tensors declared so far.
    const std::vector<ParameterTensor>& Tensors() const;

  private:
    std::size_t Add(const std::string& name,
                    const std::vector<std::uint32_t>& shape,
                    std::size_t fanIn,
                    Initialisation start);
    std::size_t AddScale(const std::string& name, std::uint32_t channels);
    std::size_t AddShift(const std::string& name, std::uint32_t channels);

    std::vector<ParameterTensor> m_tensors; ///< parameters in the order of the flat vector
};

/**
 * @brief Applies the operations of a model to a batch.
 *
 * All operations with parameters go through a tape; the others (pools, activations, sums) are
 * called directly. This tape only computes; subclasses also record the operations.
 */
class Tape
{
  public:
    /// @param parameters the model's tensors; have to outlive the tape
    explicit Tape(const std::vector<at::Tensor>& parameters);
    virtual ~Tape() = default;

    virtual at::Tensor Apply(const ConvOp& op, const at::Tensor& x);
    virtual at::Tensor Apply(const LinearOp& op, const at::Tensor& x);
    virtual at::Tensor Apply(const GroupNormOp& op, const at::Tensor& x);
    virtual at::Tensor Apply(const LayerNormOp& op, const at::Tensor& x);
    virtual at::Tensor Apply(const BatchNormOp& op, const at::Tensor& x);

    /// The tensor repeated for each example: [examples, shape].
    virtual at::Tensor Apply(const ParameterOp& op, std::int64_t examples);

  protected:
    /// A tensor of the model; undefined for NO_TENSOR.
    at::Tensor Parameter(std::size_t number) const;

  private:
    const std::vector<at::Tensor>& m_parameters; ///< parameters of the model
};

/// Multi-head self-attention, made of two operations of a tape.
struct AttentionOp
{
    LinearOp project;   ///< linear map of tokens to queries, keys and values
    LinearOp join;      ///< output projection of the joined heads
    std::int64_t heads; ///< number of heads, each with an equal part of the width
};

/// Softmax(Q K' / sqrt(width of a head)) V of [examples, tokens, width], head by head (Vaswani et
/// al., NeurIPS 2017).
at::Tensor Attend(Tape& tape, const AttentionOp& op, const at::Tensor& x);

} // namespace dpdl

#endif // DPDL_TRAINING_TAPE_H
