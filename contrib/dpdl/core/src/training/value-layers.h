// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_VALUE_LAYERS_H
#define DPDL_TRAINING_VALUE_LAYERS_H

#include "dpdl/data/dataset.h"
#include "dpdl/training/model.h"
#include "native-kernels.h"
#include "native-layer.h"

#include <cstdint>
#include <vector>

namespace dpdl
{

/// From the engine's [row, column, channel] order to the [channel, row, column] order of a vector.
class FlattenLayer : public NativeLayer
{
  public:
    /// @param input shape of what comes in
    explicit FlattenLayer(const ImageShape& input);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    std::size_t m_channels; ///< of what comes in
    std::size_t m_pixels;   ///< of what comes in
};

/**
 * @brief Max pool, alone or with the rectifier in front of it.
 *
 * max(pool(x), 0) = pool(max(x, 0)), so that the pair costs one pass over the output.
 */
class PoolLayer : public NativeLayer
{
  public:
    /**
     * @param spec window
     * @param input shape of what comes in
     * @param relu whether max(x, 0) comes first
     * @param capacity largest number of examples in a block
     */
    PoolLayer(const MaxPool2d& spec, const ImageShape& input, bool relu, std::size_t capacity);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    const NativeKernels& m_kernels;      ///< for this processor
    PoolShape m_shape;                   ///< sizes
    std::size_t m_outSize;               ///< values of one output image
    std::vector<std::uint16_t> m_winner; ///< [capacity, output size] place in the window
};

/// max(x, 0), element by element.
class ReluLayer : public NativeLayer
{
  public:
    /// @param size values of one example
    explicit ReluLayer(std::size_t size);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

    bool KeepsInput() const override
    {
        return true;
    }

  private:
    std::size_t m_size; ///< values of one example
};

/**
 * @brief The end of a residual block: adds what flowed into the block.
 *
 * Backward serves the chain alone. The gradient that goes past the block is for the network to add,
 * once the first layer of the block has given its own.
 */
class ResidualLayer : public NativeLayer
{
  public:
    /// @param size values of one example
    explicit ResidualLayer(std::size_t size);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    std::size_t m_size; ///< values of one example
};

/// tanh(x), element by element.
class TanhLayer : public NativeLayer
{
  public:
    /// @param size values of one example
    explicit TanhLayer(std::size_t size);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

    bool KeepsOutput() const override
    {
        return true;
    }

  private:
    std::size_t m_size; ///< values of one example
};

} // namespace dpdl

#endif // DPDL_TRAINING_VALUE_LAYERS_H
