// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_MESSAGE_BITS_H
#define DPDL_TRAINING_MESSAGE_BITS_H

#include "dpdl/training/compressor.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace dpdl
{

/**
 * @file
 * @brief Encoding of bits in messages, and public random numbers, for compressors.
 */

/// Number of bytes that hold @p bits bits.
inline std::size_t
BytesOfBits(std::size_t bits)
{
    return (bits + 7) / 8;
}

/// Writes integers of @p width bits each to a byte array, without gaps, lowest bit first. The
/// caller provides an array of BytesOfBits(width * number of integers) bytes.
class BitWriter
{
  public:
    BitWriter(unsigned width, std::uint8_t* out)
        : m_width(width),
          m_out(out)
    {
    }

    void Put(std::uint32_t value)
    {
        m_pending |= static_cast<std::uint64_t>(value) << m_bits;
        for (m_bits += m_width; m_bits >= 8; m_bits -= 8)
        {
            *m_out++ = static_cast<std::uint8_t>(m_pending);
            m_pending >>= 8;
        }
    }

    /// Pads the last byte with zeros.
    /// @return address of the byte after the last one
    std::uint8_t* End()
    {
        if (m_bits > 0)
        {
            *m_out++ = static_cast<std::uint8_t>(m_pending);
        }
        return m_out;
    }

  private:
    unsigned m_width;
    std::uint8_t* m_out;
    std::uint64_t m_pending{0};
    unsigned m_bits{0};
};

/// Reads integers that a BitWriter has written.
class BitReader
{
  public:
    BitReader(unsigned width, const std::uint8_t* in)
        : m_width(width),
          m_in(in)
    {
    }

    std::uint32_t Take()
    {
        for (; m_bits < m_width; m_bits += 8)
        {
            m_pending |= static_cast<std::uint64_t>(*m_in++) << m_bits;
        }
        const auto value =
            static_cast<std::uint32_t>(m_pending & ((std::uint64_t{1} << m_width) - 1));
        m_pending >>= m_width;
        m_bits -= m_width;
        return value;
    }

  private:
    unsigned m_width;
    const std::uint8_t* m_in;
    std::uint64_t m_pending{0};
    unsigned m_bits{0};
};

/// Public random numbers of a message, one for each parameter, from parameter MessageName::begin
/// on. Sender and receiver compute the same numbers.
class Coins
{
  public:
    Coins(RandomSeed seed, const MessageName& name)
        : m_stream(seed, RandomPurpose::COMPRESSION, name.node, name.round),
          m_next(name.begin)
    {
    }

    /// Random number of the next parameter, uniform in (0, 1).
    double Next()
    {
        constexpr std::size_t words = RandomStream::WORDS_AT_ONCE;
        if (!m_isFilled || m_next % words == 0)
        {
            m_stream.FillWords(m_next / words, m_words.data());
            m_isFilled = true;
        }
        return (m_words[m_next++ % words] + 0.5) * 0x1p-32;
    }

  private:
    RandomStream m_stream;
    std::array<std::uint32_t, RandomStream::WORDS_AT_ONCE> m_words{};
    std::size_t m_next;
    bool m_isFilled{false};
};

/**
 * @file
 * @brief Factories of the sparse compressors that MakeCompressor() describes.
 */

/// Compressor `top-k:F`.
/// @param part fraction F of the values that are sent, in (0, 1)
std::shared_ptr<const Compressor> MakeTopK(double part);

/// Compressor `random-k:F`.
/// @param part fraction F of the values that are sent, in (0, 1)
/// @param seed seed of the run
std::shared_ptr<const Compressor> MakeRandomK(double part, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_TRAINING_MESSAGE_BITS_H
