// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/gilbert-elliott.h"

#include "dpdl/base/quantity.h"

namespace dpdl
{

double
GilbertElliott::LongRunLoss() const
{
    const double bad = toBad / (toBad + toGood);
    return bad * lossBad + (1.0 - bad) * lossGood;
}

std::string
GilbertElliott::Clauses() const
{
    return "p=" + ShowNumber(toBad) + " r=" + ShowNumber(toGood) + " bad=" + ShowNumber(lossBad) +
           " good=" + ShowNumber(lossGood);
}

} // namespace dpdl
