// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SEEN_COVARIANCE_H
#define DPDL_PRIVACY_SEEN_COVARIANCE_H

#include "dpdl/privacy/noise-covariance.h"
#include "dpdl/privacy/symmetric-matrix.h"

#include <vector>

namespace dpdl
{

/**
 * @brief The covariance of noises without the streams that colluders know.
 * @param noise by node
 * @param colluders who give away the streams of their rows
 * @param seen whose noises, in the order of the rows; no colluders
 */
SymmetricMatrix SeenCovariance(const std::vector<NodeNoise>& noise,
                               const std::vector<NodeId>& colluders,
                               const std::vector<NodeId>& seen);

} // namespace dpdl

#endif // DPDL_PRIVACY_SEEN_COVARIANCE_H
