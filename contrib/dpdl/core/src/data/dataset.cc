// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/dataset.h"

#include "built-in-datasets.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <filesystem>
#include <mutex>
#include <tuple>
#include <type_traits>

// The registry of datasets, LoadDataset() with its cache of one dataset, and the parsing of
// dataset and feature names.

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
    AddFileDataset(registry);
    return registry;
}

Registry<DatasetLoader>&
Registered()
{
    static Registry<DatasetLoader> registry = BuiltInDatasets();
    return registry;
}

/// Name in capital letters of the parameter that follows the colon in a dataset's name; "" if there
/// is none.
std::string
ParameterOf(const PartInfo& info)
{
    const bool has = !info.parameters.empty() && std::isupper(info.parameters.front().name[0]) != 0;
    return has ? info.parameters.front().name : "";
}

/// Accepted texts after a dataset's name, for errors.
std::string
AcceptedSpecs(const PartInfo& info)
{
    const std::string parameter = ParameterOf(info);
    const bool isOptional = !parameter.empty() && !info.parameters.front().defaultValue.empty();
    const std::string bare = "'" + info.name + "'";
    const std::string behind = parameter == "SEED" ? "a seed" : parameter;
    return parameter.empty() ? bare
           : isOptional
               ? bare + ", or this with " + behind + " behind"
               : bare + " with " + behind + " behind, as in " + info.name + ":" + parameter;
}

} // namespace

bool
IsMade(const std::string& name)
{
    return ParameterOf(Registered().Info(name)) == "SEED";
}

bool
IsUserFile(const std::string& dataset, const std::string& extension)
{
    return dataset.rfind("file:", 0) == 0 &&
           (extension.empty() || std::filesystem::path(dataset).extension() == extension);
}

const Registry<DatasetLoader>&
Datasets()
{
    return Registered();
}

void
RegisterDataset(PartInfo info, DatasetLoader load)
{
    Registered().Add(std::move(info), std::move(load));
}

const std::string Features::ACCEPTED =
    "raw or none, scattering, scattering:L with the length L > 0 of an example's features, or "
    "scattering:L:R, whitened with the penalty R above 0 and up to 1";

Features
Features::Parse(const std::string& what, const std::string& text)
{
    static const std::string SCATTERING = "scattering:";
    if (text == "raw" || text == "none" || text == "scattering")
    {
        return {text == "scattering" ? 1.0 : 0.0};
    }
    DPDL_REFUSE_IF(text.rfind(SCATTERING, 0) != 0, what, text, ACCEPTED);
    const std::string numbers = text.substr(SCATTERING.size());
    const std::size_t colon = numbers.find(':');
    Features features;
    features.length = ParseNumber(what, numbers.substr(0, colon), ACCEPTED, [](double length) {
        return length > 0.0;
    });
    if (colon != std::string::npos)
    {
        features.penalty =
            ParseNumber(what, numbers.substr(colon + 1), ACCEPTED, [](double penalty) {
                return penalty > 0.0 && penalty <= 1.0;
            });
    }
    return features;
}

std::shared_ptr<const Dataset>
LoadDataset(const std::string& spec,
            const std::string& dataDir,
            std::size_t samples,
            std::size_t testSamples,
            const FileChoices& file,
            const FeatureChoices& features)
{
    const std::size_t colon = spec.find(':');
    const std::string name = spec.substr(0, colon);
    const std::string parameter = colon == std::string::npos ? "" : spec.substr(colon + 1);
    const DatasetLoader& load = Datasets().Get(name);
    const PartInfo& info = Registered().Info(name);
    const bool needsParameter =
        !ParameterOf(info).empty() && info.parameters.front().defaultValue.empty();
    DPDL_REFUSE_IF(colon == std::string::npos ? needsParameter
                                              : parameter.empty() || ParameterOf(info).empty(),
                   "dataset",
                   spec,
                   AcceptedSpecs(info));
    const auto request = std::make_tuple(spec,
                                         dataDir,
                                         samples,
                                         testSamples,
                                         file.label,
                                         file.testFraction,
                                         file.seed.seed,
                                         file.seed.run,
                                         file.classes,
                                         features.name);
    static std::mutex mutex;
    static std::remove_const_t<decltype(request)> lastRequest;
    static std::weak_ptr<const Dataset> lastDataset;
    const std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<const Dataset> dataset = request == lastRequest ? lastDataset.lock() : nullptr;
    if (!dataset)
    {
        dataset = load({dataDir, samples, testSamples, parameter, file});
        const Features wanted = Features::Parse("option 'features'", features.name);
        if (wanted.length > 0.0)
        {
            dataset = ScatteredDataset(*dataset, wanted, features.workers);
        }
        lastRequest = request;
        lastDataset = dataset;
    }
    return dataset;
}

std::string
FindDatasetFile(const std::vector<std::string>& directories,
                const std::string& name,
                const std::string& advice)
{
    for (const std::string& directory : directories)
    {
        for (const char* suffix : {"", ".gz"})
        {
            const std::filesystem::path path = std::filesystem::path(directory) / (name + suffix);
            std::error_code ignored;
            if (std::filesystem::is_regular_file(path, ignored))
            {
                return path.string();
            }
        }
    }
    throw UsageError("file '" + (std::filesystem::path(directories.front()) / name).string() +
                     "' not found, nor with .gz; " + advice);
}

} // namespace dpdl
