// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NET_FUNCTION_H
#define DPDL_TRAINING_NET_FUNCTION_H

#include "dpdl/training/forward-function.h"
#include "net-file.h"

#include <memory>

namespace dpdl
{

/// The scores of a model file by LibTorch, recorded: any kind of layer. @param net is copied
std::shared_ptr<const ForwardFunction> MakeNetFunction(const Net& net);

} // namespace dpdl

#endif // DPDL_TRAINING_NET_FUNCTION_H
