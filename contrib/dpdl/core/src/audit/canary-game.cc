// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/canary-game.h"

#include "dpdl/audit/one-run.h"
#include "dpdl/base/simd.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

// Simulates the canary's coordinate over all steps of a schedule. Vectorised kernels compute the
// likelihood ratios in blocks of steps. Threads share the runs.

namespace dpdl
{

namespace
{

/// Number of steps per block. Each of LANES lanes multiplies the factors of 8 steps before it
/// computes one logarithm.
constexpr std::size_t LIKELIHOOD_BLOCK = 128;

constexpr std::size_t LANES = 16;
/// Exponents are clamped to [-80, 80], so the product of a lane's 8 factors does not overflow a
/// double.
constexpr float LARGEST_EXPONENT = 80.0F;
constexpr float SMALLEST_EXPONENT = -80.0F;

/// Computes e^x for |x| <= 80 with a relative error below 2e-7, as in expf of the library Cephes.
inline float
Exp(float x)
{
    // Adding and then subtracting 1.5 * 2^23 rounds to the nearest integer.
    constexpr float ROUNDER = 12582912.0F;
    const float shifted = x * 1.44269504088896341F + ROUNDER;
    const float whole = shifted - ROUNDER;
    const float r = x - whole * 0.693359375F - whole * -2.12194440e-4F;
    float p = 1.9875691500e-4F;
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * r * r + r + 1.0F;
    const std::uint32_t bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(whole) + 127)
                               << 23;
    float power;
    __builtin_memcpy(&power, &bits, sizeof(power));
    return p * power;
}

inline float
Term(float y, float rate, float shift, float offset)
{
    const float exponent = shift * y + offset;
    return rate * Exp(std::min(std::max(exponent, SMALLEST_EXPONENT), LARGEST_EXPONENT));
}

/**
 * @brief Sum over k of log(none[k] + rate[k] exp(shift[k] y[k] + offset[k])).
 *
 * Exponents are clamped to [-80, 80], and the exponential has single precision. These errors are
 * acceptable, because any function of the observation is a valid score.
 * @param y,rate,shift,offset,none vectors of length @p count
 * @param count a multiple of LIKELIHOOD_BLOCK
 */
DPDL_MULTIVERSION double
SumOfLogs(const float* y,
          const float* rate,
          const float* shift,
          const float* offset,
          const double* none,
          std::size_t count)
{
    double sum = 0.0;
    for (std::size_t block = 0; block < count; block += LIKELIHOOD_BLOCK)
    {
        double product[LANES];
        for (std::size_t lane = 0; lane < LANES; ++lane)
        {
            product[lane] = 1.0;
        }
        for (std::size_t k = block; k < block + LIKELIHOOD_BLOCK; k += LANES)
        {
            for (std::size_t lane = 0; lane < LANES; ++lane)
            {
                const std::size_t i = k + lane;
                product[lane] *=
                    none[i] + static_cast<double>(Term(y[i], rate[i], shift[i], offset[i]));
            }
        }
        for (const double factor : product)
        {
            sum += std::log(factor);
        }
    }
    return sum;
}

/**
 * @brief Computes out[k] = rate[k] exp(shift[k] y[k] + offset[k]), with the approximate exponential
 *        that SumOfLogs() also uses.
 * @param y,rate,shift,offset,out vectors of length @p count
 * @param count any length
 */
DPDL_MULTIVERSION void
LikelihoodTerms(const float* y,
                const float* rate,
                const float* shift,
                const float* offset,
                float* out,
                std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        out[i] = Term(y[i], rate[i], shift[i], offset[i]);
    }
}

} // namespace

CanaryGame::CanaryGame(const std::vector<CanaryStep>& steps)
{
    for (const CanaryStep& step : steps)
    {
        if (step.rate >= 1.0)
        {
            m_sureShift = std::hypot(m_sureShift, step.shift);
        }
        else if (step.group == 0)
        {
            AddStep(step);
        }
    }
    // Steps without an effect (rate 0) pad the vectors to a multiple of LIKELIHOOD_BLOCK.
    while (m_rate.size() % LIKELIHOOD_BLOCK != 0)
    {
        AddStep({0.0, 0.0, 0});
    }
    for (std::size_t begin = 0; begin < steps.size();)
    {
        std::size_t end = begin + 1;
        while (end < steps.size() && steps[end].group == steps[begin].group)
        {
            ++end;
        }
        if (steps[begin].group != 0)
        {
            AddGroup(steps, begin, end);
        }
        begin = end;
    }
}

void
CanaryGame::AddStep(const CanaryStep& step)
{
    m_rate.push_back(static_cast<float>(step.rate));
    m_shift.push_back(static_cast<float>(step.shift));
    m_offset.push_back(static_cast<float>(-0.5 * step.shift * step.shift));
    m_none.push_back(1.0 - step.rate);
    m_hazard.push_back((m_hazard.empty() ? 0.0 : m_hazard.back()) - std::log1p(-step.rate));
}

void
CanaryGame::AddGroup(const std::vector<CanaryStep>& steps, std::size_t begin, std::size_t end)
{
    Group group{m_rate.size(), 0, 1.0};
    for (std::size_t k = begin; k < end; ++k)
    {
        if (steps[k].rate < 1.0)
        {
            m_rate.push_back(static_cast<float>(steps[k].rate));
            m_shift.push_back(static_cast<float>(steps[k].shift));
            m_offset.push_back(static_cast<float>(-0.5 * steps[k].shift * steps[k].shift));
            group.none -= steps[k].rate;
        }
    }
    group.end = m_rate.size();
    group.none = std::max(group.none, 0.0);
    m_groups.push_back(group);
}

std::vector<double>
CanaryGame::Scores(bool withCanary, std::size_t runs, RandomSeed seed, std::size_t threads) const
{
    std::vector<double> scores(runs);
    const auto work = [&](std::size_t first, std::size_t last) {
        std::vector<float> y(m_rate.size());
        for (std::size_t run = first; run < last; ++run)
        {
            scores[run] = Score(withCanary, static_cast<std::uint32_t>(run), seed, y);
        }
    };
    std::vector<std::thread> helpers;
    for (std::size_t t = 1; t < threads; ++t)
    {
        helpers.emplace_back(work, runs * t / threads, runs * (t + 1) / threads);
    }
    work(0, runs / std::max<std::size_t>(threads, 1));
    for (std::thread& helper : helpers)
    {
        helper.join();
    }
    return scores;
}

ScoreSample
CanaryGame::Play(std::size_t runs, RandomSeed seed, std::size_t threads) const
{
    return {Scores(true, runs, seed, threads), Scores(false, runs, seed, threads)};
}

double
CanaryGame::Score(bool withCanary, std::uint32_t run, RandomSeed seed, std::vector<float>& y) const
{
    const AuditStream stream = withCanary ? AuditStream::NOISE_WITH : AuditStream::NOISE_WITHOUT;
    StreamOf(seed, stream, run).FillNormal(y.data(), y.size());
    if (withCanary)
    {
        Include(StreamOf(seed, AuditStream::INCLUSION, run), y);
    }
    const std::size_t alone = m_none.size();
    double score =
        SumOfLogs(y.data(), m_rate.data(), m_shift.data(), m_offset.data(), m_none.data(), alone);
    LikelihoodTerms(y.data() + alone,
                    m_rate.data() + alone,
                    m_shift.data() + alone,
                    m_offset.data() + alone,
                    y.data() + alone,
                    y.size() - alone);
    for (const Group& group : m_groups)
    {
        score +=
            std::log(std::accumulate(y.data() + group.begin, y.data() + group.end, group.none));
    }
    if (m_sureShift > 0.0)
    {
        const AuditStream sure = withCanary ? AuditStream::SURE_WITH : AuditStream::SURE_WITHOUT;
        score += SureScore(withCanary, StreamOf(seed, sure, run));
    }
    return score;
}

void
CanaryGame::Include(const RandomStream& coins, std::vector<float>& y) const
{
    // Step k corresponds to the interval (m_hazard[k - 1], m_hazard[k]]. Events of a Poisson
    // process of intensity 1 hit each interval independently with probability m_rate[k].
    std::uint64_t draw = 0;
    double time = 0.0;
    auto next = m_hazard.begin();
    while (next != m_hazard.end())
    {
        time -= std::log1p(-coins.Uniform(draw++));
        next = std::upper_bound(next, m_hazard.end(), time);
        if (next != m_hazard.end())
        {
            const auto k = static_cast<std::size_t>(next - m_hazard.begin());
            y[k] += m_shift[k];
            time = *next;
            ++next;
        }
    }
    for (const Group& group : m_groups)
    {
        double rest = coins.Uniform(draw++);
        for (std::size_t k = group.begin; k < group.end; ++k)
        {
            rest -= static_cast<double>(m_rate[k]);
            if (rest < 0.0)
            {
                y[k] += m_shift[k];
                break;
            }
        }
    }
}

double
CanaryGame::SureScore(bool withCanary, const RandomStream& noise) const
{
    float normal;
    noise.FillNormal(&normal, 1);
    const double y = static_cast<double>(normal) + (withCanary ? m_sureShift : 0.0);
    return m_sureShift * (y - 0.5 * m_sureShift);
}

} // namespace dpdl
