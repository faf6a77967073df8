// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "running-bound.h"

#include "asked-bound.h"
#include "renyi-bound.h"
#include "spectral-bound.h"

namespace dpdl
{

std::vector<std::shared_ptr<RunningBound>>
StartBounds(const Accountant& accountant, const AccountingQuery& question)
{
    if (accountant.Name() == "pld")
    {
        std::vector<std::shared_ptr<RunningBound>> bounds{
            std::make_shared<SpectralBound>(accountant, question, true)};
        // No pair tells the directions apart where an example is replaced.
        if (question.adjacency == Adjacency::ADD_REMOVE)
        {
            bounds.push_back(std::make_shared<SpectralBound>(accountant, question, false));
        }
        return bounds;
    }
    if (accountant.Name() == "rdp")
    {
        return {std::make_shared<RenyiBound>(accountant, question)};
    }
    return {std::make_shared<AskedBound>(accountant, question)};
}

} // namespace dpdl
