// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_TEST_IMAGES_H
#define DPDL_TEST_TEST_IMAGES_H

#include "dpdl/base/random.h"
#include "dpdl/data/dataset.h"

#include <memory>

namespace dpdl
{

/// Grey images of the usual size.
constexpr ImageShape IMAGE{1, 28, 28};

/// Random blots of random classes, or with random targets: half of the pixels are black.
inline std::shared_ptr<Dataset>
MakeTestImages(ImageShape shape, std::size_t train, std::size_t test, std::uint32_t classes = 10)
{
    auto dataset = std::make_shared<Dataset>();
    dataset->name = "blots";
    dataset->shape = shape;
    dataset->classes = classes;
    const std::uint32_t labels = classes == 1 ? 256 : classes;
    std::uint32_t number = 0;
    for (Split* split : {&dataset->train, &dataset->test})
    {
        const RandomStream stream({1, 1}, RandomPurpose::TEST, 1, number++);
        const std::size_t count = split == &dataset->train ? train : test;
        std::uint64_t draw = 0;
        for (std::size_t i = 0; i < count; ++i)
        {
            const std::uint32_t label = stream.Integer(draw++, labels);
            split->labels.push_back(classes == 1 ? label / 127.5 - 1.0 : label);
            for (std::size_t p = 0; p < shape.Size(); ++p)
            {
                const std::uint32_t value = stream.Integer(draw++, 512);
                split->pixels.push_back(static_cast<std::uint8_t>(value < 256 ? value : 0));
            }
        }
    }
    return dataset;
}

} // namespace dpdl

#endif // DPDL_TEST_TEST_IMAGES_H
