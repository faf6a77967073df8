// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "torch-function.h"
#include "torch-parts.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/gelu.h>

namespace dpdl
{

namespace
{

/// One layer of the encoder: self-attention, then two linear layers with GELU between them. A
/// normalisation precedes the attention, and another one precedes the linear layers. A shortcut
/// bypasses the attention, and another one bypasses the linear layers.
class EncoderLayer
{
  public:
    EncoderLayer(ParameterList& list, const std::string& name, const VitSize& size)
        : m_norm1(list.LayerNorm(name + ".ln_1", size.width)),
          m_attention{list.Linear(name + ".self_attention.in_proj", size.width, 3 * size.width),
                      list.Linear(name + ".self_attention.out_proj", size.width, size.width),
                      size.heads},
          m_norm2(list.LayerNorm(name + ".ln_2", size.width)),
          m_widen(list.Linear(name + ".mlp.0", size.width, size.hidden)),
          m_narrow(list.Linear(name + ".mlp.3", size.hidden, size.width))
    {
    }

    at::Tensor Apply(Tape& tape, const at::Tensor& input) const
    {
        const at::Tensor x = input + Attend(tape, m_attention, tape.Apply(m_norm1, input));
        const at::Tensor wide = at::gelu(tape.Apply(m_widen, tape.Apply(m_norm2, x)));
        return x + tape.Apply(m_narrow, wide);
    }

  private:
    LayerNormOp m_norm1;     ///< normalisation before the attention
    AttentionOp m_attention; ///< self-attention
    LayerNormOp m_norm2;     ///< normalisation before the linear layers
    LinearOp m_widen;        ///< first linear layer, which widens each token
    LinearOp m_narrow;       ///< second linear layer, which restores the width of each token
};

class VisionTransformer : public RecordedFunction
{
  public:
    VisionTransformer(ParameterList& list,
                      const VitSize& size,
                      const ImageShape& input,
                      std::uint32_t classes)
        : m_token(list.Free("class_token", {1, size.width}, Initialisation::ZERO)),
          m_patches(list.Conv("conv_proj",
                              {size.width, input.channels, size.patch, size.patch},
                              size.patch,
                              0,
                              true)),
          m_positions(
              list.Free("encoder.pos_embedding",
                        {input.height / size.patch * (input.width / size.patch) + 1, size.width},
                        Initialisation::SMALL_NORMAL))
    {
        for (std::uint32_t layer = 0; layer < size.layers; ++layer)
        {
            m_layers.emplace_back(list, "encoder.layer_" + std::to_string(layer), size);
        }
        m_norm = list.LayerNorm("encoder.ln", size.width);
        m_linear = list.Linear("head", size.width, classes);
    }

    at::Tensor Forward(Tape& tape, const at::Tensor& images) const override
    {
        const at::Tensor patches = tape.Apply(m_patches, images).flatten(2).transpose(1, 2);
        const std::int64_t examples = images.size(0);
        at::Tensor x = at::cat({tape.Apply(m_token, examples), patches}, 1) +
                       tape.Apply(m_positions, examples);
        for (const EncoderLayer& layer : m_layers)
        {
            x = layer.Apply(tape, x);
        }
        return tape.Apply(m_linear, tape.Apply(m_norm, x).select(1, 0));
    }

  private:
    ParameterOp m_token;                ///< class token; the logits are computed from its output
    ConvOp m_patches;                   ///< convolution that maps each patch to a token
    ParameterOp m_positions;            ///< position embeddings [tokens, width], which are added to
                                        ///< the tokens
    std::vector<EncoderLayer> m_layers; ///< encoder layers, in order
    LayerNormOp m_norm{};               ///< normalisation after the encoder layers
    LinearOp m_linear{};                ///< linear layer that gives the logits
};

} // namespace

ModelSpec
MakeVit(const std::string& name, const VitSize& size, ImageShape input, std::uint32_t classes)
{
    DPDL_REFUSE_IF(input.height == 0 || input.height % size.patch != 0 ||
                       input.width % size.patch != 0,
                   "images for model '" + name + "'",
                   std::to_string(input.height) + " x " + std::to_string(input.width),
                   "multiples of " + std::to_string(size.patch));
    ParameterList list;
    const auto function = std::make_shared<VisionTransformer>(list, size, input, classes);
    ModelSpec model(name, input, classes, list.Tensors(), function);
    constexpr std::size_t first = 3; // number of tensors of the first part: class token, weight and
                                     // bias of the patch convolution
    constexpr std::size_t last = 2;  // number of tensors of the last part: weight and bias of the
                                     // linear layer
    model.DeclareParts({first, list.Tensors().size() - first - last, last});
    return model;
}

ModelSpec
MakeVitS(ImageShape input, std::uint32_t classes)
{
    return MakeVit("vit-s", {}, input, classes);
}

} // namespace dpdl
