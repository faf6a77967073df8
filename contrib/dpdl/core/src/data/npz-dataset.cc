// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-datasets.h"
#include "dpdl/base/errors.h"
#include "dpdl/data/npz-file.h"

#include <algorithm>
#include <cstdint>

// Reads the splits of a user's npz archive, and checks shapes, labels and owners.

namespace dpdl
{

namespace
{

constexpr std::uint64_t LARGEST_SIDE = 1U << 24;

/// Number of rows of an array to read.
/// @param limit number of rows that the user requests, from the first on; 0: all
/// @throws UsageError if the array has fewer rows or none, or more than LARGEST_SIDE * 128
std::size_t
WantedRows(const NpyArray& array, std::size_t limit)
{
    const std::uint64_t rows = array.Shape().empty() ? 0 : array.Shape().front();
    DPDL_REFUSE_IF(rows == 0 || limit > rows || rows > LARGEST_SIDE * 128,
                   array.Place(),
                   std::to_string(rows) + " examples",
                   "at least " + std::to_string(std::max<std::size_t>(limit, 1)));
    return limit > 0 ? limit : static_cast<std::size_t>(rows);
}

/// Shape of one example in an array of features [n, width], [n, height, width] or [n, channels,
/// height, width].
/// @throws UsageError naming the array, for another number of axes or a side out of range
ImageShape
ExampleShape(const NpyArray& features)
{
    const std::vector<std::uint64_t>& sides = features.Shape();
    const bool fits = sides.size() >= 2 && sides.size() <= 4 &&
                      std::all_of(sides.begin() + 1, sides.end(), [](std::uint64_t side) {
                          return side > 0 && side <= LARGEST_SIDE;
                      });
    DPDL_REFUSE_IF(!fits,
                   features.Place(),
                   std::to_string(sides.size()) + " dimensions, or an empty one",
                   "shape [n, width], [n, height, width] or [n, channels, height, width]");
    const auto sideFromEnd = [&sides](std::size_t i) {
        return i < sides.size() ? static_cast<std::uint32_t>(sides[sides.size() - i]) : 1;
    };
    return {sideFromEnd(3), sideFromEnd(2), sideFromEnd(1)};
}

void
ExpectEndIfAllRead(NpyArray& array, std::size_t rows)
{
    if (rows == array.Shape().front())
    {
        array.ExpectEnd();
    }
}

/// Reads the first @p rows elements of an array with one number per example.
std::vector<double>
ReadColumn(NpyArray& array, std::size_t rows)
{
    const std::vector<std::uint64_t>& shape = array.Shape();
    DPDL_REFUSE_IF(shape.size() != 1 && !(shape.size() == 2 && shape[1] == 1),
                   array.Place(),
                   std::to_string(shape.size()) + " dimensions",
                   "shape [n]");
    std::vector<double> column = array.ReadNumbers<double>(rows);
    ExpectEndIfAllRead(array, rows);
    return column;
}

/// Checks that all values of an array of integers are in [0, end).
/// @throws UsageError naming the array, the value and its index
void
CheckWhole(const NpyArray& array, const std::vector<double>& column, double end)
{
    for (std::size_t i = 0; i < column.size(); ++i)
    {
        DPDL_REFUSE_IF(column[i] < 0.0 || column[i] >= end,
                       array.Place(),
                       std::to_string(column[i]) + " at place " + std::to_string(i),
                       "0 to " + std::to_string(static_cast<std::uint64_t>(end) - 1));
    }
}

/// Reads the arrays x_PART and y_PART of one split.
/// @param part `train` or `test`; read `train` before `test`
/// @param[in,out] dataset Split `train` sets the example shape and the kind of labels (classes or
///        targets). Either split may increase the number of classes
/// @param[out] split receives features and labels
/// @throws UsageError naming the array, if shape, labels or types are not accepted, or if split
///         `test` differs from `train` in the example shape or kind of labels
void
ReadSplit(const NpzFile& file,
          const std::string& part,
          const DatasetRequest& request,
          Dataset& dataset,
          Split& split)
{
    const std::unique_ptr<NpyArray> features = file.Open("x_" + part);
    const std::unique_ptr<NpyArray> labels = file.Open("y_" + part);
    const std::uint32_t declared = request.file.classes;
    const std::size_t rows =
        WantedRows(*features, part == "train" ? request.samples : request.testSamples);
    const ImageShape shape = ExampleShape(*features);
    const bool areTargets = labels->Type().kind == 'f';
    const bool isRegression = areTargets || declared == 1;
    DPDL_REFUSE_IF(areTargets && declared > 1,
                   labels->Place(),
                   "targets",
                   "classes, by option 'classes'");
    DPDL_REFUSE_IF(
        labels->Shape().empty() || labels->Shape().front() != features->Shape().front(),
        labels->Place(),
        std::to_string(labels->Shape().empty() ? 0 : labels->Shape().front()) + " labels",
        std::to_string(features->Shape().front()) + ", the number of examples in x_" + part);
    if (part == "train")
    {
        dataset.shape = shape;
        dataset.classes = isRegression ? 1 : 0;
    }
    DPDL_REFUSE_IF(!(shape == dataset.shape),
                   features->Place(),
                   "examples of " + shape.Text(),
                   dataset.shape.Text() + ", the shape of x_train");
    DPDL_REFUSE_IF(isRegression != (dataset.classes == 1),
                   labels->Place(),
                   isRegression ? "targets" : "classes",
                   "labels of the same kind as y_train");
    // Reads the labels of all examples of the file, even if the run uses only the first `rows`: the
    // number of classes, and therefore the model, must not depend on how many examples are used.
    split.labels = ReadColumn(*labels, features->Shape().front());
    if (!isRegression)
    {
        CheckWhole(*labels, split.labels, MOST_CLASSES);
        dataset.classes =
            std::max(dataset.classes,
                     CountClasses("npz file '" + request.parameter + "', array y_" + part,
                                  split.labels,
                                  declared));
    }
    split.labels.resize(rows);
    const bool areBytes = features->Type().kind == 'u' && features->Type().bytes == 1;
    DPDL_REFUSE_IF(part == "test" && areBytes != dataset.train.values.empty(),
                   features->Place(),
                   areBytes ? "uint8" : "another type than uint8",
                   "uint8 in both x_train and x_test, which is divided by 255, or in neither");
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

} // namespace

void
ReadNpz(const DatasetRequest& request, Dataset& dataset)
{
    const NpzFile file(request.parameter, "x_train, y_train, x_test, y_test");
    ReadSplit(file, "train", request, dataset, dataset.train);
    ReadSplit(file, "test", request, dataset, dataset.test);
    if (file.Has("node_train"))
    {
        const std::unique_ptr<NpyArray> owners = file.Open("node_train");
        const std::size_t rows = dataset.train.Size();
        const bool fits = owners->Type().kind != 'f' && !owners->Shape().empty() &&
                          owners->Shape().front() >= rows;
        DPDL_REFUSE_IF(!fits,
                       owners->Place(),
                       "another type or size",
                       "an integer for each example of x_train");
        const std::vector<double> column = ReadColumn(*owners, rows);
        CheckWhole(*owners, column, MOST_CLASSES * MOST_CLASSES);
        dataset.train.owners.assign(column.begin(), column.end());
    }
}

} // namespace dpdl
