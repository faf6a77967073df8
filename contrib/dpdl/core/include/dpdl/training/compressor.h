// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_COMPRESSOR_H
#define DPDL_TRAINING_COMPRESSOR_H

#include "dpdl/base/random.h"
#include "dpdl/base/types.h"
#include "dpdl/training/parameters.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace dpdl
{

/// Identifies a compressed message. Its public random coins are derived from (seed, node, round).
struct MessageName
{
    NodeId node{0};       ///< the sender
    Round round{0};       ///< round k of the message
    std::size_t begin{0}; ///< index of the first parameter in the message
};

/**
 * @brief Encodes parameters in fewer bytes, and decodes an approximation of them.
 *
 * Sender and receiver know the run's seed and the message's name, so the random coins take no
 * bytes. The coins are public. A compressor reads only the vector that it encodes.
 */
class Compressor
{
  public:
    virtual ~Compressor() = default;

    /// Bytes of a message; independent of the values. @param count of values, at least 1
    virtual std::size_t Bytes(std::size_t count) const = 0;

    /**
     * @brief True if only some values are sent. The others decode to 0, so it is meant for
     *        differences to the receivers' copy.
     */
    virtual bool IsSparse() const
    {
        return false;
    }

    /// rho in (0, 1], the mixing step size at which gossip of compressed differences stays stable;
    /// found by experiment (doc/compression.md).
    virtual double MixingRate() const
    {
        return 1.0;
    }

    /**
     * @brief Writes a message.
     * @param values [count]
     * @param count of values
     * @param name selects the coins
     * @param[out] out [Bytes(count)]
     */
    virtual void Encode(const float* values,
                        std::size_t count,
                        const MessageName& name,
                        std::uint8_t* out) const = 0;

    /**
     * @brief Reads what Encode() wrote.
     * @param in [Bytes(count)]
     * @param count of the values
     * @param name of the message
     * @param[out] values [count]
     */
    virtual void Decode(const std::uint8_t* in,
                        std::size_t count,
                        const MessageName& name,
                        float* values) const = 0;
};

/// Encoding of the parameters that a run sends.
struct Compression
{
    std::shared_ptr<const Compressor> compressor; ///< encodes parameters; empty: sent as float32
    /// true: a message holds the difference to the previous one on its link, whose round it names;
    /// false: it is independent.
    bool ofDifferences{false};

    /// Bytes of a message after its header. @param count number of parameters in the message @param
    /// isCompressed false: they are sent as float32, also with a `compressor`
    std::size_t Bytes(std::size_t count, bool isCompressed) const
    {
        return isCompressed ? compressor->Bytes(count) + (ofDifferences ? sizeof(Round) : 0)
                            : sizeof(float) * count;
    }
};

/// Values that MakeCompressor() accepts, for messages.
inline const std::string COMPRESSIONS = "none, quantize:BITS with 2 to 16 bits, top-k:F or "
                                        "random-k:F with a part F of the parameters above 0 and "
                                        "below 1";

/**
 * @brief Makes the compressor of the option `compress`.
 *
 * `quantize:BITS`: blocks of 256 values share a scale, the largest magnitude s. With L = 2^BITS
 * levels and D = 2 s / (L - 2) a value v becomes q = floor(v / D + L / 2 + u), u uniform in
 * [-1/2, 1/2), and is read as D (q - (L - 1) / 2 - u): subtractive dither, with an error that is
 * uniform in [-D/2, D/2) and independent of v (Schuchman, IEEE Trans. Commun. 12(4), 1964).
 * `top-k:F`: the ceil(F count) values of largest magnitude, with their positions.
 * `random-k:F`: ceil(F count) values at positions drawn by the coins.
 *
 * @param specification none, quantize:BITS, top-k:F or random-k:F
 * @param seed of the run, which makes the coins
 * @return empty for none
 * @throws UsageError otherwise
 */
std::shared_ptr<const Compressor> MakeCompressor(const std::string& specification, RandomSeed seed);

/**
 * @brief Computes the vector that receivers decode: encodes and decodes chunk by chunk.
 * @param compressor encodes and decodes
 * @param chunks one message each
 * @param name node and round
 * @param values the vector that is sent
 * @param reference the receivers' copy, the difference to which is compressed; null: zero
 * @param[out] out receives the approximation; 0 after the last chunk
 */
void Approximate(const Compressor& compressor,
                 const ChunkLayout& chunks,
                 MessageName name,
                 const ParameterVector& values,
                 const ParameterVector* reference,
                 ParameterVector& out);

} // namespace dpdl

#endif // DPDL_TRAINING_COMPRESSOR_H
