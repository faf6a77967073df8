// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TAPE_H
#define DPDL_TRAINING_TAPE_H

#include "dpdl/training/model.h"

#include <ATen/core/Tensor.h>
#include <array>
#include <string>
#include <vector>

// Operations of a LibTorch model that have parameters, and the tape that applies them. A subclass
// of Tape records the operations for ghost clipping.

namespace dpdl
{

/// Value of a tensor's index if an operation has no such tensor, for example no bias.
constexpr std::size_t NO_TENSOR = static_cast<std::size_t>(-1);

/// (rows, columns) of a window, a stride or a padding, in pixels.
using Pair = std::array<std::int64_t, 2>;

/// A convolution of images [examples, channels, rows, columns].
struct ConvOp
{
    std::size_t weight;     ///< index of the weight tensor [out, in / groups, rows, columns]
    std::size_t bias;       ///< index of the bias tensor [out], or NO_TENSOR
    Pair kernel;            ///< height and width of the window
    Pair stride;            ///< distance between adjacent windows, in rows and columns
    Pair padding;           ///< number of rows and columns of zeros on each side
    std::int64_t groups{1}; ///< number of groups, with equal numbers of input and of output
                            ///< channels
};

/// A linear layer: product of [examples, .., in] with a weight matrix, plus a bias if it has one.
struct LinearOp
{
    std::size_t weight; ///< index of the weight tensor [out, in]
    std::size_t bias;   ///< index of the bias tensor [out], or NO_TENSOR
};

/// Default constant that normalisations add to a variance, as in PyTorch.
constexpr double USUAL_EPSILON = 1e-5;

/// Group normalisation of [examples, channels, rows, columns]: over groups of channels of one
/// example.
struct GroupNormOp
{
    std::size_t scale;             ///< index of the scale tensor [channels]
    std::size_t shift;             ///< index of the shift tensor [channels]
    std::int64_t groups;           ///< number of groups of channels
    double epsilon{USUAL_EPSILON}; ///< constant that is added to the variance
};

/// Layer normalisation of [examples, tokens, width]: over the width of each token.
struct LayerNormOp
{
    std::size_t scale;             ///< index of the scale tensor [width]
    std::size_t shift;             ///< index of the shift tensor [width]
    double epsilon{USUAL_EPSILON}; ///< constant that is added to the variance
};

/// Batch normalisation of each channel over all examples of the batch.
struct BatchNormOp
{
    std::size_t scale; ///< index of the scale tensor [channels]
    std::size_t shift; ///< index of the shift tensor [channels]
};

/// A parameter tensor that is used without an input: a class token or position embeddings.
struct ParameterOp
{
    std::size_t tensor; ///< index of the parameter tensor
};

/// Declares the operations of a model. Collects their parameter tensors in the order of
/// declaration.
class ParameterList
{
  public:
    /// Declares a convolution with the tensors name.weight and, if @p bias is true, name.bias.
    /// @param weight shape [out, in, kernel, kernel] of the weight
    ConvOp Conv(const std::string& name,
                const std::vector<std::uint32_t>& weight,
                std::uint32_t stride,
                std::uint32_t padding,
                bool bias);

    /// Declares a linear layer with the tensors name.weight [out, in] and name.bias [out].
    LinearOp Linear(const std::string& name, std::uint32_t in, std::uint32_t out);

    /// Declares a group normalisation with the tensors name.weight and name.bias [channels].
    GroupNormOp GroupNorm(const std::string& name, std::uint32_t channels, std::uint32_t groups);

    /// Declares a layer normalisation with the tensors name.weight and name.bias [width].
    LayerNormOp LayerNorm(const std::string& name, std::uint32_t width);

    /// Declares a batch normalisation with the tensors name.weight and name.bias [channels].
    BatchNormOp BatchNorm(const std::string& name, std::uint32_t channels);

    /// Declares a parameter tensor that is used without an input.
    /// @param shape shape of the tensor
    /// @param start distribution of its initial values
    ParameterOp Free(const std::string& name,
                     const std::vector<std::uint32_t>& shape,
                     Initialisation start);

    /// All declared tensors, in the order of declaration.
    const std::vector<ParameterTensor>& Tensors() const
    {
        return m_tensors;
    }

  private:
    std::size_t Add(const std::string& name,
                    const std::vector<std::uint32_t>& shape,
                    std::size_t fanIn,
                    Initialisation start);
    std::size_t AddScale(const std::string& name, std::uint32_t channels);
    std::size_t AddShift(const std::string& name, std::uint32_t channels);

    std::vector<ParameterTensor> m_tensors; ///< parameter tensors in the order of the flat vector
};

/**
 * @brief Applies the operations of a model to a batch.
 *
 * A model applies operations that have parameters through a tape. It calls LibTorch directly for
 * operations without parameters, such as pools. Tape only computes the operations; subclasses also
 * record or count them.
 */
class Tape
{
  public:
    /// @param parameters [tensors] parameter tensors of the model; must outlive the tape
    explicit Tape(const std::vector<at::Tensor>& parameters);
    virtual ~Tape() = default;

    virtual at::Tensor Apply(const ConvOp& op, const at::Tensor& x);
    virtual at::Tensor Apply(const LinearOp& op, const at::Tensor& x);
    virtual at::Tensor Apply(const GroupNormOp& op, const at::Tensor& x);
    virtual at::Tensor Apply(const LayerNormOp& op, const at::Tensor& x);
    virtual at::Tensor Apply(const BatchNormOp& op, const at::Tensor& x);

    /// Returns the parameter tensor, repeated for each example: [examples, shape of the tensor].
    virtual at::Tensor Apply(const ParameterOp& op, std::int64_t examples);

  protected:
    /// Returns the parameter tensor with an index; for NO_TENSOR an undefined tensor.
    /// @param number index in the order of the flat vector, or NO_TENSOR
    at::Tensor Parameter(std::size_t number) const;

  private:
    const std::vector<at::Tensor>& m_parameters; ///< [tensors] parameter tensors of the model
};

/// Multi-head self-attention, which consists of two linear layers and a softmax.
struct AttentionOp
{
    LinearOp project;   ///< maps tokens to queries, keys and values: [width] to [3 width]
    LinearOp join;      ///< maps the joined heads to the output: [width] to [width]
    std::int64_t heads; ///< number of heads, which divide the width equally
};

/// Computes Softmax(Q K' / sqrt(h)) V for each head. Q, K, V are the queries, keys and values, and
/// h is the width of a head (Vaswani et al., NeurIPS 2017).
/// @param x [examples, tokens, width]
/// @return [examples, tokens, width]
at::Tensor Attend(Tape& tape, const AttentionOp& op, const at::Tensor& x);

} // namespace dpdl

#endif // DPDL_TRAINING_TAPE_H
