// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_TESTED_LEVELS_H
#define DPDL_TEST_TESTED_LEVELS_H

#include "dpdl/base/random.h"
#include "float-buffer.h"
#include "native-kernels.h"
#include "normal-kernels.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#ifdef DPDL_SIMD_LEVELS
/// The portable kernels, compiled for a processor with fused multiply-add.
namespace dpdl::fused
{
extern const NativeKernels NATIVE_KERNELS;
extern const NormalKernels NORMAL_KERNELS;
} // namespace dpdl::fused
#endif

namespace dpdl
{

/// Kernels that this processor runs.
struct TestedLevel
{
    std::string name;
    const NativeKernels& native;
    const NormalKernels& normal;
};

inline std::vector<TestedLevel>
TestedLevels()
{
    std::vector<TestedLevel> levels;
    for (const SimdLevel level : SimdLevels())
    {
        levels.push_back({NameOf(level), NativeKernelsOf(level), NormalKernelsOf(level)});
    }
#ifdef DPDL_SIMD_LEVELS
    if (levels.size() > 1)
    {
        levels.push_back({"fused", fused::NATIVE_KERNELS, fused::NORMAL_KERNELS});
    }
#endif
    return levels;
}

/// Holds that results have the same bits on every processor with fused multiply-add.
class Bits
{
  public:
    /// @param digest of the results
    explicit Bits(std::uint64_t digest)
        : m_digest(digest)
    {
    }

    ~Bits()
    {
#ifndef __aarch64__
        m_digests.erase(NameOf(SimdLevel::PORTABLE));
#endif
        for (const auto& [name, digest] : m_digests)
        {
            EXPECT_EQ(digest, m_digest) << name;
        }
    }

    template <typename Number>
    void Add(const TestedLevel& level, const std::vector<Number>& values)
    {
        std::uint64_t& digest = m_digests[level.name];
        const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
        for (std::size_t i = 0; i < values.size() * sizeof(Number); ++i)
        {
            digest = (digest ^ bytes[i]) * 0x100000001b3U + 1;
        }
    }

  private:
    std::uint64_t m_digest;
    std::map<std::string, std::uint64_t> m_digests;
};

/// Numbers for a test, each in [-1, 1).
class TestNumbers
{
  public:
    explicit TestNumbers(std::uint32_t seed)
        : m_stream({seed, 1}, RandomPurpose::TEST, 0, 0)
    {
    }

    std::vector<float> Values(std::size_t count)
    {
        std::vector<float> values(count);
        for (float& value : values)
        {
            value = static_cast<float>(2.0 * m_stream.Uniform(m_next++) - 1.0);
        }
        return values;
    }

    FloatBuffer Buffer(std::size_t count)
    {
        FloatBuffer buffer(count);
        const std::vector<float> values = Values(count);
        std::copy(values.begin(), values.end(), buffer.Data());
        return buffer;
    }

    std::size_t Integer(std::size_t least, std::size_t most)
    {
        return least + m_stream.Integer(m_next++, static_cast<std::uint32_t>(most - least + 1));
    }

  private:
    RandomStream m_stream;
    std::uint64_t m_next{0};
};

} // namespace dpdl

#endif // DPDL_TEST_TESTED_LEVELS_H
