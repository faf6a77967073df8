// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_STATES_H
#define DPDL_TRAINING_DEVICE_STATES_H

#include "cuda/device-executor.h"
#include "dpdl/training/parameters.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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
    /// A block of rows. A handle of a block may outlive the states, but not the executor's device.
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

    /// Binds a vector to the values of a row. @param row less than the block's number of rows
    void Bind(ParameterVector& vector, const std::shared_ptr<Block>& block, std::size_t row) const;

    /// Values of a vector on the device; uploads them if necessary.
    const float* RowOf(ParameterVector& vector);

  private:
    struct Memory;

    std::shared_ptr<Memory> m_memory; ///< shared with every block
};

/// Mixing matrix on a device, in sparse rows; its columns stand for rows of states.
struct DeviceMix
{
    std::vector<cuda::MixEntry> entries{}; ///< terms of all rows, row after row
    std::vector<std::uint32_t> first{0};   ///< [rows + 1] index of each row's first entry

    /// Removes all rows.
    void Clear()
    {
        entries.clear();
        first.assign(1, 0);
    }

    /// Ends a row: its terms are the entries since the last call. A row without terms is left
    /// unchanged.
    void EndRow()
    {
        first.push_back(static_cast<std::uint32_t>(entries.size()));
    }

    /// Number of rows.
    std::size_t Rows() const
    {
        return first.size() - 1;
    }
};

/// Mixes the states of many nodes on a device in one pass over its memory, like MixParameters().
class DeviceMixer
{
  public:
    /**
     * @param executor of the device; outlives the mixer
     * @param parameters d
     */
    DeviceMixer(cuda::DeviceExecutor& executor, std::size_t parameters);

    /**
     * @brief Mixes rows.
     * @param mix terms of each row; no source is an output row
     * @param[out] rows on the device, [mix.Rows(), d]
     */
    void Mix(const DeviceMix& mix, float* rows);

    /**
     * @brief Computes the mean of rows in double precision, and waits for the device.
     * @param mix its sources are the rows, at least one; coefficients do not count
     * @param[out] mean on the device, [d]
     * @return root mean square of the rows' distances to the mean
     */
    double Mean(const DeviceMix& mix, float* mean);

    /// MixingError() of every row of the last mix; 0 without terms. Waits for the device.
    std::vector<double> Errors() const;

  private:
    cuda::DeviceExecutor& m_executor;            ///< launches kernels on the device
    std::size_t m_parameters;                    ///< number of parameters d
    std::size_t m_rows{0};                       ///< number of rows of the last mix
    cuda::DeviceArray<cuda::MixEntry> m_entries; ///< entries of the last mix; grows
    cuda::DeviceArray<std::uint32_t> m_first;    ///< DeviceMix::first of the last mix; grows
    /// [2, rows, ProbeMix::PROBES] error and size, or sums of Mean(); grows
    cuda::DeviceArray<double> m_probes;
};

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_STATES_H
