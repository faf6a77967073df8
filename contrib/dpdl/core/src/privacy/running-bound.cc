// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "running-bound.h"

#include "asked-bound.h"

namespace dpdl
{

std::vector<std::shared_ptr<RunningBound>>
StartBounds(const Accountant& accountant, const Question& question)
{
    return {std::make_shared<AskedBound>(accountant, question)};
}

} // namespace dpdl
