// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/privacy/gdp.h"
#include "synthetic-run.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

Observer
At(const std::string& text, std::size_t nodes)
{
    return ParseObserver(text, nodes);
}

double
MeanOfMeans(const std::vector<VictimView>& views)
{
    double sum = 0.0;
    for (const VictimView& view : views)
    {
        sum += view.meanStep;
    }
    return sum / static_cast<double>(views.size());
}

TEST(Explore, Print)
{
    for (const auto& [name, targets] : {std::pair<const char*, Targets>{"ring", DirectedRing(20)},
                                        {"undirected", UndirectedRing(20)},
                                        {"exp", Exponential(20)},
                                        {"complete", Complete(20)}})
    {
        const ObservedRun run = SyntheticRun(20, 60, targets);
        const NetworkObserver observer(run, At("node:0", 20));
        std::printf("%s rank %zu inputs %zu cond %g mean %g\n",
                    name,
                    observer.Knowledge().Rank(),
                    observer.Inputs(),
                    observer.Knowledge().Conditioning(),
                    MeanOfMeans(observer.Views()));
        for (const VictimView& view : observer.Views())
        {
            std::printf("  %u rounds %zu ratio %g mean %g worst %g at %u\n",
                        view.victim,
                        view.rounds,
                        view.Ratio(),
                        view.meanStep,
                        view.worstStep,
                        view.worstRound);
        }
    }
}

} // namespace
} // namespace dpdl
