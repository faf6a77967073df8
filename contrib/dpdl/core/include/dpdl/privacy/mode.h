// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MODE_H
#define DPDL_PRIVACY_MODE_H

namespace dpdl
{

/// Which reading of a paper is in force.
enum class Mode
{
    SOUND, ///< noise calibrated with a rigorous accountant for the sampling that really happens
    PAPER, ///< the paper's literal choice of noise, by its own formula
};

} // namespace dpdl

#endif // DPDL_PRIVACY_MODE_H
