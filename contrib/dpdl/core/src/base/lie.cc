// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/lie.h"

namespace dpdl
{

const Registry<LieKind>&
Lies()
{
    static const auto registry =
        Registry<LieKind>("lie")
            .Add({"sign-flip", "sends its model with the signs flipped", "Li et al., 2019"},
                 LieKind::SIGN_FLIP)
            .Add({"label-flip",
                  "learns from labels C - 1 - y of C classes",
                  "Tolpegin et al., 2020"},
                 LieKind::LABEL_FLIP)
            .Add({"noise",
                  "sends Gaussian noise in place of its model",
                  "",
                  {{"scale=", "", "standard deviation of each parameter, > 0"}}},
                 LieKind::NOISE)
            .Add({"stale", "sends what it sent first, again and again"}, LieKind::STALE)
            .Add({"zero", "sends zeros"}, LieKind::ZERO);
    return registry;
}

} // namespace dpdl
