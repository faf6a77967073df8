// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_WIRE_H
#define DPDL_BASE_WIRE_H

#include <cstddef>
#include <cstdint>

namespace dpdl
{

/// CRC-32 of IEEE 802.3 (reflected polynomial 0xedb88320) over @p data, of length @p bytes.
std::uint32_t Crc32(const void* data, std::size_t bytes);

/**
 * @brief Writes an unsigned integer in network byte order.
 * @param out write position; advanced past the integer
 * @param value integer to write
 */
template <typename T>
void
PutBigEndian(std::uint8_t*& out, T value)
{
    for (int shift = 8 * (static_cast<int>(sizeof(T)) - 1); shift >= 0; shift -= 8)
    {
        *out++ = static_cast<std::uint8_t>(value >> shift);
    }
}

/// Reads an unsigned integer in network byte order.
/// @param in read position; advanced past the integer
template <typename T>
T
TakeBigEndian(const std::uint8_t*& in)
{
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
    {
        value = static_cast<T>(static_cast<std::uint64_t>(value) << 8) | *in++;
    }
    return value;
}

} // namespace dpdl

#endif // DPDL_BASE_WIRE_H
