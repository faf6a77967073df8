// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_LAYER_H
#define DPDL_TRAINING_LAYER_H

#include "dpdl/data/dataset.h"

#include <cstdint>
#include <variant>

namespace dpdl
{

/// Convolution with square windows and a bias. Weight [out, in, kernel, kernel], bias [out].
struct Conv2d
{
    std::uint32_t in{0};      ///< input channels
    std::uint32_t out{0};     ///< output channels
    std::uint32_t kernel{1};  ///< height and width of the window
    std::uint32_t stride{1};  ///< distance between adjacent windows, in pixels
    std::uint32_t padding{0}; ///< rows and columns of zeros on each side
};

/// max(x, 0), element by element; its derivative at 0 is 0.
struct Relu
{
};

/// tanh(x), element by element.
struct Tanh
{
};

/// Maximum over square windows, without padding. Of equal largest values in a window, only one
/// receives the gradient: the first in row-major order.
struct MaxPool2d
{
    std::uint32_t kernel{2}; ///< height and width of the window
    std::uint32_t stride{2}; ///< distance between adjacent windows, in pixels
};

/// Fully connected layer with bias. Flattens its input in the order [channel, row, column]. Weight
/// [out, in], bias [out].
struct Linear
{
    std::uint32_t in{0};  ///< number of input values
    std::uint32_t out{0}; ///< number of output values
};

/// Flattens the input to a vector, in the order [channel, row, column].
struct Flatten
{
};

/**
 * @brief Ends a residual block: adds the input of the block to its output.
 *
 * The block consists of the @p layers layers before this one. If the block maps x to f(x), the
 * output of this layer is x + f(x); x and f(x) must have the same shape. Blocks may be nested,
 * overlap, and end at the same layer.
 */
struct Residual
{
    std::uint32_t layers{1}; ///< number of preceding layers that form the block, >= 1
};

/// One layer of a model.
using Layer = std::variant<Conv2d, Relu, Tanh, MaxPool2d, Linear, Flatten, Residual>;

/// Visitor for std::visit with one lambda per kind of layer. A missing kind is a compile error.
template <class... Rules>
struct LayerRules : Rules...
{
    using Rules::operator()...;
};

template <class... Rules>
LayerRules(Rules...) -> LayerRules<Rules...>;

/// True for layers with a weight and a bias: convolutions and linear layers.
bool HasParameters(const Layer& layer);

/**
 * @brief Shape of a layer's output.
 *
 * The function does not check residual blocks; ModelSpec compares the shapes at their ends.
 *
 * @param layer layer of a model
 * @param input shape of the layer's input
 * @throws UsageError if the input does not fit the layer
 */
ImageShape OutputShape(const Layer& layer, const ImageShape& input);

} // namespace dpdl

#endif // DPDL_TRAINING_LAYER_H
