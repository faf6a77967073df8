// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_SYNTHETIC_DATASET_H
#define DPDL_DATA_SYNTHETIC_DATASET_H

#include "dpdl/base/random.h"
#include "dpdl/data/dataset.h"

#include <functional>

namespace dpdl
{

/// Random numbers of a dataset that is made and not read, by its own seed alone.
class DatasetStreams
{
  public:
    /**
     * @param seed of the dataset, whatever the seed of the run
     * @param number tells datasets with the same seed apart
     */
    DatasetStreams(std::uint32_t seed, std::uint32_t number);

    /// What all examples have in common, such as the centre of a class. @param index of what
    RandomStream Common(std::uint32_t index) const;

    /// Of one example. @param test of which split @param index in that split
    RandomStream Example(bool test, std::size_t index) const;

  private:
    RandomSeed m_seed; ///< seed and number
};

/// How a dataset is made.
struct DatasetRecipe
{
    PartInfo info;              ///< name, summary; its parameters are added
    std::uint32_t number{0};    ///< see DatasetStreams
    ImageShape shape;           ///< size of every image
    std::uint32_t classes{0};   ///< see Dataset
    std::size_t samples{0};     ///< how many training examples there are by default
    std::size_t testSamples{0}; ///< how many test examples there are by default
    /// Makes one example: fills [shape.Size()] pixels and returns the label.
    using Maker = std::function<
        std::uint8_t(const RandomStream& random, std::size_t index, std::uint8_t* pixels)>;
    /// Prepares what all examples have in common.
    std::function<Maker(const DatasetStreams& streams)> prepare;
};

/**
 * @brief Adds a dataset `NAME` or `NAME:SEED` whose examples are made one by one.
 *
 * Example number i of a split depends on SEED (1 if none is given), the split and i: not on the
 * seed of the run, nor on how many examples are asked for.
 */
void AddSyntheticDataset(Registry<DatasetLoader>& registry, const DatasetRecipe& recipe);

/// The middle of the range of a pixel.
constexpr double GREY = 127.5;

/// The nearest pixel value of a number, cut off at 0 and 255.
std::uint8_t ToPixel(double value);

} // namespace dpdl

#endif // DPDL_DATA_SYNTHETIC_DATASET_H
