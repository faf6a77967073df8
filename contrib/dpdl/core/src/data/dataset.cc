// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/dataset.h"

#include "built-in-datasets.h"

#include <algorithm>
#include <mutex>
#include <tuple>

namespace dpdl
{

namespace
{

Registry<DatasetLoader>
BuiltInDatasets()
{
    Registry<DatasetLoader> registry("dataset");
    AddMnist(registry);
    AddCifar10(registry);
    AddBlobs(registry);
    AddLinearRegression(registry);
    AddCifarShaped(registry);
    return registry;
}

} // namespace

bool
IsMade(const std::string& name)
{
    const std::vector<PartInfo>& all = Datasets().List();
    return std::any_of(all.begin(), all.end(), [&name](const PartInfo& part) {
        return part.name == name && part.parameters.front().name == "SEED";
    });
}

const Registry<DatasetLoader>&
Datasets()
{
    static const Registry<DatasetLoader> registry = BuiltInDatasets();
    return registry;
}

std::shared_ptr<const Dataset>
LoadDataset(const std::string& spec,
            const std::string& dataDir,
            std::size_t samples,
            std::size_t testSamples)
{
    using Request = std::tuple<std::string, std::string, std::size_t, std::size_t>;
    static std::mutex mutex;
    static Request lastRequest;
    static std::weak_ptr<const Dataset> lastDataset;
    const std::size_t colon = spec.find(':');
    const std::string name = spec.substr(0, colon);
    const DatasetLoader& load = Datasets().Get(name);
    if (colon != std::string::npos && (colon + 1 == spec.size() || !IsMade(name)))
    {
        throw UsageError("dataset",
                         spec,
                         "'" + name + "'" + (IsMade(name) ? ", or this with a seed behind" : ""));
    }
    const Request request{spec, dataDir, samples, testSamples};
    const std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<const Dataset> dataset = request == lastRequest ? lastDataset.lock() : nullptr;
    if (!dataset)
    {
        dataset = load({dataDir,
                        samples,
                        testSamples,
                        colon == std::string::npos ? "" : spec.substr(colon + 1)});
        lastRequest = request;
        lastDataset = dataset;
    }
    return dataset;
}

} // namespace dpdl
