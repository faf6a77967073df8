// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-mixer.h"

#include <algorithm>

namespace dpdl
{

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
