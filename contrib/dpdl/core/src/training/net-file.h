// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NET_FILE_H
#define DPDL_TRAINING_NET_FILE_H

#include "dpdl/training/model.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dpdl
{

/// Kinds of layers of a model file; doc/formats/model.md says what each computes.
enum class NetKind
{
    LINEAR,
    CONV1D,
    CONV2D,
    RELU,
    TANH,
    GELU,
    SIGMOID,
    MAX_POOL1D,
    MAX_POOL2D,
    AVG_POOL1D,
    AVG_POOL2D,
    ADAPTIVE_AVG_POOL1D,
    ADAPTIVE_AVG_POOL2D,
    GROUP_NORM,
    LAYER_NORM,
    FLATTEN,
    TRANSPOSE,
    ADD,
    EMBEDDING,
    ATTENTION,
    CLASS_TOKEN,
    POSITION,
    SELECT,
    MEAN,
};

/// Sizes of an example between two layers, without the axis of the examples.
using NetShape = std::vector<std::uint32_t>;

/// Rows and columns; what has only a length has 1, or 0 of padding, as rows.
using NetPair = std::array<std::uint32_t, 2>;

/// A layer of a model file. Which fields mean something depends on the kind.
struct NetLayer
{
    NetKind kind{NetKind::RELU}; ///< what it computes
    std::string kindName;        ///< the same, as in the file
    std::string name;            ///< of its tensors, and for later layers to refer to
    std::size_t source{0};       ///< the flow that goes in: 0 the example, i + 1 of layer i
    std::size_t other{0};        ///< ADD: the flow that is added
    std::uint32_t out{0};        ///< channels, or values, that come out
    std::uint32_t count{0};      ///< EMBEDDING: whole numbers below this go in
    std::uint32_t groups{1};     ///< of channels
    std::uint32_t heads{1};      ///< ATTENTION: each has an equal share of the width
    std::uint32_t index{0};      ///< SELECT: which token
    std::uint32_t start{1};      ///< FLATTEN: the first axis that is flattened, 0 the examples'
    NetPair kernel{1, 1};        ///< window
    NetPair stride{1, 1};        ///< step of the window
    NetPair padding{0, 0};       ///< zeros on each side
    NetPair size{1, 1};          ///< ADAPTIVE_*: what comes out
    bool bias{true};             ///< whether a bias is added
    double eps{1e-5};            ///< *_NORM: added to the variance
    NetShape shape;              ///< of what comes out
    std::vector<std::size_t> tensors; ///< numbers of its parameters in Net::tensors
};

/// A model file, with all shapes checked.
struct Net
{
    std::string path;                     ///< of the file
    NetShape input;                       ///< of an example
    std::vector<NetLayer> layers;         ///< from the example to the scores
    std::vector<ParameterTensor> tensors; ///< in the order of the layers

    /// Shape of a flow: of the example for 0, of what layer i gives for i + 1.
    const NetShape& Shape(std::size_t flow) const;

    /// Values of one example in all flows together.
    double Values() const;

    /// Parameters of all layers.
    std::size_t Parameters() const;

    /// Names of all tensors, in their order.
    std::vector<std::string> TensorNames() const;

    /// Title of a layer: position from 1, kind and name.
    std::string Title(std::size_t layer) const;

    /// Name of a layer in errors: file and title.
    std::string Place(std::size_t layer) const;
};

/// Text of a shape, such as [3, 32, 32].
std::string ShapeText(const NetShape& shape);

/**
 * @brief Reads a model file (doc/formats/model.md).
 * @param text what it holds
 * @param path of it, for messages
 * @throws UsageError naming the layer, what it has and what is accepted
 */
Net ParseNet(const std::string& text, const std::string& path);

/**
 * @brief Finds the shape that a layer gives, and the layer's tensors.
 * @param net with all layers before it complete; gets the tensors
 * @param number of the layer
 * @throws UsageError if the layer does not fit to what goes in
 */
void CompleteLayer(Net& net, std::size_t number);

} // namespace dpdl

#endif // DPDL_TRAINING_NET_FILE_H
