// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/compressor.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "message-bits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace dpdl
{

namespace
{

/// Number of adjacent values that share one scale.
constexpr std::size_t SCALE_BLOCK = 256;

/// Compressor `quantize:BITS`, whose formula MakeCompressor() documents. Rounds the values of each
/// block of SCALE_BLOCK values to equidistant levels, after adding public random dither. The
/// distance of the levels depends on the largest absolute value of the block.
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
                // The dither is u = coins.Next() - 1/2. Truncation of level + u + 1/2 rounds to the
                // nearest level.
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
            // If a value of a block is not finite, the block's scale is NaN, so the whole block
            // decodes to NaN.
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

    /// Level of the value 0 without dither, (2^BITS - 1) / 2.
    double Middle() const
    {
        return (std::exp2(m_bits) - 1.0) / 2.0;
    }

    /// Distance of two adjacent levels in a block with this scale; 0 if the scale is not finite.
    double Width(float scale) const
    {
        return std::isfinite(scale) ? 2.0 * scale / (std::exp2(m_bits) - 2.0) : 0.0;
    }

    /// Largest absolute value of a block; NaN if a value is not finite.
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
            return kind == "top-k" ? MakeTopK(part) : MakeRandomK(part, seed);
        }
    }
    catch (const UsageError&)
    {
        // Continue: the throw statement after this block names the accepted values.
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
