// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LOG_MIXTURE_H
#define DPDL_PRIVACY_LOG_MIXTURE_H

#include <cmath>

namespace dpdl
{

/// log(1 - rate + rate e^loss) for rate in (0, 1] and a finite loss, without overflow or
/// cancellation.
inline double
LogMixture(double rate, double loss)
{
    if (rate == 1.0)
    {
        return loss;
    }
    return loss < 600.0 ? std::log1p(rate * std::expm1(loss))
                        : loss + std::log(rate + (1.0 - rate) * std::exp(-loss));
}

} // namespace dpdl

#endif // DPDL_PRIVACY_LOG_MIXTURE_H
