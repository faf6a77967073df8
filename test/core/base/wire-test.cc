// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/wire.h"

#include <array>
#include <gtest/gtest.h>
#include <string>

namespace
{

TEST(Wire, ChecksumHasTheKnownCheckValue)
{
    const std::string digits = "123456789";
    EXPECT_EQ(dpdl::Crc32(digits.data(), digits.size()), 0xcbf43926u);
    EXPECT_EQ(dpdl::Crc32(nullptr, 0), 0u);
}

TEST(Wire, IntegersAreBigEndianAndComeBack)
{
    std::array<std::uint8_t, 15> bytes{};
    std::uint8_t* out = bytes.data();
    dpdl::PutBigEndian<std::uint64_t>(out, 0x0102030405060708);
    dpdl::PutBigEndian<std::uint32_t>(out, 0xfffefdfc);
    dpdl::PutBigEndian<std::uint16_t>(out, 0x8001);
    dpdl::PutBigEndian<std::uint8_t>(out, 0x7f);
    EXPECT_EQ(out, bytes.data() + bytes.size());
    EXPECT_EQ(bytes,
              (std::array<std::uint8_t,
                          15>{1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xfe, 0xfd, 0xfc, 0x80, 0x01, 0x7f}));
    const std::uint8_t* in = bytes.data();
    EXPECT_EQ(dpdl::TakeBigEndian<std::uint64_t>(in), 0x0102030405060708u);
    EXPECT_EQ(dpdl::TakeBigEndian<std::uint32_t>(in), 0xfffefdfcu);
    EXPECT_EQ(dpdl::TakeBigEndian<std::uint16_t>(in), 0x8001u);
    EXPECT_EQ(dpdl::TakeBigEndian<std::uint8_t>(in), 0x7fu);
}

} // namespace
