// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "message-bits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

// Compressors that send a fraction of the values: the largest ones with their indices (TopK), or
// random ones whose indices the receiver also draws (RandomK).

namespace dpdl
{

namespace
{

/// Base of compressors that send ceil(F count) of @p count values, with a fraction F. Values that
/// are not sent decode to 0.
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
    /// Number of values that are sent.
    /// @param count number of values of the vector
    std::size_t Kept(std::size_t count) const
    {
        return static_cast<std::size_t>(std::ceil(m_part * static_cast<double>(count)));
    }

  private:
    double m_part;
    double m_mixingRate;
};

/// Compressor `top-k:F`, which MakeCompressor() describes. Of equal magnitudes, the value with the
/// smaller index is sent. A message holds the values in ascending order of their indices, then the
/// indices.
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
        // Values that are not finite count as infinity, because sorting needs a total order.
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

/// Compressor `random-k:F`, which MakeCompressor() describes. Sender and receiver draw the same
/// indices from the public random numbers, by Knuth's algorithm S.
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
MakeTopK(double part)
{
    return std::make_shared<TopK>(part);
}

std::shared_ptr<const Compressor>
MakeRandomK(double part, RandomSeed seed)
{
    return std::make_shared<RandomK>(part, seed);
}

} // namespace dpdl
