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

/// Lengths of the axes of one example's activations; the batch axis is not included.
using NetShape = std::vector<std::uint32_t>;

/// (rows, columns) of a window, stride, padding or output size. For 1-D layers, rows is 1, or 0 for
/// padding.
using NetPair = std::array<std::uint32_t, 2>;

/// A layer of a model file. `kind` determines which of the fields are used.
struct NetLayer
{
    NetKind kind{NetKind::RELU}; ///< kind of layer
    std::string kindName;        ///< kind as it is written in the file
    /// prefix of the names of the layer's tensors, by which later layers refer to this one
    std::string name;
    std::size_t source{0};   ///< input: 0 is the example, i + 1 the output of layer i
    std::size_t other{0};    ///< ADD: second summand, numbered like `source`
    std::uint32_t out{0};    ///< output channels, or output values
    std::uint32_t count{0};  ///< EMBEDDING: size of the vocabulary
    std::uint32_t groups{1}; ///< number of groups of channels, in convolutions and group norms
    std::uint32_t heads{1};  ///< ATTENTION: number of heads, which divide the width equally
    std::uint32_t index{0};  ///< SELECT: index of the selected token, from 0 on
    std::uint32_t start{1};  ///< FLATTEN: first axis to flatten; axis 0 is the batch
    NetPair kernel{1, 1};    ///< rows and columns of the window
    NetPair stride{1, 1};    ///< distances of adjacent windows, in rows and columns
    NetPair padding{0, 0};   ///< number of rows and columns of zeros on each side
    NetPair size{1, 1};      ///< ADAPTIVE_*: rows and columns of the output
    bool bias{true};         ///< true: the layer has a bias
    double eps{1e-5};        ///< *_NORM: constant that is added to the variance
    NetShape shape;          ///< shape of the output
    std::vector<std::size_t> tensors; ///< indices of the layer's parameters in Net::tensors
};

/// The content of a model file; ParseNet() has checked all shapes.
struct Net
{
    std::string path;                     ///< path of the file
    NetShape input;                       ///< shape of an example
    std::vector<NetLayer> layers;         ///< layers from the example to the logits
    std::vector<ParameterTensor> tensors; ///< parameter tensors, in the order of the layers

    /// Shape of activations. @param flow 0 for the example, i + 1 for the output of layer i
    const NetShape& Shape(std::size_t flow) const
    {
        return flow == 0 ? input : layers[flow - 1].shape;
    }

    /// Number of values of one example and of the outputs of all layers for it, which bounds
    /// memory.
    double Values() const;

    /// Number of parameters of all layers.
    std::size_t Parameters() const;

    /// Names of all parameter tensors, in the order of `tensors`.
    std::vector<std::string> TensorNames() const;

    /// Title of a layer for messages: number from 1 on, kind and name.
    std::string Title(std::size_t layer) const;

    /// Place of a layer for error messages: path of the file and title of the layer.
    std::string Place(std::size_t layer) const;
};

/// A model file that refers to a TorchScript file instead of listing layers.
struct ScriptFile
{
    std::string path;        ///< path of the model file
    std::string script;      ///< path of the TorchScript file
    NetShape input;          ///< shape of an example
    std::uint32_t scores{0}; ///< number of logits, as the file states it
    std::uint32_t tokens{0}; ///< vocabulary size if examples are token ids; 0: examples are values
    bool isWhole{false};     ///< true: the script takes examples as int64
    /// name of the part of the module that no layer kind can express, for messages
    std::string reason;
};

/// Text of a shape for messages, such as [3, 32, 32].
std::string ShapeText(const NetShape& shape);

/**
 * @brief Parses a model file that lists layers (doc/formats/model.md).
 * @param whole content of the file
 * @param path path of the file, for messages
 * @throws UsageError that names the layer, the refused value and the accepted values
 */
Net ParseNet(const JsonValue& whole, const std::string& path);

/**
 * @brief Parses a model file that refers to a TorchScript file.
 * @param whole content of the file
 * @param path path of the file, for messages
 * @return nothing if the file lists layers
 * @throws UsageError like ParseNet()
 */
std::optional<ScriptFile> ParseScriptFile(const JsonValue& whole, const std::string& path);

/**
 * @brief Infers the output shape of a layer, and appends its parameter tensors to the net.
 * @param net its earlier layers are complete; receives shape and tensors
 * @param number index of the layer, from 0 on
 * @throws UsageError if the layer does not fit its input
 */
void CompleteLayer(Net& net, std::size_t number);

} // namespace dpdl

#endif // DPDL_TRAINING_NET_FILE_H
