// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_RANDOM_H
#define DPDL_BASE_RANDOM_H

#include "dpdl/base/types.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace dpdl
{

/**
 * @brief The counter-based generator Philox4x32-10 (Salmon et al., SC 2011).
 *
 * @param counter 128-bit counter
 * @param key 64-bit key
 * @return four uniform 32-bit words
 */
std::array<std::uint32_t, 4> Philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// Purpose of a random number. Streams of different purposes are independent. A stream's counter
/// contains the value, so changing a value changes the results of runs.
enum class RandomPurpose : std::uint32_t
{
    INITIALISATION = 1, ///< initial parameters of a model
    PARTITION = 2,      ///< assignment of examples to nodes
    SAMPLING = 3,       ///< choice of the examples of a batch
    NOISE = 4,          ///< the noise of a private release
    LINK_LOSS = 5,      ///< random loss of messages on links by their normal loss probability
    TOPOLOGY = 6,       ///< random graphs
    TEST = 7,           ///< random numbers of tests and benchmarks
    AUDIT = 8,          ///< noise and coin flips of a simulated attack
    FAILURES = 9,       ///< start and end times of random failures
    FAILURE_LOSS = 10,  ///< loss of messages and packets on links with failure events
    COMPUTE = 11,       ///< computing speed of nodes
    DATASET = 12,       ///< examples of a synthetic dataset
    SAMPLING_PART = 14, ///< assignment of a node's examples to parts, for sampler `cyclic-poisson`
    SHARED_NOISE = 13,  ///< noise shared by the releases of several nodes
    CLIENTS = 15,       ///< choice of the nodes that step in a round, by public randomness
    /// Random rounding and positions in compressed messages, by public randomness.
    COMPRESSION = 18,
    LIES = 23, ///< noise that a Byzantine node sends in place of its model
};

/// Seed and run number. Equal pairs give bit-identical random numbers on every machine.
struct RandomSeed
{
    std::uint32_t seed{1}; ///< seed, like ns-3's RngSeed
    std::uint32_t run{1};  ///< run number, like ns-3's RngRun
};

/// Philox key of a random stream, and the numbers that all Philox counters of the stream contain.
struct StreamName
{
    std::array<std::uint32_t, 2> key;     ///< seed and run
    std::array<std::uint32_t, 3> counter; ///< purpose, node, round
};

/// Arguments of RandomStream::AddNormalStep().
struct NoisyStep
{
    const double* sum; ///< sum to which the noise is added, [count]
    double deviation;  ///< standard deviation of the noise
    float factor;      ///< factor on the noisy sum
};

/**
 * @brief Random numbers that are a pure function of (seed, run, purpose, node, round, element).
 *
 * A stream has no state, so an element has the same value in any order of calls and on any thread.
 * An element is one 32-bit word, one uniform number or one standard normal variable. Words, uniform
 * numbers and normals of one stream come from the same random bits, so they depend on each other.
 */
class RandomStream
{
  public:
    /// Stream of a run for one purpose, node and round.
    RandomStream(RandomSeed seed, RandomPurpose purpose, NodeId node, Round round);

    /// Uniform 32-bit word with index @p element.
    std::uint32_t Word(std::uint64_t element) const;

    /// Number of words that FillWords() computes at once.
    static constexpr std::size_t WORDS_AT_ONCE = 64;

    /**
     * @brief Computes WORDS_AT_ONCE consecutive words, starting at index chunk * WORDS_AT_ONCE. The
     *        words equal those of Word(), which is slower.
     * @param chunk index of the chunk of words
     * @param[out] out receives WORDS_AT_ONCE words
     */
    void FillWords(std::uint64_t chunk, std::uint32_t* out) const;

    /// Uniform double in [0, 1) with 53 random bits and index @p element.
    double Uniform(std::uint64_t element) const;

    /**
     * @brief Uniform integer in [0, bound) with index @p element. The bias is below 2^-53 * bound.
     * @param element index of the draw
     * @param bound exclusive upper end, at least 1 and below 2^32
     */
    std::uint32_t Integer(std::uint64_t element, std::uint32_t bound) const;

    /**
     * @brief Computes standard normals 0..count-1 by Box-Muller, from 40-bit radii and 32-bit
     *        angles.
     *
     * One Philox block of four words gives four normals z. The 40 bits of a radius limit |z| to
     * 7.54. In double precision (AddNormal(double*)), normals, radii and angles are spaced more
     * finely than float32 can resolve. The normals are not cryptographically secure.
     *
     * @param[out] out receives the normals
     * @param count number of normals
     */
    void FillNormal(float* out, std::size_t count) const;

    /**
     * @brief Computes values[i] += scale * normal[i], with the normals of FillNormal() and no
     *        buffer.
     * @param[in,out] values vector of length @p count
     * @param count number of values
     * @param scale standard deviation
     */
    void AddNormal(float* values, std::size_t count, float scale) const;

    /// As AddNormal(float*), in double precision. FillNormal() returns these normals, rounded to
    /// float.
    void AddNormal(double* values, std::size_t count, double scale) const;

    /**
     * @brief Computes values[i] += factor * float(sum[i] + deviation * normal[i]) in one pass, with
     *        the normals of AddNormal(double*). The argument of float() has double precision.
     * @param step sum, deviation and factor; the sum has length @p count
     * @param count number of values
     * @param[in,out] values vector of length @p count
     */
    void AddNormalStep(const NoisyStep& step, std::size_t count, float* values) const;

    /**
     * @brief Adds Laplace variables, by the inverse distribution function in double precision.
     * @param[in,out] values vector of length @p count
     * @param count number of values
     * @param scale scale b, the mean absolute value of the variables
     */
    void AddLaplace(double* values, std::size_t count, double scale) const;

  private:
    std::array<std::uint32_t, 4> Block(std::uint64_t index) const;

    StreamName m_name; ///< key and counter
};

/**
 * @brief The words of one stream in order, each used once. For samplers whose number of random
 *        words is not known in advance.
 */
class WordSequence
{
  public:
    /// @param stream provides words number 0, 1, 2, ...
    explicit WordSequence(const RandomStream& stream)
        : m_stream(stream)
    {
    }

    /// The next uniform 32-bit word.
    std::uint32_t Next()
    {
        if (m_position == m_words.size())
        {
            m_stream.FillWords(m_chunk++, m_words.data());
            m_position = 0;
        }
        return m_words[m_position++];
    }

    /**
     * @brief The next unbiased uniform integer in [0, bound) (Lemire, ACM TOMACS 2019).
     * @param bound exclusive upper end, at least 1
     */
    std::uint32_t Integer(std::uint32_t bound)
    {
        std::uint64_t product = static_cast<std::uint64_t>(Next()) * bound;
        if (static_cast<std::uint32_t>(product) < bound)
        {
            const std::uint32_t surplus = (0U - bound) % bound; // 2^32 modulo bound
            while (static_cast<std::uint32_t>(product) < surplus)
            {
                product = static_cast<std::uint64_t>(Next()) * bound;
            }
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

  private:
    RandomStream m_stream;                                            ///< source of the words
    std::array<std::uint32_t, RandomStream::WORDS_AT_ONCE> m_words{}; ///< words computed in advance
    std::size_t m_position{RandomStream::WORDS_AT_ONCE}; ///< index in m_words of the next word
    std::uint64_t m_chunk{0};                            ///< index of the next chunk to compute
};

} // namespace dpdl

#endif // DPDL_BASE_RANDOM_H
