// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_STATES_H
#define DPDL_TRAINING_DEVICE_STATES_H

#include "cuda/device-executor.h"
#include "dpdl/training/parameters.h"

#include <cstddef>
#include <memory>

namespace dpdl
{

/**
 * @brief Memory on a device for the states of nodes that compute together, in blocks of contiguous
 * rows.
 *
 * A block is reused once the last vector with values in it is destroyed, so a run in its steady
 * state allocates nothing.
 */
class DeviceStates
{
  public:
    /// Some rows. A handle of a block may outlive the states, but not the executor's device.
    class Block;

    /**
     * @param executor of the device
     * @param parameters d, values of a row
     */
    DeviceStates(std::shared_ptr<cuda::DeviceExecutor> executor, std::size_t parameters);
    ~DeviceStates();
    DeviceStates(const DeviceStates&) = delete;
    DeviceStates& operator=(const DeviceStates&) = delete;

    /**
     * @brief Returns a block with unspecified content.
     * @param rows number of rows, above 0
     * @throws cuda::DeviceError if memory runs out
     */
    std::shared_ptr<Block> Take(std::size_t rows);

    /// First value of a block's first row, on the device.
    static float* Data(const Block& block);

    /// Binds a vector to the values of a row. @param row below those of the block
    void Bind(ParameterVector& vector, const std::shared_ptr<Block>& block, std::size_t row) const;

    /// Values of a vector on the device; uploads them if necessary.
    const float* RowOf(ParameterVector& vector);

  private:
    struct Memory;

    std::shared_ptr<Memory> m_memory; ///< shared with every block
};

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_STATES_H
