// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "torch-function.h"
#include "torch-parts.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <array>
#include <optional>
#include <variant>

// ResNet-18 as operations of a tape, with group or batch normalisation, and with a stem for small
// images or for ImageNet.

namespace dpdl
{

namespace
{

/// Number of groups of channels in a group normalisation (Wu and He, ECCV 2018).
constexpr std::uint32_t GROUPS = 32;

/// Number of channels of the activations in each of the four stages.
constexpr std::array<std::uint32_t, 4> CHANNELS{64, 128, 256, 512};

/// Properties in which the variants of ResNet-18 differ.
struct Variant
{
    bool batchNorm{false}; ///< true: batch normalisation; false: group normalisation
    /// true: MakeResNet18ImageNet(), with a 7 x 7 convolution and a max pool; false: MakeResNet18()
    bool imageNetStem{false};
};

using AnyNorm = std::variant<GroupNormOp, BatchNormOp>;

AnyNorm
DeclareNorm(ParameterList& list, const std::string& name, std::uint32_t channels, bool batchNorm)
{
    if (batchNorm)
    {
        return list.BatchNorm(name, channels);
    }
    return list.GroupNorm(name, channels, GROUPS);
}

at::Tensor
Normalise(Tape& tape, const AnyNorm& norm, const at::Tensor& x)
{
    return std::visit([&](const auto& op) { return tape.Apply(op, x); }, norm);
}

/// A residual block: two convolutions and a shortcut (He et al., CVPR 2016, Figure 2).
class Block
{
  public:
    Block(ParameterList& list,
          const std::string& name,
          std::uint32_t in,
          std::uint32_t out,
          bool batchNorm)
        : m_first(list.Conv(name + ".conv1", {out, in, 3, 3}, in == out ? 1 : 2, 1, false)),
          m_firstNorm(DeclareNorm(list, name + ".norm1", out, batchNorm)),
          m_second(list.Conv(name + ".conv2", {out, out, 3, 3}, 1, 1, false)),
          m_secondNorm(DeclareNorm(list, name + ".norm2", out, batchNorm))
    {
        if (in != out)
        {
            m_way = list.Conv(name + ".downsample.0", {out, in, 1, 1}, 2, 0, false);
            m_wayNorm = DeclareNorm(list, name + ".downsample.1", out, batchNorm);
        }
    }

    at::Tensor Apply(Tape& tape, const at::Tensor& x) const
    {
        const at::Tensor inner = at::relu(Normalise(tape, m_firstNorm, tape.Apply(m_first, x)));
        const at::Tensor y = Normalise(tape, m_secondNorm, tape.Apply(m_second, inner));
        const at::Tensor around = m_way ? Normalise(tape, *m_wayNorm, tape.Apply(*m_way, x)) : x;
        return at::relu(y + around);
    }

  private:
    ConvOp m_first;       ///< first convolution; with stride 2 if the number of channels changes
    AnyNorm m_firstNorm;  ///< normalisation after m_first
    ConvOp m_second;      ///< second convolution, which keeps the shape
    AnyNorm m_secondNorm; ///< normalisation after m_second
    std::optional<ConvOp> m_way;      ///< 1 x 1 convolution in the shortcut, if the block changes
                                      ///< the shape
    std::optional<AnyNorm> m_wayNorm; ///< normalisation after m_way
};

class ResNet : public RecordedFunction
{
  public:
    ResNet(ParameterList& list, std::uint32_t channels, std::uint32_t classes, Variant variant)
        : m_imageNetStem(variant.imageNetStem),
          m_stem(variant.imageNetStem
                     ? list.Conv("conv1", {64, channels == 1 ? 3 : channels, 7, 7}, 2, 3, false)
                     : list.Conv("conv1", {64, channels, 3, 3}, 1, 1, false)),
          m_stemNorm(DeclareNorm(list, "norm1", 64, variant.batchNorm))
    {
        std::uint32_t in = CHANNELS.front();
        for (std::size_t stage = 0; stage < CHANNELS.size(); ++stage)
        {
            const std::string name = "layer" + std::to_string(stage + 1);
            m_blocks.emplace_back(list, name + ".0", in, CHANNELS[stage], variant.batchNorm);
            in = CHANNELS[stage];
            m_blocks.emplace_back(list, name + ".1", in, in, variant.batchNorm);
            m_stageEnds.push_back(list.Tensors().size());
        }
        m_linear = list.Linear("fc", in, classes);
    }

    at::Tensor Forward(Tape& tape, const at::Tensor& images) const override
    {
        const bool grey = m_imageNetStem && images.size(1) == 1;
        at::Tensor x = grey ? images.expand({-1, 3, -1, -1}) : images;
        x = at::relu(Normalise(tape, m_stemNorm, tape.Apply(m_stem, x)));
        if (m_imageNetStem)
        {
            x = at::max_pool2d(x, 3, 2, 1);
        }
        for (const Block& block : m_blocks)
        {
            x = block.Apply(tape, x);
        }
        return tape.Apply(m_linear, x.mean({2, 3}));
    }

    /// Number of tensors in each part: the stem with the first stage, three further stages, the
    /// linear layer.
    std::vector<std::size_t> Parts() const
    {
        std::vector<std::size_t> parts;
        std::size_t begin = 0;
        for (const std::size_t end : m_stageEnds)
        {
            parts.push_back(end - begin);
            begin = end;
        }
        parts.push_back(2);
        return parts;
    }

  private:
    bool m_imageNetStem;                  ///< true: the model begins like MakeResNet18ImageNet()
    ConvOp m_stem;                        ///< convolution of the image
    AnyNorm m_stemNorm;                   ///< normalisation after m_stem
    std::vector<Block> m_blocks;          ///< residual blocks, two in each stage
    std::vector<std::size_t> m_stageEnds; ///< [stage] number of tensors up to the end of the stage
    LinearOp m_linear{};                  ///< linear layer that gives the logits
};

ModelSpec
Make(const std::string& name, ImageShape input, std::uint32_t classes, Variant variant)
{
    constexpr std::uint32_t smallest = 8;
    DPDL_REFUSE_IF(input.height < smallest || input.width < smallest,
                   "images for model '" + name + "'",
                   std::to_string(input.height) + " x " + std::to_string(input.width),
                   "8 x 8 or larger");
    ParameterList list;
    const auto function = std::make_shared<ResNet>(list, input.channels, classes, variant);
    ModelSpec model(name, input, classes, list.Tensors(), function);
    model.DeclareParts(function->Parts());
    return model;
}

} // namespace

ModelSpec
MakeResNet18(ImageShape input, std::uint32_t classes)
{
    return Make("resnet-18", input, classes, {});
}

ModelSpec
MakeResNet18BatchNorm(ImageShape input, std::uint32_t classes)
{
    ModelSpec model = Make("resnet-18-bn", input, classes, {true, false});
    model.hasBatchStatistics = true;
    return model;
}

ModelSpec
MakeResNet18ImageNet(ImageShape input, std::uint32_t classes)
{
    return Make("resnet-18-imagenet", input, classes, {false, true});
}

} // namespace dpdl
