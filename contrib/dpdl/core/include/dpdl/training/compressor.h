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

/// Identifies a compressed message. Its public random numbers are derived from (seed, node, round).
struct MessageName
{
    NodeId node{0};       ///< node that sends the message
    Round round{0};       ///< number k of the round in which the message is sent
    std::size_t begin{0}; ///< index of the first parameter in the message
};

/**
 * @brief Encodes parameters in fewer bytes than float32, and decodes an approximation of them.
 *
 * The random numbers of a message are derived from the run's seed and the message's name, which
 * sender and receiver know, so they take no bytes. They are public: they hide nothing. A compressor
 * reads only the vector that it encodes.
 */
class Compressor
{
  public:
    virtual ~Compressor() = default;

    /// Number of bytes of a message; the same for all values.
    /// @param count number of values, at least 1
    virtual std::size_t Bytes(std::size_t count) const = 0;

    /**
     * @brief True if a message contains only a fraction of the values. Decode() sets all others to
     *        0, so such a compressor is meant for differences to the copy that the receivers keep.
     */
    virtual bool IsSparse() const
    {
        return false;
    }

    /// rho in (0, 1]: gossip of compressed differences mixes by (1 - rho) I + rho P instead of P,
    /// the mixing matrix, so that it stays stable. The values were found by experiment
    /// (doc/compression.md).
    virtual double MixingRate() const
    {
        return 1.0;
    }

    /**
     * @brief Encodes values as the bytes of one message.
     * @param values [count]
     * @param count number of values
     * @param name selects the random numbers of the message
     * @param[out] out [Bytes(count)]
     */
    virtual void Encode(const float* values,
                        std::size_t count,
                        const MessageName& name,
                        std::uint8_t* out) const = 0;

    /**
     * @brief Decodes the bytes of Encode() to an approximation of the values.
     * @param in [Bytes(count)]
     * @param count number of values
     * @param name name that Encode() received
     * @param[out] values [count]
     */
    virtual void Decode(const std::uint8_t* in,
                        std::size_t count,
                        const MessageName& name,
                        float* values) const = 0;
};

/// Encoding of the parameters in the messages of a run.
struct Compression
{
    /// encodes parameters; empty: parameters are sent as float32
    std::shared_ptr<const Compressor> compressor;
    /// true: a message contains the difference to the previous message on its link, and the round
    /// of that message; false: it contains the parameters
    bool ofDifferences{false};

    /// Bytes of a message after its header.
    /// @param count number of parameters in the message
    /// @param isCompressed false: the parameters are sent as float32, even if `compressor` is set
    std::size_t Bytes(std::size_t count, bool isCompressed) const
    {
        return isCompressed ? compressor->Bytes(count) + (ofDifferences ? sizeof(Round) : 0)
                            : sizeof(float) * count;
    }
};

/// Forms that MakeCompressor() accepts, for error messages.
inline const std::string COMPRESSIONS = "none, quantize:BITS with 2 to 16 bits, top-k:F or "
                                        "random-k:F with a part F of the parameters above 0 and "
                                        "below 1";

/**
 * @brief Makes the compressor of the option `compress`.
 *
 * `quantize:BITS` quantizes blocks of 256 values. The values of a block share the scale s, their
 * largest magnitude. With L = 2^BITS levels of width D = 2 s / (L - 2), a value v is sent as q =
 * floor(v / D + L / 2 + u), where u is a public random number, uniform in [-1/2, 1/2). It is
 * decoded as D (q - (L - 1) / 2 - u). This is subtractive dither: the error is uniform in [-D/2,
 * D/2) and independent of v (Schuchman, IEEE Trans. Commun. 12(4), 1964).
 * `top-k:F` sends the ceil(F count) values of largest magnitude, with their positions, where count
 * is the number of values of the message.
 * `random-k:F` sends ceil(F count) values, at positions that the public random numbers select.
 *
 * @param specification none, quantize:BITS, top-k:F or random-k:F
 * @param seed seed of the run, from which the public random numbers are derived
 * @return the compressor; null for none
 * @throws UsageError if the specification has another form or F or BITS is out of range
 */
std::shared_ptr<const Compressor> MakeCompressor(const std::string& specification, RandomSeed seed);

/**
 * @brief Computes the vector that receivers decode: encodes and decodes each chunk.
 * @param compressor compressor of the messages
 * @param chunks chunks of the vector; each is one message
 * @param name sender and round; Approximate() sets `begin` for each chunk
 * @param values the vector that is sent
 * @param reference copy of the vector at the receivers: the difference to it is compressed; null:
 *         the vector itself is compressed
 * @param[out] out receives the decoded vector; 0 after the last chunk
 */
void Approximate(const Compressor& compressor,
                 const ChunkLayout& chunks,
                 MessageName name,
                 const ParameterVector& values,
                 const ParameterVector* reference,
                 ParameterVector& out);

} // namespace dpdl

#endif // DPDL_TRAINING_COMPRESSOR_H
