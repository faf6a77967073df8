// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_REFERENCE_NETWORK_H
#define DPDL_TEST_REFERENCE_NETWORK_H

#include "dpdl/training/model.h"

#include <vector>

namespace dpdl
{

/**
 * @brief Sum of the losses of examples 0..count-1 in double precision, by loops that follow the
 *        layers' definitions: the path that shares nothing with the engines.
 * @param model the network
 * @param z [ParameterCount()]
 * @param split where the examples are
 * @param count how many
 */
double ReferenceLoss(const ModelSpec& model,
                     const std::vector<double>& z,
                     const Split& split,
                     std::size_t count);

/// Slope of ReferenceLoss by each parameter, from two values beside the point.
std::vector<float> ReferenceSlope(const ModelSpec& model,
                                  const std::vector<float>& z,
                                  const Split& split,
                                  std::size_t count);

} // namespace dpdl

#endif // DPDL_TEST_REFERENCE_NETWORK_H
