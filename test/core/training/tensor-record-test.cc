// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-layer.h"
#include "tape-record.h"
#include "torch-function.h"

#include <ATen/ops/empty.h>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <torch/library.h>
#include <vector>

// That the records of a tape on a device leave its memory alone; ghost-clipping-test.cc has what
// they compute.

namespace dpdl
{
namespace
{

/// Belongs to parameters that nothing is computed with.
class NoFunction : public RecordedFunction
{
  public:
    at::Tensor Forward(Tape& /* tape */, const at::Tensor& images) const override
    {
        return images;
    }
};

/// Shape of im2col's result, for tensors without memory: LibTorch 1.13 knows it of others alone.
at::Tensor
ShapeOfWindows(const at::Tensor& images,
               at::IntArrayRef kernel,
               at::IntArrayRef /* dilation */,
               at::IntArrayRef padding,
               at::IntArrayRef stride)
{
    const auto places = [&](std::int64_t axis) {
        const auto i = static_cast<std::size_t>(axis);
        return (images.size(2 + axis) + 2 * padding[i] - kernel[i]) / stride[i] + 1;
    };
    return images.new_empty(
        {images.size(0), images.size(1) * kernel[0] * kernel[1], places(0) * places(1)});
}

TORCH_LIBRARY_IMPL(aten, Meta, library)
{
    library.impl("im2col", ShapeOfWindows);
}

// A tensor without memory stands for one of a device: to read one of its values is an error.
TEST(TensorRecord, ReadsNoMemory)
{
    const auto without = [](std::vector<std::int64_t> shape, at::ScalarType type = at::kFloat) {
        return at::empty(shape, at::dtype(type).device(at::kMeta));
    };
    ParameterList list;
    const ConvOp conv = list.Conv("a", {32, 16, 3, 3}, 1, 1, true);
    list.Linear("b", 9, 10);
    list.GroupNorm("g", 32, 4);
    list.LayerNorm("l", 24);
    list.Free("f", {5, 7}, Initialisation::ZERO);
    const ModelSpec model("test", {1, 2, 2}, 10, list.Tensors(), std::make_shared<NoFunction>());
    const auto at = [&model](std::size_t first) {
        return RecordPlace{&model.Parameters()[first], &model.Parameters()[first + 1]};
    };
    const auto walk = [&](std::unique_ptr<TapeRecord> record, std::vector<std::int64_t> gradient) {
        record->AddSquaredNorms(without(gradient), without({4}, at::kDouble));
        record->AddClipped(
            without({4}, at::kDouble),
            without({static_cast<std::int64_t>(model.ParameterCount())}, at::kDouble));
    };
    walk(RecordConv(conv, at(0), without({4, 16, 3, 3})), {4, 32, 3, 3});
    walk(RecordConv(conv, at(0), without({4, 16, 30, 30})), {4, 32, 30, 30});
    walk(RecordLinear(at(2), without({4, 9})), {4, 10});
    walk(RecordLinear(at(2), without({4, 20, 9})), {4, 20, 10});
    walk(RecordGroupNorm(at(4), {without({4, 32, 5, 5}), without({4, 4}), without({4, 4})}),
         {4, 32, 5, 5});
    walk(RecordLayerNorm(at(6), {without({4, 3, 24}), without({4, 3, 1}), without({4, 3, 1})}),
         {4, 3, 24});
    walk(RecordFree({&model.Parameters()[8], nullptr}), {4, 5, 7});
    EXPECT_ANY_THROW(without({4}).item<float>());
}

std::vector<float>
Tangents(std::vector<float> in)
{
    std::vector<float> out(in.size());
    TanhLayer(in.size()).Forward({in.data(), out.data(), nullptr, nullptr, nullptr, 0, 1});
    return out;
}

TEST(TanhLayer, KeepsTheDigitsOfFloats)
{
    std::vector<float> in;
    for (double size = 1e-30; size < 100.0; size *= 1.01)
    {
        in.push_back(static_cast<float>(size));
        in.push_back(static_cast<float>(-size));
    }
    const std::vector<float> out = Tangents(in);
    for (std::size_t i = 0; i < in.size(); ++i)
    {
        const double expected = std::tanh(static_cast<double>(in[i]));
        EXPECT_NEAR(out[i], expected, 3e-7 * std::abs(expected)) << in[i];
        EXPECT_LE(std::abs(out[i]), 1.0F) << in[i];
    }
}

TEST(TanhLayer, KnowsZeroInfinityAndNaN)
{
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> out = Tangents({0.0F, -0.0F, infinity, -infinity, std::nanf("")});
    EXPECT_EQ(out[0], 0.0F);
    EXPECT_TRUE(std::signbit(out[1]));
    EXPECT_EQ(out[2], 1.0F);
    EXPECT_EQ(out[3], -1.0F);
    EXPECT_TRUE(std::isnan(out[4]));
}

} // namespace
} // namespace dpdl
