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
 * @return four independent uniform 32-bit words
 */
std::array<std::uint32_t, 4> Philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// Purpose of a random number. Streams of different purposes never share a value.
enum class RandomPurpose : std::uint32_t
{
    INITIALISATION = 1, ///< initial parameters of a model
    PARTITION = 2,      ///< which example belongs to which node
    SAMPLING = 3,       ///< which local examples make up a batch
    NOISE = 4,          ///< the noise of a private release
    LINK_LOSS = 5,      ///< which message a link drops
    TOPOLOGY = 6,       ///< random graphs
    TEST = 7,           ///< for tests and benchmarks only
    AUDIT = 8,          ///< the noise and the coins of a simulated attack
    FAILURES = 9,       ///< when random failures begin and end
    FAILURE_LOSS = 10,  ///< which message a failing link loses
    COMPUTE = 11,       ///< how fast a node computes
    DATASET = 12,       ///< the examples of a dataset that is made
    SAMPLING_PART = 14, ///< which part of the examples one belongs to
    SHARED_NOISE = 13,  ///< noise that the releases of several nodes share
    CLIENTS = 15,       ///< which nodes step in a round: public coins
    COMPRESSION = 18,   ///< dither and places of compressed messages: public coins
    LIES = 23,          ///< noise that a node sends in place of its model
};

/// The two numbers that name a run: the same pair gives the same random numbers everywhere.
struct RandomSeed
{
    std::uint32_t seed{1}; ///< ns-3's RngSeed
    std::uint32_t run{1};  ///< ns-3's RngRun
};

/// What all random numbers of a stream are made from.
struct StreamName
{
    std::array<std::uint32_t, 2> key;     ///< seed and run
    std::array<std::uint32_t, 3> counter; ///< purpose, node, round
};

/// A step along a sum to which normals are added.
struct NoisyStep
{
    const double* sum; ///< what the normals are added to
    double deviation;  ///< what they are multiplied with
    float factor;      ///< what the noisy sum is multiplied with
};

/**
 * @brief Random numbers that are a pure function of (seed, run, purpose, node, round, element).
 *
 * There is no state that advances: element 17 of node 3's noise in round 40 has
 * the same value, in whatever order, on whichever thread, alone or in a batch. An element is one
 * 32-bit word, one uniform or one normal.
 */
class RandomStream
{
  public:
    /// The stream of a run for one purpose, at one node in one round.
    RandomStream(RandomSeed seed, RandomPurpose purpose, NodeId node, Round round);

    /// Uniform 32-bit word number @p element.
    std::uint32_t Word(std::uint64_t element) const;

    /// Number of words that FillWords() computes at once.
    static constexpr std::size_t WORDS_AT_ONCE = 64;

    /**
     * @brief Words number chunk * WORDS_AT_ONCE and following: those of Word(), sooner.
     * @param chunk which words
     * @param[out] out [WORDS_AT_ONCE]
     */
    void FillWords(std::uint64_t chunk, std::uint32_t* out) const;

    /// Uniform double in [0, 1) with 53 bits, number @p element.
    double Uniform(std::uint64_t element) const;

    /**
     * @brief Uniform integer in [0, bound), number @p element; the bias is below 2^-53 * bound.
     * @param element number of the draw
     * @param bound exclusive upper end, at least 1 and below 2^32
     */
    std::uint32_t Integer(std::uint64_t element, std::uint32_t bound) const;

    /**
     * @brief Standard normals number 0..count-1, by Box-Muller from 40-bit radii and 32-bit angles.
     *
     * One Philox block gives four normals, so that |z| is bounded by 7.54. In double precision
     * (below), neither the normals nor the radii and angles of their pairs lie on a grid that
     * float32 shows. They are noise of a simulation, not a cryptographic release.
     *
     * @param[out] out receives the normals
     * @param count how many
     */
    void FillNormal(float* out, std::size_t count) const;

    /**
     * @brief values[i] += scale * normal[i], with the normals of FillNormal and no buffer for them.
     * @param[in,out] values vector of length @p count
     * @param count how many
     * @param scale standard deviation
     */
    void AddNormal(float* values, std::size_t count, float scale) const;

    /// The same in double precision, with normals that FillNormal() rounds.
    void AddNormal(double* values, std::size_t count, double scale) const;

    /**
     * @brief values[i] += factor * float(sum[i] + deviation * normal[i]) in one pass, with the
     * normals of AddNormal(double*); what is rounded to float is computed in double precision.
     * @param step what is added; its sum has the length @p count
     * @param count how many
     * @param[in,out] values vector of length @p count
     */
    void AddNormalStep(const NoisyStep& step, std::size_t count, float* values) const;

    /**
     * @brief Adds Laplace variables, by the inverse distribution function in double precision.
     * @param[in,out] values vector of length @p count
     * @param count how many
     * @param scale b: the mean absolute value
     */
    void AddLaplace(double* values, std::size_t count, double scale) const;

  private:
    std::array<std::uint32_t, 4> Block(std::uint64_t index) const;

    StreamName m_name; ///< which stream this is
};

/**
 * @brief The words of one stream in their order, each taken once: for samplers that cannot tell
 *        beforehand how many random bits they need.
 */
class WordSequence
{
  public:
    /// @param stream whose words number 0, 1, 2, ... are taken
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
     * @brief The next uniform integer in [0, bound), without any bias (Lemire, ACM TOMACS 2019).
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
    RandomStream m_stream;                                            ///< where words come from
    std::array<std::uint32_t, RandomStream::WORDS_AT_ONCE> m_words{}; ///< computed ahead
    std::size_t m_position{RandomStream::WORDS_AT_ONCE};              ///< of the next word
    std::uint64_t m_chunk{0};                                         ///< to be computed next
};

} // namespace dpdl

#endif // DPDL_BASE_RANDOM_H
