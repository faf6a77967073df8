// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_MODEL_NAMES_H
#define DPDL_TRAINING_MODEL_NAMES_H

#include "dpdl/training/model.h"

#include <string>
#include <vector>

namespace dpdl
{

/// What stands before the colon and the path of a model file.
inline const std::string MODEL_FILE = "file";

/// What a tensor is: its shape and place. @param offset of its first element
std::string TensorText(const ParameterTensor& tensor, std::size_t offset);

/// The tensors of a model, as `./dpdl list models NAME` shows them.
std::vector<ParameterInfo> TensorsOf(const ModelSpec& model);

} // namespace dpdl

#endif // DPDL_TRAINING_MODEL_NAMES_H
