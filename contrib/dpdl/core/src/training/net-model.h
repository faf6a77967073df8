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

/// A net as a chain of native layers, or the reason why this is impossible.
struct NetChain
{
    std::vector<Layer> layers; ///< empty if the net is no such chain
    std::string obstacle;      ///< names the first layer without a native counterpart
};

/// Shape of an example as an image. @param shape of one to three axes
ImageShape ImageShapeOf(const NetShape& shape);

/// @brief Converts a net to layers of the native engine. @param net with all shapes
NetChain ChainOf(const Net& net);

/**
 * @brief Makes the model of a file, with the weights of NET.npz if it exists.
 * @param path NET.json
 * @param input size of one example
 * @param classes number of logits
 * @throws UsageError if the file cannot be read, or does not fit the examples
 */
ModelSpec MakeNetModel(const std::string& path, ImageShape input, std::uint32_t classes);

/// Describes the layers and tensors of a file. @param path NET.json
PartInfo DescribeNetModel(const std::string& path);

/// Paths of NET.json and of its script or, if it exists, NET.npz. @param path NET.json
std::vector<std::string> NetFiles(const std::string& path);

/// Prefix of the name of a model file: file:NET.json.
inline const std::string MODEL_FILE = "file";

/// Text of a tensor's shape and offset. @param offset of its first element
std::string TensorText(const ParameterTensor& tensor, std::size_t offset);

/// The tensors of a model, as `./dpdl list models NAME` shows them.
std::vector<ParameterInfo> TensorsOf(const ModelSpec& model);

} // namespace dpdl

#endif // DPDL_TRAINING_NET_MODEL_H
