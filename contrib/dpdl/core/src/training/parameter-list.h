// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_PARAMETER_LIST_H
#define DPDL_TRAINING_PARAMETER_LIST_H

#include "dpdl/training/model.h"

#include <string>
#include <vector>

namespace dpdl
{

/// Stands for a parameter tensor that an operation does not have.
constexpr std::size_t NO_TENSOR = static_cast<std::size_t>(-1);

/// A square convolution of [examples, channels, rows, columns].
struct ConvOp
{
    std::size_t weight;    ///< number of the tensor [out, in, kernel, kernel]
    std::size_t bias;      ///< number of the tensor [out], or NO_TENSOR
    std::uint32_t kernel;  ///< height and width of the window
    std::uint32_t stride;  ///< step of the window
    std::uint32_t padding; ///< rows and columns of zeros on each side
};

/// A product of [examples, .., in] with a matrix, plus a bias.
struct LinearOp
{
    std::size_t weight; ///< number of the tensor [out, in]
    std::size_t bias;   ///< number of the tensor [out]
};

/// Normalisation of [examples, channels, rows, columns] over groups of channels of one example.
struct GroupNormOp
{
    std::size_t scale;   ///< number of the tensor [channels]
    std::size_t shift;   ///< number of the tensor [channels]
    std::int64_t groups; ///< how many groups
};

/// Normalisation of [examples, tokens, width] over the width.
struct LayerNormOp
{
    std::size_t scale; ///< number of the tensor [width]
    std::size_t shift; ///< number of the tensor [width]
};

/// Normalisation of a channel over all examples of the batch, as the batch has them.
struct BatchNormOp
{
    std::size_t scale; ///< number of the tensor [channels]
    std::size_t shift; ///< number of the tensor [channels]
};

/// A tensor that every example sees as it is: a class token, a position.
struct ParameterOp
{
    std::size_t tensor; ///< number of the tensor
};

/// Collects the tensors of a model in the order in which its operations are declared.
class ParameterList
{
  public:
    /// Tensors name.weight [out, in, kernel, kernel] and, if asked for, name.bias.
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

    /// One tensor. @param shape what each example sees of it
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

    std::vector<ParameterTensor> m_tensors; ///< see Tensors()
};

} // namespace dpdl

#endif // DPDL_TRAINING_PARAMETER_LIST_H
