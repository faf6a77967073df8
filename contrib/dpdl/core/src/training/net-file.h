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

/// Kinds of layers of a model file. doc/formats/model.md defines them.
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

/// (rows, columns) of a window, stride, padding or output size. In 1-D layers, the number of rows
/// is 1, and their padding has 0 rows.
using NetPair = std::array<std::uint32_t, 2>;

/// A layer of a model file. The kind of the layer determines which of the fields are used.
struct NetLayer
{
    NetKind kind{NetKind::RELU}; ///< kind of the layer
    std::string kindName;        ///< kind, as the file names it
    /// name of the layer: the prefix of its tensors' names, by which later layers refer to it
    std::string name;
    std::size_t source{0};   ///< index of the input: 0 is the example, i + 1 the output of layer i
    std::size_t other{0};    ///< ADD: index of the second summand, counted like `source`
    std::uint32_t out{0};    ///< number of output channels, or of output values
    std::uint32_t count{0};  ///< EMBEDDING: size of the vocabulary
    std::uint32_t groups{1}; ///< number of groups of channels, in convolutions and group norms
    std::uint32_t heads{1};  ///< ATTENTION: number of heads, which divide the width equally
    std::uint32_t index{0};  ///< SELECT: index of the selected token, from 0
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

/// Content of a model file whose shapes ParseNet() has checked.
struct Net
{
    std::string path;                     ///< path of the file
    NetShape input;                       ///< shape of an example
    std::vector<NetLayer> layers;         ///< layers from the example to the logits
    std::vector<ParameterTensor> tensors; ///< parameter tensors, in the order of the layers

    /// Shape of activations.
    /// @param flow 0: the example; i + 1: the output of layer i
    const NetShape& Shape(std::size_t flow) const
    {
        return flow == 0 ? input : layers[flow - 1].shape;
    }

    /// Number of values of one example and of the outputs of all layers for the example. ParseNet()
    /// limits this number, because the memory of an evaluation is proportional to it.
    double Values() const;

    /// Number of parameters of all layers.
    std::size_t Parameters() const;

    /// Names of all parameter tensors, in the order of `tensors`.
    std::vector<std::string> TensorNames() const;

    /// Text for messages that names a layer: its number from 1 on, kind and name.
    std::string Title(std::size_t layer) const;

    /// Text for error messages that names a layer: path of the file, and Title().
    std::string Place(std::size_t layer) const;
};

/// Content of a model file that refers to a TorchScript file and lists no layers.
struct ScriptFile
{
    std::string path;        ///< path of the model file
    std::string script;      ///< path of the TorchScript file
    NetShape input;          ///< shape of an example
    std::uint32_t scores{0}; ///< number of logits, as stated in the file
    std::uint32_t tokens{0}; ///< vocabulary size if examples are token ids; 0: examples are values
    bool isWhole{false};     ///< true: the script takes examples as int64
    /// part of the module that no layer kind can express, for messages
    std::string reason;
};

/// Text of a shape for messages, such as [3, 32, 32].
std::string ShapeText(const NetShape& shape);

/**
 * @brief Parses a model file that lists layers (doc/formats/model.md).
 * @param whole JSON value of the whole file
 * @param path path of the file, for messages
 * @throws UsageError that names the layer, the refused value and the accepted values
 */
Net ParseNet(const JsonValue& whole, const std::string& path);

/**
 * @brief Parses a model file that refers to a TorchScript file.
 * @param whole JSON value of the whole file
 * @param path path of the file, for messages
 * @return content of the file; empty if the file has no key `script`, so it lists layers
 * @throws UsageError that names the key, its refused value and what is accepted
 */
std::optional<ScriptFile> ParseScriptFile(const JsonValue& whole, const std::string& path);

/**
 * @brief Infers the output shape of a layer, and appends its parameter tensors to the net.
 * @param[in,out] net net whose earlier layers are complete; receives shape and tensors
 * @param number index of the layer, from 0
 * @throws UsageError if the layer does not fit its input
 */
void CompleteLayer(Net& net, std::size_t number);

} // namespace dpdl

#endif // DPDL_TRAINING_NET_FILE_H
