// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CHUNK_LAYOUT_H
#define DPDL_TRAINING_CHUNK_LAYOUT_H

#include <algorithm>
#include <cstddef>
#include <limits>

namespace dpdl
{

/**
 * @brief Cuts a flat parameter vector into chunks of equal length; the last one may be shorter.
 *
 * If only the first parameters of a vector are shared, the chunks cover only these.
 */
class ChunkLayout
{
  public:
    /// Largest number of chunks: messages number them with 16 bits, and 65535 means no chunk.
    static constexpr std::size_t MOST_CHUNKS = 65535;

    /// One chunk that covers a vector of any length.
    ChunkLayout() = default;

    /**
     * @param parameters d >= 1, the length of the vector
     * @param length parameters per chunk; 0 or more than d: one chunk
     */
    ChunkLayout(std::size_t parameters, std::size_t length)
        : m_parameters(parameters),
          m_length(length == 0 ? parameters : std::min(length, parameters))
    {
    }

    /// d; the largest std::size_t if default-constructed.
    std::size_t Parameters() const
    {
        return m_parameters;
    }

    /// Number of chunks.
    std::size_t Count() const
    {
        return m_parameters / m_length + (m_parameters % m_length > 0 ? 1 : 0);
    }

    /// Index of the chunk's first parameter.
    std::size_t Begin(std::size_t chunk) const
    {
        return chunk * m_length;
    }

    /// Index behind the chunk's last parameter.
    std::size_t End(std::size_t chunk) const
    {
        return std::min(m_parameters - Begin(chunk), m_length) + Begin(chunk);
    }

    /// Number of the chunk's parameters.
    std::size_t Size(std::size_t chunk) const
    {
        return End(chunk) - Begin(chunk);
    }

  private:
    std::size_t m_parameters{std::numeric_limits<std::size_t>::max()}; ///< d
    std::size_t m_length{std::numeric_limits<std::size_t>::max()};     ///< of a full chunk
};

} // namespace dpdl

#endif // DPDL_TRAINING_CHUNK_LAYOUT_H
