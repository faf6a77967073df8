// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MESH_EXCESS_H
#define DPDL_PRIVACY_MESH_EXCESS_H

#include "loss-kinds.h"

namespace dpdl
{

/**
 * @brief An estimate of how much meshes raise the log moment of a composition; not proven.
 * @param exponent of the moment, > 0
 * @param tail of the losses that do not count
 */
double MeshExcess(const LossKinds& kinds, double exponent, double tail);

} // namespace dpdl

#endif // DPDL_PRIVACY_MESH_EXCESS_H
