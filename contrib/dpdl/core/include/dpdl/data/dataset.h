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

/// Size of an image, in channels and pixels.
struct ImageShape
{
    std::uint32_t channels{1}; ///< number of colour channels
    std::uint32_t height{0};   ///< number of rows, in pixels
    std::uint32_t width{0};    ///< number of columns, in pixels

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

/// Examples with their labels, in file order. Either `pixels` or `values` has the features; the
/// other is empty.
struct Split
{
    std::vector<std::uint8_t> pixels; ///< [Size(), channels, height, width], row-major, 0..255
    std::vector<float> values; ///< [Size(), channels, height, width], row-major, any finite numbers
    std::vector<double> labels; ///< [Size()], class in 0..classes-1, or target of a regression
    std::vector<std::uint32_t> owners; ///< [Size()], node that owns the example; empty: not given

    /// Number of examples.
    std::size_t Size() const
    {
        return labels.size();
    }
};

/**
 * @brief A labelled set of images, or of other examples of one shape, as stored in its files.
 *
 * Pixels are stored as bytes. The input of a model is pixel / 255 in float32, without further
 * normalisation. Split::values are the input of the model, unchanged.
 */
struct Dataset
{
    std::string name; ///< name in Datasets()
    ImageShape shape; ///< size of every image
    /// Number of classes: labels are 0..classes-1; 1: labels are targets of a regression.
    std::uint32_t classes{0};
    Split train; ///< training examples
    Split test;  ///< test examples
};

/// Options for a dataset in a user's file.
struct FileChoices
{
    std::string label{"label"}; ///< csv: name of the label column
    double testFraction{0.2};   ///< csv: fraction of the rows in the test split, in (0, 1)
    RandomSeed seed{};          ///< csv: seed of the random choice of the test rows
    /// Number of classes; 1: a regression; 0: the largest label in the file plus one.
    std::uint32_t classes{0};
};

/// Transformation of the examples to the features that the models see.
struct FeatureChoices
{
    std::string name{"raw"}; ///< text that Features::Parse() accepts
    unsigned workers{1};     ///< number of threads, >= 1; the features do not depend on it
};

/// Features that the models see, parsed from a name. By default they are the unchanged examples.
struct Features
{
    /// Description of the texts that Parse() accepts, for errors and for the help text.
    static const std::string ACCEPTED;

    /**
     * @brief Parses a name of features. `raw` and `none` mean the unchanged examples.
     *        `scattering:L` means the scattering features of images, scaled to L2 norm L;
     *        `scattering` has L = 1. `scattering:L:R` also whitens the features with the penalty R
     *        (doc/data.md).
     * @param what name of the option, for errors
     * @param text name of the features
     * @throws UsageError naming the option, for any other text
     */
    static Features Parse(const std::string& what, const std::string& text);

    double length{0.0};  ///< L, the L2 norm of the scattering features; 0: unchanged examples
    double penalty{0.0}; ///< R, the penalty of whitening, in (0, 1]; 0: no whitening
};

/// Input of a DatasetLoader: location of a dataset, and number of examples to read or generate.
struct DatasetRequest
{
    std::string dataDir; ///< folder of the dataset's files; empty: the dataset's default
    /// Number of training examples, from the first on; 0: all examples of a file, or the default
    /// number of a generated dataset.
    std::size_t samples{0};
    std::size_t testSamples{0}; ///< number of test examples; 0: as for `samples`
    std::string parameter;      ///< TEXT in a dataset's name `NAME:TEXT`; "": none
    FileChoices file;           ///< options for a dataset in a user's file
};

/// Reads or generates one dataset. Throws UsageError if that fails.
using DatasetLoader = std::function<std::shared_ptr<const Dataset>(const DatasetRequest&)>;

/// Registry of all datasets: read from files, generated from a seed, and registered by users.
const Registry<DatasetLoader>& Datasets();

/**
 * @brief Registers a custom dataset for LoadDataset(), `list datasets` and option `dataset`.
 *
 * Must be called before the first run, by the thread that starts the run. If @p info has
 * parameters, @p load receives the text after the colon of `NAME:TEXT` as
 * DatasetRequest::parameter.
 * @param info name and description of the dataset
 * @param load reads or generates the dataset
 * @throws UsageError if a dataset of this name is registered
 */
void RegisterDataset(PartInfo info, DatasetLoader load);

/// True if the dataset is generated from a seed, that is, if the first parameter in its description
/// (PartInfo) is SEED. False for datasets that are read from files.
/// @param name a name of Datasets()
/// @throws UsageError if the name is unknown
bool IsMade(const std::string& name);

/// True if option `dataset` names a file of the user.
/// @param dataset value of the option
/// @param extension extension that the file must have, such as ".csv"; "": any
bool IsUserFile(const std::string& dataset, const std::string& extension = "");

/**
 * @brief Reads a dataset from its original files, plain or compressed with gzip, or generates it.
 *
 * The function checks type, dimensions and length of the files, the range of the labels, and that
 * the numbers of labels and images are equal. Reading stops after the requested examples.
 *
 * The last dataset is cached while a caller holds a pointer to it, so repeated calls return the
 * same object.
 *
 * A generated dataset is a function of its seed. A larger number of samples only appends examples.
 * A generated dataset with one class is a regression; a label byte l then means the target l /
 * 127.5 - 1.
 *
 * @param spec a name of Datasets(). After a colon: the seed of a generated dataset, 1 by default,
 *        or the path of a user's file
 * @param dataDir folder of the files; empty: the default of the dataset, if any
 * @param samples number of training examples, from the first on; 0: all examples of a file, or the
 *        default number of a generated dataset
 * @param testSamples number of test examples, from the first on; 0: all examples of a file, or the
 *        default number of a generated dataset
 * @param file options for a dataset in a user's file
 * @param features transformation of the examples
 * @return the immutable dataset, shared with the cache
 * @throws UsageError naming the file, and the byte offset and bytes of the error, the package that
 *         provides a missing file, or the number of examples in the file if more are requested.
 *         Also if the examples do not have a shape that @p features supports
 */
std::shared_ptr<const Dataset> LoadDataset(const std::string& spec,
                                           const std::string& dataDir = "",
                                           std::size_t samples = 0,
                                           std::size_t testSamples = 0,
                                           const FileChoices& file = {},
                                           const FeatureChoices& features = {});

} // namespace dpdl

#endif // DPDL_DATA_DATASET_H
