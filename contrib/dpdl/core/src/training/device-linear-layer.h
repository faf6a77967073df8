// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_LINEAR_LAYER_H
#define DPDL_TRAINING_DEVICE_LINEAR_LAYER_H

#include "device-layer.h"
#include "dpdl/training/layer.h"

namespace dpdl
{

/**
 * @brief Fully connected layer: one product for each node.
 *
 * The gradient of an example is never formed: its norm is |input| * |output gradient|, and the clip
 * factors go into the product that sums over the batch.
 */
class DeviceLinearLayer : public DeviceLayer
{
  public:
    /**
     * @param spec sizes
     * @param offset of the weight in a node's state; the bias is behind it
     */
    DeviceLinearLayer(const Linear& spec, std::size_t offset);

    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;
    void AddSquaredNorms(const DevicePass& pass, const DeviceFlow& flow) override;
    void SumClipped(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    std::size_t m_in;     ///< values that come in, in [channel, row, column] order
    std::size_t m_out;    ///< values that go out
    std::size_t m_offset; ///< of the weight in a node's state
};

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_LINEAR_LAYER_H
