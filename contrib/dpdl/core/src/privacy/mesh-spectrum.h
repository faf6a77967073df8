// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MESH_SPECTRUM_H
#define DPDL_PRIVACY_MESH_SPECTRUM_H

#include "loss-spectrum.h"

#include <array>

namespace dpdl
{

/**
 * @brief Composes the steps of a mesh's cell.
 *
 * The spectrum of a step is the mixture T + d of its corners' spectra, T the mean over the steps.
 * Where the d are small the product is T^n exp(-sum of d^2 / (2 T^2)): the d add up to 0, and what
 * is left out, at most 2/3 sum of |d / T|^3 for |d / T| <= 1/2, counts as an error. Elsewhere step
 * is multiplied by step.
 *
 * @param cell the steps
 * @param corners spectra of the cell's corners, with all coefficients that are left
 * @param product what has been composed so far
 */
void MultiplyCell(const MeshCell& cell,
                  const std::array<const KindSpectrum*, 4>& corners,
                  SpectrumProduct& product);

} // namespace dpdl

#endif // DPDL_PRIVACY_MESH_SPECTRUM_H
