// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NET_MODEL_H
#define DPDL_TRAINING_NET_MODEL_H

#include "dpdl/training/model.h"
#include "net-file.h"

#include <string>
#include <vector>

namespace dpdl
{

/// Chain of native layers for a model file, or the reason why there is none.
struct NetChain
{
    std::vector<Layer> layers; ///< layers in order; empty if `obstacle` is not empty
    /// first layer that the native engine does not support, with the reason; empty: none
    std::string obstacle;
};

/// Shape of an example as an image; missing leading axes have length 1.
/// @param shape one to three lengths
ImageShape ImageShapeOf(const NetShape& shape);

/// Converts a net to a chain of layers of the native engine.
/// @param net result of ParseNet()
NetChain ChainOf(const Net& net);

/**
 * @brief Makes the model of a model file. Initial parameters are read from NET.npz if it exists.
 * @param path path of NET.json
 * @param input size of one example
 * @param classes number of logits
 * @throws UsageError if the file cannot be read or is no model file, or does not fit the examples
 *         or classes
 */
ModelSpec MakeNetModel(const std::string& path, ImageShape input, std::uint32_t classes);

/// Describes the layers and tensors of a model file for lists.
/// @param path path of NET.json
/// @throws UsageError like MakeNetModel()
PartInfo DescribeNetModel(const std::string& path);

/// Paths of all files of a model: NET.json, and its TorchScript file or, if it exists, NET.npz.
/// @param path path of NET.json
std::vector<std::string> NetFiles(const std::string& path);

/// Prefix of the name of a model that is read from a file: `file:NET.json`.
inline const std::string MODEL_FILE = "file";

/// Text for lists that describes a tensor: type, shape and range of parameters.
/// @param offset index of the tensor's first element in the parameter vector
std::string TensorText(const ParameterTensor& tensor, std::size_t offset);

/// Descriptions of a model's tensors, for `./dpdl list models NAME`.
std::vector<ParameterInfo> TensorsOf(const ModelSpec& model);

} // namespace dpdl

#endif // DPDL_TRAINING_NET_MODEL_H
