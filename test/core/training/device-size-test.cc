// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// The device program at sizes that no test computes: an executor that only looks at what it is
// asked for.

#include "cuda/device-executor.h"
#include "cuda/host-device.h"
#include "device-timing.h"
#include "test-images.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <map>

namespace dpdl
{
namespace
{

/// Memory of an H100 that other programs leave, in bytes.
constexpr std::size_t DEVICE_MEMORY = std::size_t{75} << 30;

/// More than the parts of a model take, in bytes.
constexpr std::size_t MOST_PARTS = 4096;

/// Checks sizes and places; there is nothing at the addresses that it gives out.
class CheckingExecutor : public cuda::DeviceExecutor
{
  public:
    std::string Name() const override
    {
        return "checking";
    }

    std::size_t FreeBytes() const override
    {
        return DEVICE_MEMORY - m_taken;
    }

    void* Allocate(std::size_t bytes) override
    {
        m_taken += bytes;
        EXPECT_LE(m_taken, DEVICE_MEMORY);
        const std::uintptr_t begin = m_next;
        m_next += bytes + 256;
        m_blocks[begin] = bytes;
        return reinterpret_cast<void*>(begin);
    }

    void Free(void* memory) noexcept override
    {
        const auto block = m_blocks.find(reinterpret_cast<std::uintptr_t>(memory));
        m_taken -= block->second;
        m_blocks.erase(block);
    }

    void Upload(void* device, const void* host, std::size_t bytes) override
    {
        ExpectInside(device, bytes);
        if (bytes % sizeof(cuda::GradientPart) == 0 && bytes < MOST_PARTS)
        {
            std::vector<cuda::GradientPart>& parts = m_parts[device];
            parts.resize(bytes / sizeof(cuda::GradientPart));
            std::memcpy(static_cast<void*>(parts.data()), host, bytes);
        }
    }

    void Download(void* host, const void* device, std::size_t bytes) override
    {
        ExpectInside(device, bytes);
        std::memset(host, 0, bytes);
    }

    void Copy(void* to, const void* from, std::size_t bytes) override
    {
        ExpectInside(to, bytes);
        ExpectInside(from, bytes);
    }

    void ForEach(const cuda::IndexOp& op, std::size_t count) override
    {
        if (!std::holds_alternative<cuda::MixRows>(op))
        {
            EXPECT_LT(count, std::size_t{1} << 32) << op.index();
        }
        if (const auto* windows = std::get_if<cuda::CutWindows>(&op))
        {
            ExpectInside(windows->windows, count * sizeof(float));
        }
        if (const auto* mix = std::get_if<cuda::MixRows>(&op))
        {
            EXPECT_LT(count / cuda::MixRows::BLOCK, std::size_t{1} << 32);
            ExpectInside(mix->out, mix->rows * mix->count * sizeof(float));
        }
    }

    void SumRows(const cuda::RowOp& op, std::size_t rows) override
    {
        if (const auto* norms = std::get_if<cuda::PartNorms>(&op))
        {
            EXPECT_LT(rows, std::size_t{1} << 32);
            ExpectInside(norms->squares, rows * sizeof(double));
            EXPECT_EQ(m_parts[norms->parts].size(), norms->count);
            for (const cuda::GradientPart& part : m_parts[norms->parts])
            {
                ExpectInside(part.values, rows / norms->count * part.width * sizeof(float));
            }
        }
    }

    void Multiply(const cuda::BatchedProduct& product) override
    {
        constexpr std::size_t most = std::numeric_limits<int>::max();
        for (const std::size_t number :
             {product.rows, product.columns, product.inner, product.a.stride, product.b.stride})
        {
            EXPECT_GT(number, 0U);
            EXPECT_LE(number, most);
        }
        ExpectInside(product.a, product.rows, product.inner, product.batch);
        ExpectInside(product.b, product.inner, product.columns, product.batch);
        const std::size_t last = (product.batch - 1) * product.cBatchStride;
        ExpectInside(product.c, (last + product.rows * product.columns) * sizeof(float));
        ++m_products;
    }

    std::unique_ptr<cuda::DeviceRecording> Record(const std::function<void()>& work) override
    {
        work();

        struct Nothing : cuda::DeviceRecording
        {
            void Replay() override
            {
            }
        };

        return std::make_unique<Nothing>();
    }

    /// How many products were asked for.
    std::size_t Products() const
    {
        return m_products;
    }

  private:
    void ExpectInside(const void* memory, std::size_t bytes) const
    {
        const auto address = reinterpret_cast<std::uintptr_t>(memory);
        const auto after = m_blocks.upper_bound(address);
        ASSERT_NE(after, m_blocks.begin());
        const auto& [begin, size] = *std::prev(after);
        EXPECT_LE(address + bytes, begin + size);
    }

    void ExpectInside(const cuda::MatrixBatch& matrix,
                      std::size_t rows,
                      std::size_t columns,
                      std::size_t batch) const
    {
        const std::size_t lines = matrix.transpose ? columns : rows;
        const std::size_t values = matrix.transpose ? rows : columns;
        EXPECT_LE(values, matrix.stride);
        const std::size_t last = (batch - 1) * matrix.batchStride + (lines - 1) * matrix.stride;
        ExpectInside(matrix.data, (last + values) * sizeof(float));
    }

    std::map<std::uintptr_t, std::size_t> m_blocks;                 ///< bytes by address
    std::map<const void*, std::vector<cuda::GradientPart>> m_parts; ///< sent parts, by address
    std::uintptr_t m_next{4096};                                    ///< where the next block begins
    std::size_t m_taken{0};                                         ///< bytes
    std::size_t m_products{0};                                      ///< see Products()
};

TEST(DeviceSize, OfThousandsOfNodesFitsMemoryAndNumbers)
{
    for (const char* name : {"mlp", "cnn-s", "cnn-m", "cnn-c10"})
    {
        for (const std::size_t nodes : {20U, 200U, 2000U})
        {
            SCOPED_TRACE(std::string(name) + " " + std::to_string(nodes));
            const ImageShape shape =
                std::string(name) == "cnn-c10" ? ImageShape{3, 32, 32} : ImageShape{1, 28, 28};
            CheckingExecutor executor;
            const auto images = MakeTestImages(shape, 200, 5);
            const DeviceTiming timing =
                TimeExecutor(executor, MakeModel(name, shape, 10), *images, {nodes, 64, 2, 1});
            EXPECT_GE(timing.nodesAtOnce, std::min<std::size_t>(nodes, 50));
            EXPECT_GT(executor.Products(), 0U);
        }
    }
}

TEST(DeviceSize, QuotientsAreThoseOfADivision)
{
    for (std::uint64_t divisor = 1; divisor < 1ULL << 32;
         divisor += divisor < 3000 ? 1 : divisor / 3)
    {
        const cuda::Divisor by(divisor);
        for (std::uint64_t index = 0; index < 1ULL << 32; index += 1 + index / 5)
        {
            const std::uint64_t multiple = index / divisor * divisor;
            for (const std::uint64_t i : {index, multiple, multiple + divisor - 1})
            {
                const auto word = static_cast<std::uint32_t>(i);
                ASSERT_EQ(by.Quotient(word), word / divisor) << i << " / " << divisor;
            }
        }
    }
}

} // namespace
} // namespace dpdl
