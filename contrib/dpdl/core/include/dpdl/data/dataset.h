// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_DATASET_H
#define DPDL_DATA_DATASET_H

#include "dpdl/base/registry.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// Size of one image.
struct ImageShape
{
    std::uint32_t channels{1}; ///< colour planes
    std::uint32_t height{0};   ///< rows
    std::uint32_t width{0};    ///< columns

    /// Values in one image: channels * height * width.
    constexpr std::size_t Size() const
    {
        return static_cast<std::size_t>(channels) * height * width;
    }

    /// For messages: `channels x height x width`.
    std::string Text() const
    {
        return std::to_string(channels) + " x " + std::to_string(height) + " x " +
               std::to_string(width);
    }

    /// Whether all three sizes are the same.
    friend bool operator==(const ImageShape& a, const ImageShape& b)
    {
        return a.channels == b.channels && a.height == b.height && a.width == b.width;
    }
};

/// The number in [-1, 1] that a label of a regression stands for: label / 127.5 - 1.
inline double
TargetOf(std::uint8_t label)
{
    return static_cast<double>(label) / 127.5 - 1.0;
}

/// Images with their labels, in file order.
struct Split
{
    std::vector<std::uint8_t> pixels; ///< [Size(), channels, height, width], row-major, 0..255
    std::vector<std::uint8_t> labels; ///< [Size()], each in [0, classes); any byte in a regression

    /// Number of examples.
    std::size_t Size() const
    {
        return labels.size();
    }
};

/**
 * @brief A labelled set of images, as its files hold it.
 *
 * Pixels stay bytes. A model sees them as float32 pixel / 255, without any other normalisation.
 */
struct Dataset
{
    std::string name;         ///< name in the registry
    ImageShape shape;         ///< size of every image
    std::uint32_t classes{0}; ///< labels are 0..classes-1; 1: a regression, see TargetOf()
    Split train;              ///< what the nodes learn from
    Split test;               ///< what accuracy is measured on
};

/// Where to read a dataset and how much of it.
struct DatasetRequest
{
    std::string dataDir;        ///< folder of the original files; empty: the dataset's own default
    std::size_t samples{0};     ///< only the first so many training examples; 0: all
    std::size_t testSamples{0}; ///< only the first so many test examples; 0: all
    std::string parameter;      ///< what stands behind the colon; "": nothing does
};

/// Reads or makes one dataset.
using DatasetLoader = std::function<std::shared_ptr<const Dataset>(const DatasetRequest&)>;

/// All datasets by name: those of files, and those that are made by a seed.
const Registry<DatasetLoader>& Datasets();

/// True if a dataset is made by a seed, false if it is read. @param name a name of Datasets()
bool IsMade(const std::string& name);

/**
 * @brief Reads a dataset from its original files, plain or compressed with gzip, or makes it.
 *
 * Files are checked while they are read: their kind, their dimensions, their length, the range of
 * the labels, and that there are as many labels as images. Where only the first examples are asked
 * for, reading stops behind them.
 *
 * What was read last is not read again as long as anybody still holds it: whoever makes many runs
 * on one dataset keeps a pointer to it.
 *
 * A dataset that is made is a function of its seed, and its examples those of `samples` = 1, 2,
 * ...: asking for more adds to them. With one class it is for regression: the target of label l is
 * l / 127.5 - 1.
 *
 * @param spec a name of Datasets(); behind a colon the seed of one that is made, otherwise 1
 * @param dataDir folder of the files; empty: the default of the dataset, if it has one
 * @param samples number of training examples, the first in file order; 0: all, or by default
 * @param testSamples number of test examples, the first in file order; 0: all, or by default
 * @return the dataset, to be shared by everyone who reads it
 * @throws UsageError naming the file, the byte at which it went wrong and what was found there; for
 *         a file that is missing, the package that brings it; for more samples than the file holds,
 *         how many there are
 */
std::shared_ptr<const Dataset> LoadDataset(const std::string& spec,
                                           const std::string& dataDir = "",
                                           std::size_t samples = 0,
                                           std::size_t testSamples = 0);

} // namespace dpdl

#endif // DPDL_DATA_DATASET_H
