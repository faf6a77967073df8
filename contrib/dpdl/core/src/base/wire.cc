// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/wire.h"

#include <array>

namespace dpdl
{

namespace
{

constexpr std::uint32_t POLYNOMIAL = 0xedb88320;
constexpr std::size_t STRIDE = 8;

using Table = std::array<std::array<std::uint32_t, 256>, STRIDE>;

/// Entry [k][b]: the remainder of byte b with k zero bytes behind it.
Table
MakeTable()
{
    Table table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte)
    {
        std::uint32_t rest = byte;
        for (int bit = 0; bit < 8; ++bit)
        {
            rest = (rest >> 1) ^ ((rest & 1) != 0 ? POLYNOMIAL : 0);
        }
        table[0][byte] = rest;
    }
    for (std::size_t k = 1; k < STRIDE; ++k)
    {
        for (std::size_t byte = 0; byte < 256; ++byte)
        {
            const std::uint32_t before = table[k - 1][byte];
            table[k][byte] = (before >> 8) ^ table[0][before & 0xff];
        }
    }
    return table;
}

} // namespace

std::uint32_t
Crc32(const void* data, std::size_t bytes)
{
    static const Table table = MakeTable();
    const auto* in = static_cast<const std::uint8_t*>(data);
    std::uint32_t crc = 0xffffffff;
    // Eight bytes a step: a model is megabytes, and its checksum is taken twice for every message.
    for (; bytes >= STRIDE; bytes -= STRIDE, in += STRIDE)
    {
        crc = table[7][(crc ^ in[0]) & 0xff] ^ table[6][((crc >> 8) ^ in[1]) & 0xff] ^
              table[5][((crc >> 16) ^ in[2]) & 0xff] ^ table[4][(crc >> 24) ^ in[3]] ^
              table[3][in[4]] ^ table[2][in[5]] ^ table[1][in[6]] ^ table[0][in[7]];
    }
    for (; bytes > 0; --bytes)
    {
        crc = (crc >> 8) ^ table[0][(crc ^ *in++) & 0xff];
    }
    return ~crc;
}

} // namespace dpdl
