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
 * @brief Memory on a device for the states of nodes that compute together: rows side by side.
 *
 * Blocks are taken back when the last vector whose values are in them has gone, and given out
 * again, so that a run in its steady state allocates nothing.
 */
class DeviceStates
{
  public:
    /// Some rows. A holder of a block may outlive the states, not the executor's device.
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
     * @brief A block of any content.
     * @param rows how many, above 0
     * @throws cuda::DeviceError if there is no memory
     */
    std::shared_ptr<Block> Take(std::size_t rows);

    /// First value of a block's first row, on the device.
    static float* Data(const Block& block);

    /// From now on the values of a vector are those of a row. @param row below those of the block
    void Bind(ParameterVector& vector, const std::shared_ptr<Block>& block, std::size_t row) const;

    /// The values of a vector on the device; they are sent there if they are not there yet.
    const float* RowOf(ParameterVector& vector);

  private:
    struct Memory;

    std::shared_ptr<Memory> m_memory; ///< shared with every block
};

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_STATES_H
