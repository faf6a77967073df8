// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NET_FILE_H
#define DPDL_TRAINING_NET_FILE_H

#include "dpdl/base/json.h"
#include "dpdl/training/model.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// Kinds of layers of a model file; doc/formats/model.md defines them.
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

/// Shape of one example between two layers, without the batch axis.
using NetShape = std::vector<std::uint32_t>;

/// (rows, columns) of a kernel, stride, padding or output size. In a 1-D layer rows is 1, or 0 for
/// padding.
using NetPair = std::array<std::uint32_t, 2>;

/// A layer of a model file. The kind determines the fields in use.
struct NetLayer
{
    NetKind kind{NetKind::RELU}; ///< kind of layer
    std::string kindName;        ///< kind as written in the file
    std::string name;      ///< prefix of the names of the layer's tensors; later layers refer to it
    std::size_t source{0}; ///< input flow: 0 the example, i + 1 the output of layer i
    std::size_t other{0};  ///< ADD: the flow that is added
    std::uint32_t out{0};  ///< output channels, or output values
    std::uint32_t count{0};  ///< EMBEDDING: size of the vocabulary
    std::uint32_t groups{1}; ///< number of groups of channels
    std::uint32_t heads{1};  ///< ATTENTION: number of heads, each with an equal part of the width
    std::uint32_t index{0};  ///< SELECT: index of the selected token, from 0
    std::uint32_t start{1};  ///< FLATTEN: first axis that is flattened; 0 is the batch axis
    NetPair kernel{1, 1};    ///< rows and columns of the window
    NetPair stride{1, 1};    ///< step of the window
    NetPair padding{0, 0};   ///< zeros on each side
    NetPair size{1, 1};      ///< ADAPTIVE_*: output size
    bool bias{true};         ///< a bias is added
    double eps{1e-5};        ///< *_NORM: added to the variance
    NetShape shape;          ///< shape of the output
    std::vector<std::size_t> tensors; ///< indices of the layer's parameters in Net::tensors
};

/// A model file, with all shapes checked.
struct Net
{
    std::string path;                     ///< path of the file
    NetShape input;                       ///< shape of an example
    std::vector<NetLayer> layers;         ///< layers from the example to the logits
    std::vector<ParameterTensor> tensors; ///< parameter tensors, in the order of the layers

    /// Shape of a flow: 0 the example, i + 1 the output of layer i.
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

/// A model file that names a TorchScript file in place of layers.
struct ScriptFile
{
    std::string path;        ///< path of the model file
    std::string script;      ///< path of the TorchScript file
    NetShape input;          ///< shape of an example
    std::uint32_t scores{0}; ///< number of logits
    std::uint32_t tokens{0}; ///< size of the vocabulary; 0 if examples are no tokens
    bool isWhole{false};     ///< the script takes examples as int64
    std::string reason;      ///< part of the module that has no layer
};

/// Text of a shape, such as [3, 32, 32].
std::string ShapeText(const NetShape& shape);

/**
 * @brief Reads a model file (doc/formats/model.md).
 * @param whole content of the file
 * @param path path of the file, for messages
 * @throws UsageError that names the layer, the value and the accepted values
 */
Net ParseNet(const JsonValue& whole, const std::string& path);

/**
 * @brief Reads a model file that names a script.
 * @return nothing if it has layers
 * @throws UsageError as ParseNet()
 */
std::optional<ScriptFile> ParseScriptFile(const JsonValue& whole, const std::string& path);

/**
 * @brief Infers a layer's output shape, and declares its tensors.
 * @param net with all earlier layers complete; receives the tensors
 * @param number of the layer
 * @throws UsageError if the layer does not fit its input
 */
void CompleteLayer(Net& net, std::size_t number);

} // namespace dpdl

#endif // DPDL_TRAINING_NET_FILE_H
