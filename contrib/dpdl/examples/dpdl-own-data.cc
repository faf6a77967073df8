// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// A custom dataset: a function that makes readings of sensors, and one call that registers the
// dataset.

#include "dpdl/base/random.h"
#include "dpdl/data/dataset.h"

#include "ns3/core-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/network-module.h"

using namespace ns3;

namespace
{

/// Returns @p count examples of four sensor readings, uniform on [0, 1). The class is 1 if readings
/// 0 and 1 have a larger sum than readings 2 and 3, else 0. @param part 0: training set; 1: test
/// set
::dpdl::Split
Readings(std::size_t count, std::uint32_t part)
{
    const ::dpdl::RandomStream random({1, 1}, ::dpdl::RandomPurpose::TEST, part, 0);
    ::dpdl::Split split;
    for (std::size_t i = 0; i < count; ++i)
    {
        double balance = 0.0;
        for (std::size_t reading = 0; reading < 4; ++reading)
        {
            const double value = random.Uniform(4 * i + reading);
            split.values.push_back(static_cast<float>(value));
            balance += reading < 2 ? value : -value;
        }
        split.labels.push_back(balance > 0.0 ? 1.0 : 0.0);
        split.owners.push_back(static_cast<std::uint32_t>(i % 4));
    }
    return split;
}

} // namespace

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Usage("A dataset of the program's own: readings of sensors.");
    cmd.Parse(argc, argv);

    ::dpdl::RegisterDataset(
        {"sensors", "four readings, two classes", "", {}},
        [](const ::dpdl::DatasetRequest& request) {
            auto dataset = std::make_shared<::dpdl::Dataset>();
            dataset->name = "sensors";
            dataset->shape = {1, 1, 4};
            dataset->classes = 2;
            dataset->train = Readings(request.samples > 0 ? request.samples : 2000, 0);
            dataset->test = Readings(request.testSamples > 0 ? request.testSamples : 500, 1);
            return dataset;
        });

    NodeContainer nodes(4);

    DpdlHelper dpdl;
    dpdl.Set("dataset", "sensors");
    dpdl.Set("partition", "given");
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("batchSize", "50");
    dpdl.Set("rounds", "30");
    dpdl.Set("epsilon", "3");
    dpdl.Set("trace", "dpdl-own-data.db");
    dpdl.Set("overwrite", "true");
    dpdl.Install(nodes);

    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    Simulator::Destroy();
    return complete ? 0 : 1;
}
