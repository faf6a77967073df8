// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-states.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

// DeviceStates keeps unused blocks by their number of rows. A ParameterVector refers to one row of
// a block. The block is reused once no vector refers to it.

namespace dpdl
{

/// The executor and the unused memory, shared with all blocks in use.
struct DeviceStates::Memory
{
    Memory(std::shared_ptr<cuda::DeviceExecutor> device, std::size_t count)
        : executor(std::move(device)),
          parameters(count)
    {
    }

    /// Returns memory for @p rows rows: unused memory of this size, or new memory.
    cuda::DeviceArray<float> Find(std::size_t rows)
    {
        std::vector<cuda::DeviceArray<float>>& waiting = free[rows];
        if (!waiting.empty())
        {
            cuda::DeviceArray<float> memory = std::move(waiting.back());
            waiting.pop_back();
            return memory;
        }
        try
        {
            return {*executor, rows * parameters};
        }
        catch (const cuda::DeviceError& error)
        {
            if (!error.IsOutOfMemory() || free.size() == 1)
            {
                throw;
            }
        }
        free.clear(); // free unused blocks of other sizes to make room
        return {*executor, rows * parameters};
    }

    const std::shared_ptr<cuda::DeviceExecutor> executor;
    const std::size_t parameters;
    /// Unused memory, by number of rows.
    std::map<std::size_t, std::vector<cuda::DeviceArray<float>>> free;
};

/// Contiguous rows in device memory. The destructor adds their memory to the unused memory.
class DeviceStates::Block
{
  public:
    Block(std::shared_ptr<Memory> memory, std::size_t rows)
        : m_memory(std::move(memory)),
          m_rows(rows),
          m_values(m_memory->Find(rows))
    {
    }

    ~Block()
    {
        m_memory->free[m_rows].push_back(std::move(m_values));
    }

    float* Row(std::size_t row) const
    {
        return m_values.Data() + row * m_memory->parameters;
    }

    /// Copies a row to the host.
    /// @param[out] out [d] in host memory
    void Fetch(std::size_t row, float* out) const
    {
        m_memory->executor->Download(out, Row(row), m_memory->parameters * sizeof(float));
    }

  private:
    std::shared_ptr<Memory> m_memory;
    std::size_t m_rows;
    cuda::DeviceArray<float> m_values;
};

namespace
{

/// Gives a ParameterVector the values of a row of a block.
class BlockRow : public RemoteValues
{
  public:
    BlockRow(std::shared_ptr<const DeviceStates::Block> block, std::size_t row)
        : m_block(std::move(block)),
          m_row(row)
    {
    }

    void Fetch(float* out) const override
    {
        m_block->Fetch(m_row, out);
    }

    const float* Row() const override
    {
        return m_block->Row(m_row);
    }

  private:
    std::shared_ptr<const DeviceStates::Block> m_block;
    std::size_t m_row;
};

} // namespace

DeviceStates::DeviceStates(std::shared_ptr<cuda::DeviceExecutor> executor, std::size_t parameters)
    : m_memory(std::make_shared<Memory>(std::move(executor), parameters))
{
}

DeviceStates::~DeviceStates() = default;

std::shared_ptr<DeviceStates::Block>
DeviceStates::Take(std::size_t rows)
{
    return std::make_shared<Block>(m_memory, rows);
}

float*
DeviceStates::Data(const Block& block)
{
    return block.Row(0);
}

void
DeviceStates::Bind(ParameterVector& vector,
                   const std::shared_ptr<Block>& block,
                   std::size_t row) const
{
    vector.SetRemote(std::make_shared<BlockRow>(block, row));
}

const float*
DeviceStates::RowOf(ParameterVector& vector)
{
    if (vector.Remote() != nullptr)
    {
        return vector.Remote()->Row();
    }
    const std::shared_ptr<Block> block = Take(1);
    m_memory->executor->Upload(Data(*block),
                               std::as_const(vector).Data(),
                               m_memory->parameters * sizeof(float));
    Bind(vector, block, 0);
    return Data(*block);
}

namespace
{

/// Enlarges an array to @p size values, at least doubling it.
template <typename T>
void
Grow(cuda::DeviceExecutor& executor, cuda::DeviceArray<T>& array, std::size_t size)
{
    if (array.Size() < size)
    {
        const std::size_t room = std::max(size, 2 * array.Size());
        array = {};
        array = {executor, room};
    }
}

} // namespace

DeviceMixer::DeviceMixer(cuda::DeviceExecutor& executor, std::size_t parameters)
    : m_executor(executor),
      m_parameters(parameters)
{
}

void
DeviceMixer::Mix(const DeviceMix& mix, float* rows)
{
    m_rows = mix.Rows();
    const std::size_t probes = m_rows * cuda::ProbeMix::PROBES;
    Grow(m_executor, m_entries, std::max<std::size_t>(1, mix.entries.size()));
    Grow(m_executor, m_first, mix.first.size());
    Grow(m_executor, m_probes, 2 * probes);
    m_executor.Upload(m_entries.Data(),
                      mix.entries.data(),
                      mix.entries.size() * sizeof(cuda::MixEntry));
    m_executor.Upload(m_first.Data(), mix.first.data(), mix.first.size() * sizeof(std::uint32_t));
    const cuda::MixRows all{m_entries.Data(), m_first.Data(), rows, m_rows, m_parameters};
    m_executor.ForEach(all, all.Calls());
    m_executor.ForEach(cuda::ProbeMix{all, m_probes.Data(), m_probes.Data() + probes}, probes);
}

double
DeviceMixer::Mean(const DeviceMix& mix, float* mean)
{
    const std::size_t tiles =
        (m_parameters + cuda::MeanOfRows::COLUMNS - 1) / cuda::MeanOfRows::COLUMNS;
    Grow(m_executor, m_entries, mix.entries.size());
    Grow(m_executor, m_probes, tiles);
    m_executor.Upload(m_entries.Data(),
                      mix.entries.data(),
                      mix.entries.size() * sizeof(cuda::MixEntry));
    m_executor.SumRows(
        cuda::MeanOfRows{m_entries.Data(), mix.entries.size(), m_parameters, mean, m_probes.Data()},
        tiles);
    std::vector<double> sums(tiles);
    m_executor.Download(sums.data(), m_probes.Data(), tiles * sizeof(double));
    return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0) /
                     static_cast<double>(mix.entries.size()));
}

std::vector<double>
DeviceMixer::Errors() const
{
    const std::size_t probes = m_rows * cuda::ProbeMix::PROBES;
    std::vector<double> found(2 * probes);
    m_executor.Download(found.data(), m_probes.Data(), found.size() * sizeof(double));
    std::vector<double> errors(m_rows, 0.0);
    for (std::size_t row = 0; row < m_rows; ++row)
    {
        const auto begin =
            found.begin() + static_cast<std::ptrdiff_t>(row * cuda::ProbeMix::PROBES);
        const auto sizes = begin + static_cast<std::ptrdiff_t>(probes);
        const double error = *std::max_element(begin, begin + cuda::ProbeMix::PROBES);
        const double size = *std::max_element(sizes, sizes + cuda::ProbeMix::PROBES);
        errors[row] = size > 0.0 ? error / size : 0.0;
    }
    return errors;
}

} // namespace dpdl
