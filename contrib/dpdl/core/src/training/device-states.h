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
 * A block is reused once no vector refers to its rows any more, so after the first rounds a run
 * allocates nothing.
 */
class DeviceStates
{
  public:
    /// A block of rows in device memory. A block may outlive DeviceStates, but not the device of
    /// the executor.
    class Block;

    /**
     * @param executor executor of the device
     * @param parameters number d of values in a row
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

    /// Address of a block's first row, in device memory.
    static float* Data(const Block& block);

    /// Binds a vector to the values of a row, without copying. The vector keeps the block alive.
    /// @param row less than the block's number of rows
    void Bind(ParameterVector& vector, const std::shared_ptr<Block>& block, std::size_t row) const;

    /// Address of a vector's values in device memory; uploads them if necessary.
    const float* RowOf(ParameterVector& vector);

  private:
    struct Memory;

    std::shared_ptr<Memory> m_memory; ///< executor and unused memory, shared with every block
};

/// Sparse mixing matrix for DeviceMixer, in host memory, row by row. An entry of a row adds a
/// multiple of a state vector, which is in device memory.
struct DeviceMix
{
    std::vector<cuda::MixEntry> entries{}; ///< entries of all rows, row after row
    std::vector<std::uint32_t> first{0};   ///< [rows + 1] index of each row's first entry

    /// Removes all rows of the mixing matrix.
    void Clear()
    {
        entries.clear();
        first.assign(1, 0);
    }

    /// Ends a row, which consists of the entries since the last call. A row without entries leaves
    /// its mixed vector unchanged.
    void EndRow()
    {
        first.push_back(static_cast<std::uint32_t>(entries.size()));
    }

    /// Number of rows of the mixing matrix.
    std::size_t Rows() const
    {
        return first.size() - 1;
    }
};

/// Mixes the states of many nodes on a device, with one launch for all rows, like MixParameters()
/// on the host.
class DeviceMixer
{
  public:
    /**
     * @param executor executor of the device; must outlive the mixer
     * @param parameters number d of values in a row
     */
    DeviceMixer(cuda::DeviceExecutor& executor, std::size_t parameters);

    /**
     * @brief Mixes rows.
     * @param mix entries of each row; no source may be an output row
     * @param[out] rows in device memory, [mix.Rows(), d]
     */
    void Mix(const DeviceMix& mix, float* rows);

    /**
     * @brief Computes the mean of rows in double precision, and waits for the device.
     * @param mix matrix with at least one entry; the sources of all entries are averaged with equal
     *        weights
     * @param[out] mean in device memory, [d]
     * @return root mean square of the rows' L2 distances to the mean
     */
    double Mean(const DeviceMix& mix, float* mean);

    /// [rows] relative rounding error of each row of the last mix, as MixingError() defines it; 0
    /// for a row without entries. Waits for the device.
    std::vector<double> Errors() const;

  private:
    cuda::DeviceExecutor& m_executor;            ///< launches kernels on the device
    std::size_t m_parameters;                    ///< number of parameters d
    std::size_t m_rows{0};                       ///< number of rows of the last mix
    cuda::DeviceArray<cuda::MixEntry> m_entries; ///< entries of the last mix; enlarged when needed
    cuda::DeviceArray<std::uint32_t> m_first;    ///< DeviceMix::first of the last mix; enlarged
                                                 ///< when needed
    /// [2, rows, ProbeMix::PROBES] absolute rounding errors and absolute values of the last mix, or
    /// the sums of squared distances in Mean(); enlarged when needed
    cuda::DeviceArray<double> m_probes;
};

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_STATES_H
