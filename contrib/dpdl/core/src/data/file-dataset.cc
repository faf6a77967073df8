// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-datasets.h"
#include "csv-dataset.h"
#include "npz-file.h"

#include <algorithm>
#include <filesystem>

namespace dpdl
{

namespace
{

constexpr std::uint64_t LARGEST_SIDE = 1U << 24;

/// How many of an array's rows are wanted. @param limit the first so many; 0: all
std::size_t
WantedRows(const NpyArray& array, std::size_t limit)
{
    const std::uint64_t rows = array.Shape().empty() ? 0 : array.Shape().front();
    if (rows == 0 || limit > rows || rows > LARGEST_SIDE * 128)
    {
        array.Fail(std::to_string(rows) + " examples",
                   "at least " + std::to_string(std::max<std::size_t>(limit, 1)));
    }
    return limit > 0 ? limit : static_cast<std::size_t>(rows);
}

/// Size of one example of features [n, width], [n, height, width] or [n, channels, height, width].
ImageShape
ExampleShape(const NpyArray& features)
{
    std::vector<std::uint64_t> sides(features.Shape());
    const bool fits = sides.size() >= 2 && sides.size() <= 4 &&
                      std::all_of(sides.begin() + 1, sides.end(), [](std::uint64_t side) {
                          return side > 0 && side <= LARGEST_SIDE;
                      });
    if (!fits)
    {
        features.Fail(std::to_string(sides.size()) + " dimensions, or an empty one",
                      "shape [n, width], [n, height, width] or [n, channels, height, width]");
    }
    sides.erase(sides.begin());
    sides.insert(sides.begin(), 3 - sides.size(), 1);
    return {static_cast<std::uint32_t>(sides[0]),
            static_cast<std::uint32_t>(sides[1]),
            static_cast<std::uint32_t>(sides[2])};
}

void
ExpectEndIfAllRead(NpyArray& array, std::size_t rows)
{
    if (rows == array.Shape().front())
    {
        array.ExpectEnd();
    }
}

/// The first rows of an array of one number an example.
std::vector<double>
ReadColumn(NpyArray& array, std::size_t rows)
{
    const std::vector<std::uint64_t>& shape = array.Shape();
    if (shape.size() != 1 && !(shape.size() == 2 && shape[1] == 1))
    {
        array.Fail(std::to_string(shape.size()) + " dimensions", "shape [n]");
    }
    std::vector<double> column = array.ReadNumbers<double>(rows);
    ExpectEndIfAllRead(array, rows);
    return column;
}

/// Whole numbers from 0 on, such as classes.
void
CheckWhole(const NpyArray& array, const std::vector<double>& column, double end)
{
    for (std::size_t i = 0; i < column.size(); ++i)
    {
        if (column[i] < 0.0 || column[i] >= end)
        {
            array.Fail(std::to_string(column[i]) + " at place " + std::to_string(i),
                       "0 to " + std::to_string(static_cast<std::uint64_t>(end) - 1));
        }
    }
}

/// Reads the arrays of one split into a dataset.
void
ReadSplit(const NpzFile& file,
          const std::string& part,
          std::size_t limit,
          Dataset& dataset,
          Split& split)
{
    const std::unique_ptr<NpyArray> features = file.Open("x_" + part);
    const std::unique_ptr<NpyArray> labels = file.Open("y_" + part);
    const std::size_t rows = WantedRows(*features, limit);
    const ImageShape shape = ExampleShape(*features);
    const bool isRegression = labels->Type().kind == 'f';
    if (labels->Shape().empty() || labels->Shape().front() != features->Shape().front())
    {
        labels->Fail(
            std::to_string(labels->Shape().empty() ? 0 : labels->Shape().front()) + " labels",
            std::to_string(features->Shape().front()) + ", the number of examples in x_" + part);
    }
    if (part == "train")
    {
        dataset.shape = shape;
        dataset.classes = isRegression ? 1 : 0;
    }
    if (!(shape == dataset.shape))
    {
        features->Fail("examples of " + shape.Text(),
                       dataset.shape.Text() + ", the shape of x_train");
    }
    if (isRegression != (dataset.classes == 1))
    {
        labels->Fail(isRegression ? "targets" : "classes", "labels of the same kind as y_train");
    }
    // All labels: the number of classes must not depend on how many examples are wanted.
    split.labels = ReadColumn(*labels, features->Shape().front());
    if (!isRegression)
    {
        CheckWhole(*labels, split.labels, MOST_CLASSES);
        dataset.classes = std::max(dataset.classes, CountClasses(split.labels));
    }
    split.labels.resize(rows);
    const bool areBytes = features->Type().kind == 'u' && features->Type().bytes == 1;
    if (areBytes)
    {
        split.pixels = features->ReadBytes(rows * shape.Size());
    }
    else
    {
        split.values = features->ReadNumbers<float>(rows * shape.Size());
    }
    ExpectEndIfAllRead(*features, rows);
}

void
ReadNpz(const DatasetRequest& request, Dataset& dataset)
{
    const NpzFile file(request.parameter);
    ReadSplit(file, "train", request.samples, dataset, dataset.train);
    ReadSplit(file, "test", request.testSamples, dataset, dataset.test);
    if (file.Has("node_train"))
    {
        const std::unique_ptr<NpyArray> owners = file.Open("node_train");
        const std::size_t rows = dataset.train.Size();
        if (owners->Type().kind == 'f' || owners->Shape().empty() || owners->Shape().front() < rows)
        {
            owners->Fail("another type or size", "an integer for each example of x_train");
        }
        const std::vector<double> column = ReadColumn(*owners, rows);
        CheckWhole(*owners, column, MOST_CLASSES * MOST_CLASSES);
        dataset.train.owners.assign(column.begin(), column.end());
    }
}

std::shared_ptr<const Dataset>
LoadFile(const DatasetRequest& request)
{
    const std::filesystem::path path(request.parameter);
    std::error_code ignored;
    const bool isNpz = path.extension() == ".npz";
    if (!std::filesystem::is_regular_file(path, ignored) || !(isNpz || path.extension() == ".csv"))
    {
        throw UsageError("dataset", "file:" + request.parameter, "a file NAME.npz or NAME.csv");
    }
    auto dataset = std::make_shared<Dataset>();
    dataset->name = "file";
    if (isNpz)
    {
        ReadNpz(request, *dataset);
    }
    else
    {
        ReadCsvDataset(request, *dataset);
    }
    return dataset;
}

} // namespace

void
AddFileDataset(Registry<DatasetLoader>& registry)
{
    registry.Add(
        {"file",
         "a user's examples: arrays of NumPy (.npz) or a table (.csv)",
         "numpy.savez, or comma-separated values",
         {{"PATH", "", "NAME.npz with x_train, y_train, x_test, y_test, or NAME.csv with a header"},
          {"label", "label", "csv: column of the labels"},
          {"testFraction", "0.2", "csv: share of the rows that tests, drawn by the seed"}}},
        LoadFile);
}

} // namespace dpdl
