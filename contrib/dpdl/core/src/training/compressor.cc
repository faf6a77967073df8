// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/compressor.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

namespace dpdl
{

namespace
{

/// Values that share a scale.
constexpr std::size_t SCALE_BLOCK = 256;

/// Bytes that hold so many bits.
std::size_t
BytesOfBits(std::size_t bits)
{
    return (bits + 7) / 8;
}

/// Appends numbers of a fixed width, lowest bit first.
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

    /// Fills the last byte up. @return behind it
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

/// Reads what BitWriter wrote.
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

/// The coins of a message, by the parameter that they are for.
class Coins
{
  public:
    Coins(RandomSeed seed, const MessageName& name)
        : m_stream(seed, RandomPurpose::COMPRESSION, name.node, name.round),
          m_next(name.begin)
    {
    }

    /// Uniform in (0, 1), for the next parameter.
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

/// See MakeCompressor().
class Quantizer : public Compressor
{
  public:
    Quantizer(unsigned bits, RandomSeed seed)
        : m_bits(bits),
          m_seed(seed)
    {
    }

    std::size_t Bytes(std::size_t count) const override
    {
        const std::size_t whole = count / SCALE_BLOCK;
        const std::size_t rest = count % SCALE_BLOCK;
        return whole * BlockBytes(SCALE_BLOCK) + (rest > 0 ? BlockBytes(rest) : 0);
    }

    void Encode(const float* values,
                std::size_t count,
                const MessageName& name,
                std::uint8_t* out) const override
    {
        Coins coins(m_seed, name);
        for (std::size_t begin = 0; begin < count; begin += SCALE_BLOCK)
        {
            const float* const end = values + std::min(begin + SCALE_BLOCK, count);
            const float scale = ScaleOf(values + begin, end);
            EncodeParameters(&scale, 1, out);
            BitWriter writer(m_bits, out + sizeof(float));
            const double width = Width(scale);
            for (const float* value = values + begin; value != end; ++value)
            {
                // u + 1/2 is the coin itself.
                const double level = width > 0.0 ? *value / width + Middle() : 0.0;
                writer.Put(static_cast<std::uint32_t>(level + coins.Next()));
            }
            out = writer.End();
        }
    }

    void Decode(const std::uint8_t* in,
                std::size_t count,
                const MessageName& name,
                float* values) const override
    {
        Coins coins(m_seed, name);
        for (std::size_t begin = 0; begin < count; begin += SCALE_BLOCK)
        {
            const std::size_t size = std::min(SCALE_BLOCK, count - begin);
            float scale = 0.0F;
            DecodeParameters(in, 1, &scale);
            BitReader reader(m_bits, in + sizeof(float));
            // What is not a number makes all of its block none.
            const double width = std::isfinite(scale) ? Width(scale) : scale;
            for (std::size_t i = begin; i < begin + size; ++i)
            {
                const double dither = coins.Next() - 0.5;
                values[i] = static_cast<float>(width * (reader.Take() - Middle() - dither));
            }
            in += BlockBytes(size);
        }
    }

  private:
    std::size_t BlockBytes(std::size_t values) const
    {
        return sizeof(float) + BytesOfBits(m_bits * values);
    }

    /// The level that 0 has without dither.
    double Middle() const
    {
        return (std::exp2(m_bits) - 1.0) / 2.0;
    }

    /// Of a level; 0 if nothing can be said of a block.
    double Width(float scale) const
    {
        return std::isfinite(scale) ? 2.0 * scale / (std::exp2(m_bits) - 2.0) : 0.0;
    }

    /// Largest magnitude; not a number if a value is not finite.
    static float ScaleOf(const float* begin, const float* end)
    {
        float scale = 0.0F;
        for (; begin != end; ++begin)
        {
            if (!std::isfinite(*begin))
            {
                return std::numeric_limits<float>::quiet_NaN();
            }
            scale = std::max(scale, std::abs(*begin));
        }
        return scale;
    }

    unsigned m_bits;
    RandomSeed m_seed;
};

/// Passes some of the values and says nothing of the others.
class Sparsifier : public Compressor
{
  public:
    Sparsifier(double part, double mixingRate)
        : m_part(part),
          m_mixingRate(mixingRate)
    {
    }

    double MixingRate() const override
    {
        return m_mixingRate;
    }

    bool IsSparse() const override
    {
        return true;
    }

    std::size_t Bytes(std::size_t count) const override
    {
        return sizeof(float) * Kept(count);
    }

  protected:
    /// How many values pass.
    std::size_t Kept(std::size_t count) const
    {
        return static_cast<std::size_t>(std::ceil(m_part * static_cast<double>(count)));
    }

  private:
    double m_part;
    double m_mixingRate;
};

/// See MakeCompressor(). Equal magnitudes pass in their order; the values, then their indices.
class TopK : public Sparsifier
{
  public:
    explicit TopK(double part)
        : Sparsifier(part, std::min(2.0 * part, 1.0))
    {
    }

    std::size_t Bytes(std::size_t count) const override
    {
        return Sparsifier::Bytes(count) + BytesOfBits(Kept(count) * IndexBits(count));
    }

    void Encode(const float* values,
                std::size_t count,
                const MessageName& /*name*/,
                std::uint8_t* out) const override
    {
        // What is not a number passes first: an order needs numbers.
        const auto magnitude = [values](std::uint32_t i) {
            return std::isfinite(values[i]) ? std::abs(values[i])
                                            : std::numeric_limits<float>::infinity();
        };
        std::vector<std::uint32_t> order(count);
        std::iota(order.begin(), order.end(), 0U);
        const auto end = order.begin() + static_cast<std::ptrdiff_t>(Kept(count));
        std::nth_element(order.begin(),
                         end - 1,
                         order.end(),
                         [&](std::uint32_t a, std::uint32_t b) {
                             return magnitude(a) > magnitude(b) ||
                                    (magnitude(a) == magnitude(b) && a < b);
                         });
        std::sort(order.begin(), end);
        BitWriter indices(IndexBits(count), out + Sparsifier::Bytes(count));
        for (auto index = order.begin(); index != end; ++index)
        {
            EncodeParameters(values + *index, 1, out);
            indices.Put(*index);
            out += sizeof(float);
        }
        indices.End();
    }

    void Decode(const std::uint8_t* in,
                std::size_t count,
                const MessageName& /*name*/,
                float* values) const override
    {
        std::fill_n(values, count, 0.0F);
        BitReader indices(IndexBits(count), in + Sparsifier::Bytes(count));
        for (std::size_t left = Kept(count); left > 0; --left)
        {
            DecodeParameters(in, 1, values + indices.Take());
            in += sizeof(float);
        }
    }

  private:
    static unsigned IndexBits(std::size_t count)
    {
        unsigned bits = 1;
        while ((std::size_t{1} << bits) < count)
        {
            ++bits;
        }
        return bits;
    }
};

/// See MakeCompressor(). Knuth's algorithm S: the receiver draws the same places.
class RandomK : public Sparsifier
{
  public:
    RandomK(double part, RandomSeed seed)
        : Sparsifier(part, 0.5 * part),
          m_seed(seed)
    {
    }

    void Encode(const float* values,
                std::size_t count,
                const MessageName& name,
                std::uint8_t* out) const override
    {
        ForEachKept(count, name, [&](std::size_t place) {
            EncodeParameters(values + place, 1, out);
            out += sizeof(float);
        });
    }

    void Decode(const std::uint8_t* in,
                std::size_t count,
                const MessageName& name,
                float* values) const override
    {
        std::fill_n(values, count, 0.0F);
        ForEachKept(count, name, [&](std::size_t place) {
            DecodeParameters(in, 1, values + place);
            in += sizeof(float);
        });
    }

  private:
    template <typename Visitor>
    void ForEachKept(std::size_t count, const MessageName& name, Visitor&& visit) const
    {
        Coins coins(m_seed, name);
        std::size_t left = Kept(count);
        for (std::size_t place = 0; left > 0; ++place)
        {
            if (coins.Next() * static_cast<double>(count - place) < static_cast<double>(left))
            {
                visit(place);
                --left;
            }
        }
    }

    RandomSeed m_seed;
};

} // namespace

std::shared_ptr<const Compressor>
MakeCompressor(const std::string& specification, RandomSeed seed)
{
    constexpr std::uint64_t leastBits = 2;
    constexpr std::uint64_t mostBits = 16;
    const std::size_t colon = specification.find(':');
    const std::string kind = specification.substr(0, colon);
    const std::string value =
        colon == std::string::npos ? std::string() : specification.substr(colon + 1);
    try
    {
        if (specification == "none")
        {
            return nullptr;
        }
        if (kind == "quantize")
        {
            const std::uint64_t bits = ParseInteger("bits", value, leastBits, mostBits);
            return std::make_shared<Quantizer>(static_cast<unsigned>(bits), seed);
        }
        if (kind == "top-k" || kind == "random-k")
        {
            const double part =
                ParseNumber("part", value, "", [](double f) { return f > 0.0 && f < 1.0; });
            if (kind == "top-k")
            {
                return std::make_shared<TopK>(part);
            }
            return std::make_shared<RandomK>(part, seed);
        }
    }
    catch (const UsageError&)
    {
    }
    throw UsageError("option 'compress'", specification, COMPRESSIONS);
}

void
Approximate(const Compressor& compressor,
            const ChunkLayout& chunks,
            MessageName name,
            const ParameterVector& values,
            const ParameterVector* reference,
            ParameterVector& out)
{
    thread_local std::vector<std::uint8_t> message;
    const std::size_t size = out.Size();
    const float* const from = values.Data();
    float* const result = out.Data();
    const std::size_t shared = std::min(chunks.Parameters(), size);
    for (std::size_t i = 0; i < shared; ++i)
    {
        result[i] = from[i] - (reference != nullptr ? reference->Data()[i] : 0.0F);
    }
    for (std::size_t chunk = 0; chunk < chunks.Count(); ++chunk)
    {
        name.begin = chunks.Begin(chunk);
        const std::size_t count = std::min(chunks.End(chunk), size) - name.begin;
        message.resize(compressor.Bytes(count));
        compressor.Encode(result + name.begin, count, name, message.data());
        compressor.Decode(message.data(), count, name, result + name.begin);
    }
    for (std::size_t i = 0; reference != nullptr && i < shared; ++i)
    {
        result[i] += reference->Data()[i];
    }
    std::fill(result + shared, result + size, 0.0F);
}

} // namespace dpdl
