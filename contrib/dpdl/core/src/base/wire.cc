// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/wire.h"

#include <zlib.h>

namespace dpdl
{

std::uint32_t
Crc32(const void* data, std::size_t bytes)
{
    return static_cast<std::uint32_t>(crc32_z(0, static_cast<const Bytef*>(data), bytes));
}

} // namespace dpdl
