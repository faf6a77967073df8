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

/// A net as a chain of layers of the native engine, or why it is none.
struct NetChain
{
    std::vector<Layer> layers; ///< empty if it is none
    std::string obstacle;      ///< the first layer that the native engine does not have
};

/// @brief The layers of the native engine that compute a net. @param net with all shapes
NetChain ChainOf(const Net& net);

/**
 * @brief The model of a file, with its weights if there is an archive beside it.
 * @param path NET.json
 * @param input size of one example
 * @param classes number of scores
 * @throws UsageError if the file cannot be read, or does not fit the examples
 */
ModelSpec MakeNetModel(const std::string& path, ImageShape input, std::uint32_t classes);

/// The layers and tensors of a file. @param path NET.json
PartInfo DescribeNetModel(const std::string& path);

/// NET.json and, if it is there, NET.npz. @param path NET.json
std::vector<std::string> NetFiles(const std::string& path);

/// What stands before the colon and the path of a model file.
inline const std::string MODEL_FILE = "file";

/// Text of a tensor's shape and place. @param offset of its first element
std::string TensorText(const ParameterTensor& tensor, std::size_t offset);

/// The tensors of a model, as `./dpdl list models NAME` shows them.
std::vector<ParameterInfo> TensorsOf(const ModelSpec& model);

} // namespace dpdl

#endif // DPDL_TRAINING_NET_MODEL_H
