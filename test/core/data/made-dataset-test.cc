// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/data/dataset.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace dpdl
{
namespace
{

const char* const MADE[] = {"blobs", "linear-regression", "cifar-shaped"};

/// Mean image of each class.
std::vector<std::vector<double>>
Means(const Split& split, std::size_t classes)
{
    const std::size_t size = split.pixels.size() / split.Size();
    std::vector<std::vector<double>> means(classes, std::vector<double>(size));
    std::vector<double> counts(classes);
    for (std::size_t i = 0; i < split.Size(); ++i)
    {
        const auto label = static_cast<std::size_t>(split.labels[i]);
        counts[label] += 1.0;
        for (std::size_t j = 0; j < size; ++j)
        {
            means[label][j] += split.pixels[i * size + j];
        }
    }
    for (std::size_t c = 0; c < classes; ++c)
    {
        for (double& mean : means[c])
        {
            mean /= counts[c];
        }
    }
    return means;
}

/// Share of the test images that are nearest to the mean training image of their own class.
double
NearestMeanAccuracy(const Dataset& dataset)
{
    const auto means = Means(dataset.train, dataset.classes);
    const std::size_t size = dataset.shape.Size();
    double correct = 0.0;
    for (std::size_t i = 0; i < dataset.test.Size(); ++i)
    {
        std::vector<double> distances;
        for (const std::vector<double>& mean : means)
        {
            double distance = 0.0;
            for (std::size_t j = 0; j < size; ++j)
            {
                distance += std::pow(dataset.test.pixels[i * size + j] - mean[j], 2);
            }
            distances.push_back(distance);
        }
        const auto nearest = std::min_element(distances.begin(), distances.end());
        correct +=
            static_cast<double>(nearest - distances.begin()) == dataset.test.labels[i] ? 1.0 : 0.0;
    }
    return correct / static_cast<double>(dataset.test.Size());
}

TEST(MadeDataset, MoreExamplesAddToFewer)
{
    for (const std::string name : MADE)
    {
        const auto few = LoadDataset(name, "", 7, 5);
        const auto many = LoadDataset(name, "", 20, 30);
        ASSERT_EQ(few->train.Size(), 7U);
        ASSERT_EQ(few->test.Size(), 5U);
        for (const auto& [some, all] :
             {std::pair{&few->train, &many->train}, {&few->test, &many->test}})
        {
            EXPECT_TRUE(std::equal(some->labels.begin(), some->labels.end(), all->labels.begin()));
            EXPECT_TRUE(std::equal(some->pixels.begin(), some->pixels.end(), all->pixels.begin()));
        }
        EXPECT_FALSE(
            std::equal(few->test.pixels.begin(), few->test.pixels.end(), few->train.pixels.begin()))
            << name;
    }
}

TEST(MadeDataset, DependsOnItsSeedOnly)
{
    for (const std::string name : MADE)
    {
        const auto first = LoadDataset(name, "", 40, 1);
        EXPECT_EQ(LoadDataset(name + ":1", "", 40, 1)->train.pixels, first->train.pixels);
        EXPECT_NE(LoadDataset(name + ":2", "", 40, 1)->train.pixels, first->train.pixels);
        EXPECT_EQ(first->name, name);
    }
}

TEST(MadeDataset, ClassesAreBalancedAndCanBeLearnt)
{
    struct Case
    {
        std::string name;
        std::size_t samples;
        double least;
        double most;
    };

    // The best classifier of blobs errs at times; shifts make those of cifar-shaped blurred.
    for (const Case& c : {Case{"blobs", 5000, 0.7, 0.95}, Case{"cifar-shaped", 2000, 0.5, 1.0}})
    {
        const auto dataset = LoadDataset(c.name, "", c.samples, 1000);
        EXPECT_EQ(dataset->classes, 10U);
        for (std::uint8_t label = 0; label < 10; ++label)
        {
            const auto& labels = dataset->train.labels;
            EXPECT_EQ(std::count(labels.begin(), labels.end(), label) * 10,
                      static_cast<std::ptrdiff_t>(c.samples));
        }
        const double accuracy = NearestMeanAccuracy(*dataset);
        EXPECT_GT(accuracy, c.least) << c.name;
        EXPECT_LT(accuracy, c.most) << c.name;
    }
}

// Mean and deviation of a pixel within a class: those of the recipe, by 1000 examples of it.
TEST(MadeDataset, BlobsAreGaussian)
{
    const auto dataset = LoadDataset("blobs", "", 10000, 1);
    const auto means = Means(dataset->train, 10);
    const std::size_t size = dataset->shape.Size();
    double squares = 0.0;
    for (std::size_t i = 0; i < dataset->train.pixels.size(); ++i)
    {
        const double mean =
            means[static_cast<std::size_t>(dataset->train.labels[i / size])][i % size];
        squares += std::pow(dataset->train.pixels[i] - mean, 2);
        EXPECT_NEAR(mean, 127.5, 32.0 + 5.0 * 100.0 / std::sqrt(1000.0));
    }
    // Of the deviation of 100, what is cut off at 0 and 255 takes away some.
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(dataset->train.pixels.size())), 82.5, 1.5);
}

TEST(MadeDataset, TargetsOfLinearRegressionAreLinearInTheFeatures)
{
    const auto dataset = LoadDataset("linear-regression");
    EXPECT_EQ(dataset->classes, 1U);
    EXPECT_EQ(dataset->shape.Size(), 8U);
    ASSERT_EQ(dataset->train.Size(), 2000U);
    ASSERT_EQ(dataset->test.Size(), 500U);
    const auto& labels = dataset->train.labels;
    const double mean = std::accumulate(labels.begin(), labels.end(), 0.0) / 2000.0;
    EXPECT_NEAR(mean, 0.0, 0.05);
    // Nothing is cut off: what is linear stays so.
    EXPECT_EQ(std::count(labels.begin(), labels.end(), -1.0), 0);
    EXPECT_EQ(std::count(labels.begin(), labels.end(), 1.0), 0);
}

TEST(MadeDataset, RefusesWhatCannotBe)
{
    for (const std::string spec : {"blobs:", "blobs:x", "blobs:-1", "blobs:4294967296", "mnist:1"})
    {
        EXPECT_NE(UsageMessage([&] { LoadDataset(spec, "", 1, 1); }), "accepted") << spec;
    }
    EXPECT_EQ(UsageMessage([] { LoadDataset("blobs:x", "", 1, 1); }),
              "dataset 'blobs': seed: 'x' is not accepted; expected a whole number from 0 to "
              "4294967295");
    EXPECT_EQ(UsageMessage([] { LoadDataset("blobs", "", 1000001, 1); }),
              "dataset 'blobs': number of training examples: '1000001' is not accepted; expected "
              "at most 1000000");
    EXPECT_EQ(UsageMessage([] { LoadDataset("mnist:1"); }),
              "dataset: 'mnist:1' is not accepted; expected 'mnist'");
}

} // namespace
} // namespace dpdl
