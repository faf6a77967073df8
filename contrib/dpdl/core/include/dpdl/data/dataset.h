// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_DATASET_H
#define DPDL_DATA_DATASET_H

#include "dpdl/base/random.h"
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

    /// True if all three sizes are equal.
    friend bool operator==(const ImageShape& a, const ImageShape& b)
    {
        return a.channels == b.channels && a.height == b.height && a.width == b.width;
    }
};

/// Examples with their labels, in file order. Either `pixels` or `values` has the features.
struct Split
{
    std::vector<std::uint8_t> pixels;  ///< [Size(), channels, height, width], row-major, 0..255
    std::vector<float> values;         ///< the same shape, any finite numbers
    std::vector<double> labels;        ///< [Size()], class 0..classes-1, or a regression's target
    std::vector<std::uint32_t> owners; ///< [Size()] node that owns an example; empty: not given

    /// Number of examples.
    std::size_t Size() const
    {
        return labels.size();
    }
};

/**
 * @brief A labelled set of images, or of other examples of one shape, as its files hold it.
 *
 * Pixels stay bytes. A model sees them as float32 pixel / 255, without any other normalisation.
 * Values are taken as they are.
 */
struct Dataset
{
    std::string name;         ///< name in the registry
    ImageShape shape;         ///< size of every image
    std::uint32_t classes{0}; ///< labels are 0..classes-1; 1: a regression
    Split train;              ///< what the nodes learn from
    Split test;               ///< what accuracy is measured on
};

/// Choices for a dataset of a user's file.
struct FileChoices
{
    std::string label{"label"}; ///< csv: column of the labels
    double testFraction{0.2};   ///< csv: share of the rows that tests, in (0, 1)
    RandomSeed seed{};          ///< csv: draws which rows test
    /// declared number of classes; 1: a regression; 0: one more than the largest label of the file
    std::uint32_t classes{0};
};

/// What the models see of the examples.
struct FeatureChoices
{
    std::string name{"raw"}; ///< see Features::Parse()
    unsigned workers{1};     ///< threads that compute them; the features do not depend on it
};

/// What a name of features says.
struct Features
{
    /// Texts that Parse() accepts, for errors and for the help text.
    static const std::string ACCEPTED;

    /**
     * @brief raw or none, the examples as they are; or scattering:L or scattering:L:R, features of
     * images of the L2 norm L, whitened with the penalty R (doc/data.md). scattering: L = 1.
     * @param what the option, for errors
     * @param text the name
     * @throws UsageError if it is neither
     */
    static Features Parse(const std::string& what, const std::string& text);

    double length{0.0};  ///< L; 0: raw
    double penalty{0.0}; ///< R in (0, 1]; 0: not whitened
};

/// Where to read a dataset and how much of it.
struct DatasetRequest
{
    std::string dataDir;        ///< folder of the original files; empty: the dataset's own default
    std::size_t samples{0};     ///< only the first training examples; 0: all
    std::size_t testSamples{0}; ///< only the first test examples; 0: all
    std::string parameter;      ///< the text behind the colon; "": none
    FileChoices file;           ///< for a user's file
};

/// Reads or makes one dataset.
using DatasetLoader = std::function<std::shared_ptr<const Dataset>(const DatasetRequest&)>;

/// All datasets by name: those of files, those that are made by a seed, and registered ones.
const Registry<DatasetLoader>& Datasets();

/**
 * @brief Enters a dataset of a user's own, for LoadDataset(), `list datasets` and option `dataset`.
 *
 * To be called before the first run, by the thread that makes it. An entry with parameters takes
 * the text behind the colon of `NAME:TEXT` as DatasetRequest::parameter.
 * @param info name and description
 * @param load reads or makes it
 * @throws UsageError if the name is taken
 */
void RegisterDataset(PartInfo info, DatasetLoader load);

/// True if a dataset is made by a seed, false if it is read. @param name a name of Datasets()
bool IsMade(const std::string& name);

/**
 * @brief Reads a dataset from its original files, plain or compressed with gzip, or makes it.
 *
 * Files are checked while they are read: their kind, their dimensions, their length, the range of
 * the labels, and that there are as many labels as images. Where only the first examples are asked
 * for, reading stops behind them.
 *
 * The last dataset is not read again while a caller holds it: a program that makes many runs
 * on one dataset keeps a pointer to it.
 *
 * A dataset that is made is a function of its seed, and its examples those of `samples` = 1, 2,
 * ...: asking for more adds to them. With one class it is for regression: the target of label l is
 * l / 127.5 - 1.
 *
 * @param spec a name of Datasets(); behind a colon the seed of one that is made, otherwise 1, or
 *        the path of a user's file
 * @param dataDir folder of the files; empty: the default of the dataset, if it has one
 * @param samples number of training examples, the first in file order; 0: all, or by default
 * @param testSamples number of test examples, the first in file order; 0: all, or by default
 * @param file for a user's file
 * @param features what becomes of the examples; scattering: see doc/data.md
 * @return the dataset, to be shared by everyone who reads it
 * @throws UsageError naming the file, the byte at which it went wrong and what was found there; for
 *         a file that is missing, the package that brings it; for more samples than the file holds,
 *         how many there are; for features of examples that have none, their shape
 */
std::shared_ptr<const Dataset> LoadDataset(const std::string& spec,
                                           const std::string& dataDir = "",
                                           std::size_t samples = 0,
                                           std::size_t testSamples = 0,
                                           const FileChoices& file = {},
                                           const FeatureChoices& features = {});

} // namespace dpdl

#endif // DPDL_DATA_DATASET_H
