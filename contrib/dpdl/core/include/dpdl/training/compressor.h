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

/// Identifies a compressed message. Its public random numbers are a function of the run's seed,
/// node and round.
struct MessageName
{
    NodeId node{0};       ///< node that sends the message
    Round round{0};       ///< round k in which the message is sent
    std::size_t begin{0}; ///< index in the flat vector of the first parameter in the message
};

/**
 * @brief Encodes parameters in fewer bytes than float32, and decodes an approximation of them.
 *
 * The random numbers of a message are a function of the run's seed and the message's name. Sender
 * and receiver know both, so a message does not contain them. The random numbers are public and
 * give no privacy. A compressor reads only the vector that it encodes.
 */
class Compressor
{
  public:
    virtual ~Compressor() = default;

    /// Size of a message in bytes, for any values.
    /// @param count number of values, at least 1
    virtual std::size_t Bytes(std::size_t count) const = 0;

    /**
     * @brief True if a message contains only a fraction of the values. Decode() sets the other
     *        values to 0, so such a compressor should encode differences to the state that
     *        receivers hold.
     */
    virtual bool IsSparse() const
    {
        return false;
    }

    /// Mixing rate rho in (0, 1] that keeps gossip of compressed differences stable: the mixing
    /// matrix P is replaced by (1 - rho) I + rho P. The values were found by experiment
    /// (doc/compression.md).
    virtual double MixingRate() const
    {
        return 1.0;
    }

    /**
     * @brief Encodes values into the bytes of one message.
     * @param values [count]
     * @param count number of values
     * @param name sender, round and first parameter of the message; selects its random numbers
     * @param[out] out receives the bytes, [Bytes(count)]
     */
    virtual void Encode(const float* values,
                        std::size_t count,
                        const MessageName& name,
                        std::uint8_t* out) const = 0;

    /**
     * @brief Decodes the bytes of Encode() to an approximation of the values.
     * @param in bytes of the message, [Bytes(count)]
     * @param count number of values
     * @param name name of the message, as for Encode()
     * @param[out] values [count]
     */
    virtual void Decode(const std::uint8_t* in,
                        std::size_t count,
                        const MessageName& name,
                        float* values) const = 0;
};

/// Compression of the parameters in the messages of a run.
struct Compression
{
    /// Compressor of all messages; empty: parameters are sent as float32.
    std::shared_ptr<const Compressor> compressor;
    /// True: a message has the difference to the previous message on its link, and the round of
    /// that message. False: a message has the parameters.
    bool ofDifferences{false};

    /// Size of a message without its header, in bytes.
    /// @param count number of parameters in the message
    /// @param isCompressed false: the parameters are sent as float32, even with a compressor
    std::size_t Bytes(std::size_t count, bool isCompressed) const
    {
        return isCompressed ? compressor->Bytes(count) + (ofDifferences ? sizeof(Round) : 0)
                            : sizeof(float) * count;
    }
};

/// Description of the texts that MakeCompressor() accepts, for error messages.
inline const std::string COMPRESSIONS = "none, quantize:BITS with 2 to 16 bits, top-k:F or "
                                        "random-k:F with a part F of the parameters above 0 and "
                                        "below 1";

/**
 * @brief Makes the compressor of the option `compress`.
 *
 * `quantize:BITS` quantizes blocks of 256 values. The values of a block share a scale s, their
 * largest absolute value. There are L = 2^BITS levels of width D = 2 s / (L - 2). A value v is sent
 * as q = floor(v / D + L / 2 + u), where u is a public random number, uniform in [-1/2, 1/2). The
 * receiver decodes q as D (q - (L - 1) / 2 - u). This is subtractive dither: the quantization error
 * is uniform in [-D/2, D/2) and independent of v (Schuchman, IEEE Trans. Commun. 12(4), 1964).
 * `top-k:F` sends the ceil(F count) values of largest absolute value, with their positions. count
 * is the number of values of the message. `random-k:F` sends ceil(F count) values, at positions
 * that the public random numbers select.
 *
 * @param specification none, quantize:BITS, top-k:F or random-k:F
 * @param seed seed of the run, for the public random numbers
 * @return the compressor; nullptr for none
 * @throws UsageError naming option `compress` if the specification has any other form, or F or BITS
 *         is out of range
 */
std::shared_ptr<const Compressor> MakeCompressor(const std::string& specification, RandomSeed seed);

/**
 * @brief Computes the vector that receivers decode, by encoding and decoding each chunk.
 * @param compressor compressor of the messages
 * @param chunks chunks of the vector; each is one message
 * @param name sender and round; Approximate() sets `begin` for each chunk
 * @param values the vector that is sent
 * @param reference vector that the receivers have decoded before; the difference of @p values to
 *        this vector is compressed. nullptr: @p values is compressed
 * @param[out] out receives the decoded vector, with 0 after the last chunk
 */
void Approximate(const Compressor& compressor,
                 const ChunkLayout& chunks,
                 MessageName name,
                 const ParameterVector& values,
                 const ParameterVector* reference,
                 ParameterVector& out);

} // namespace dpdl

#endif // DPDL_TRAINING_COMPRESSOR_H
