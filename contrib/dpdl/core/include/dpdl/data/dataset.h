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

    /// Number of values in one image: channels * height * width.
    constexpr std::size_t Size() const
    {
        return static_cast<std::size_t>(channels) * height * width;
    }

    /// Text for messages: `channels x height x width`.
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

/// Examples with their labels, in file order. The features are in `pixels` or in `values`.
struct Split
{
    std::vector<std::uint8_t> pixels;  ///< [Size(), channels, height, width], row-major, 0..255
    std::vector<float> values;         ///< [Size(), channels, height, width], any finite numbers
    std::vector<double> labels;        ///< [Size()], class 0..classes-1, or regression target
    std::vector<std::uint32_t> owners; ///< [Size()] node that owns each example; empty: not given

    /// Number of examples.
    std::size_t Size() const
    {
        return labels.size();
    }
};

/**
 * @brief A labelled set of images, or of other examples of one shape, as stored in its files.
 *
 * Pixels are stored as bytes. A model sees them as float32 pixel / 255, without further
 * normalisation. Values are used unchanged.
 */
struct Dataset
{
    std::string name;         ///< name in the registry
    ImageShape shape;         ///< size of every image
    std::uint32_t classes{0}; ///< number of classes: labels are 0..classes-1; 1: a regression
    Split train;              ///< training examples
    Split test;               ///< test examples
};

/// Options for a dataset in a user's file.
struct FileChoices
{
    std::string label{"label"}; ///< csv: name of the label column
    double testFraction{0.2};   ///< csv: fraction of the rows that are test examples, in (0, 1)
    RandomSeed seed{};          ///< csv: seed of the random choice of test rows
    /// Number of classes declared by the user; 1: a regression; 0: the largest label in the file
    /// plus one.
    std::uint32_t classes{0};
};

/// Choice of the features that the models see.
struct FeatureChoices
{
    std::string name{"raw"}; ///< name in the syntax of Features::Parse()
    unsigned workers{1};     ///< number of threads; the features do not depend on it
};

/// Features that the models see, parsed from a name; by default the unchanged examples.
struct Features
{
    /// Syntax accepted by Parse(), for errors and for the help text.
    static const std::string ACCEPTED;

    /**
     * @brief Parses a name of features. `raw` and `none` are the unchanged examples. `scattering:L`
     *        are the scattering features of images, scaled to L2 norm L; `scattering` has L = 1.
     *        `scattering:L:R` also whitens them with the penalty R (doc/data.md).
     * @param what name of the option, for errors
     * @param text the name
     * @throws UsageError for any other text
     */
    static Features Parse(const std::string& what, const std::string& text);

    double length{0.0};  ///< L, the L2 norm of the features; 0: raw
    double penalty{0.0}; ///< R, the penalty of whitening, in (0, 1]; 0: not whitened
};

/// Location of a dataset and number of examples to read.
struct DatasetRequest
{
    std::string dataDir;        ///< folder of the original files; empty: the dataset's default
    std::size_t samples{0};     ///< number of training examples, the first in file order; 0: all
    std::size_t testSamples{0}; ///< number of test examples, the first in file order; 0: all
    std::string parameter;      ///< TEXT of a name `NAME:TEXT`; "": none
    FileChoices file;           ///< options for a dataset in a user's file
};

/// Reads or generates one dataset.
using DatasetLoader = std::function<std::shared_ptr<const Dataset>(const DatasetRequest&)>;

/// All datasets by name: read from files, generated from a seed, and registered by users.
const Registry<DatasetLoader>& Datasets();

/**
 * @brief Registers a custom dataset for LoadDataset(), `list datasets` and option `dataset`.
 *
 * Call it before the first run, on the thread that starts it. An entry with parameters receives the
 * text after the colon of `NAME:TEXT` as DatasetRequest::parameter.
 * @param info name and description
 * @param load reads or generates it
 * @throws UsageError if the name is taken
 */
void RegisterDataset(PartInfo info, DatasetLoader load);

/// True if a dataset is generated from a seed, false if it is read. @param name a name of
/// Datasets()
bool IsMade(const std::string& name);

/**
 * @brief Reads a dataset from its original files, plain or compressed with gzip, or generates it.
 *
 * Files are checked while reading: type, dimensions, length, range of the labels, and equal numbers
 * of labels and images. Reading stops after the requested examples.
 *
 * The last dataset is cached while a caller holds it: keep a pointer to it for several runs.
 *
 * A generated dataset is a function of its seed. Its examples do not depend on `samples`: a larger
 * number appends examples. A generated dataset with one class is a regression: the byte l of an
 * example stands for the target l / 127.5 - 1.
 *
 * @param spec a name of Datasets(). After a colon: the seed of a generated dataset, 1 by default,
 *        or the path of a user's file
 * @param dataDir folder of the files; empty: the default of the dataset, if any
 * @param samples number of training examples, the first in file order; 0: all examples of a file,
 *        or the default number of a generated dataset
 * @param testSamples number of test examples, the first in file order; 0: all examples of a file,
 *        or the default number of a generated dataset
 * @param file options for a dataset in a user's file
 * @param features transformation of the examples; scattering: see doc/data.md
 * @return the dataset, shared by all readers
 * @throws UsageError naming the file, the byte offset and the bytes found there; for a missing
 *         file, the package that provides it; for too many samples, the number in the file; for
 *         features that do not fit the examples, their shape
 */
std::shared_ptr<const Dataset> LoadDataset(const std::string& spec,
                                           const std::string& dataDir = "",
                                           std::size_t samples = 0,
                                           std::size_t testSamples = 0,
                                           const FileChoices& file = {},
                                           const FeatureChoices& features = {});

} // namespace dpdl

#endif // DPDL_DATA_DATASET_H
