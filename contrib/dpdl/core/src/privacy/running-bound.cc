// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "running-bound.h"

#include "dpdl/privacy/rdp.h"
#include "moment-composition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

namespace dpdl
{

namespace
{

/// Distance of the grid's values of log(order - 1): epsilon is a sum of falling and rising
/// exponentials of it, and half of this away from the best order it is 2e-4 more.
constexpr double APART = 0.04;
/// Up to this many steps the accountant is asked: there may be no best order.
constexpr std::size_t FEW = 16;
/// More kinds of steps than this are not summed one by one.
constexpr std::size_t MOST_SINGLE = 32;
/// Moments of so many kinds of steps are kept.
constexpr std::size_t MOST_KNOWN = 2048;
/// The accountant's own optimum may be this much above the best order's value.
constexpr double ROUNDING = 1e-6;
/// Epsilon may bend this much more than such a sum, and be this far from the parabola's lowest.
constexpr double STEEPEST = 4.0;
constexpr double CLOSE = 3e-4;
constexpr int MOST_MOVES = 400;

bool
IsPlain(const PrivacyStep& step)
{
    return step.noise != NoiseKind::LAPLACE && step.rate == 1.0;
}

/**
 * @brief The Renyi bound of a list of steps that grows.
 *
 * Every order gives a bound. Sums of log moments are kept at three neighbouring orders of a grid
 * that is fine enough for the best of its orders to be within 2e-4, relative, of the best of all;
 * they move along the grid so that the one in the middle is the best. The accountant itself is
 * asked for the first steps and for the sampler `shuffle`.
 */
class RenyiBound : public RunningBound
{
  public:
    /**
     * @param rdp the accountant; outlives this object
     * @param question delta and adjacency
     */
    RenyiBound(const Accountant& rdp, const AccountingQuery& question)
        : m_asked(rdp, question),
          m_question(question),
          m_moments(std::make_shared<Moments>())
    {
    }

    void Add(const std::vector<CountedStep>& counted) override
    {
        m_asked.Add(counted);
        const bool wasSpecial = m_special;
        const std::size_t kinds = m_steps.size();
        StepCounts more;
        for (const CountedStep& one : counted)
        {
            m_additive = m_additive && !one.epoch;
            m_special = m_special || NeedsPair(one.step, m_question.adjacency);
            const double shift = one.step.Shift(m_question.adjacency);
            if (IsPlain(one.step))
            {
                m_square += shift * shift;
            }
            else
            {
                ++m_steps[one.step];
                ++more[one.step];
            }
        }
        m_count += counted.size();
        if (wasSpecial != m_special || IsRounded(kinds) != IsRounded(m_steps.size()))
        {
            m_settledAt = 0;
        }
        for (int i = 0; i < 3 && m_settledAt > 0 && m_additive; ++i)
        {
            m_sums[i] += LogMoment(more, m_middle + i - 1);
        }
    }

    EpsilonBounds With(const std::vector<CountedStep>& ahead,
                       const LaterSteps& later,
                       double enough) override
    {
        StepCounts more;
        double square = 0.0;
        bool serves = m_additive && m_count > FEW;
        for (const CountedStep& one : ahead)
        {
            const double shift = one.step.Shift(m_question.adjacency);
            serves = serves && !one.epoch && NeedsPair(one.step, m_question.adjacency) <= m_special;
            square += IsPlain(one.step) ? shift * shift : 0.0;
            if (!IsPlain(one.step))
            {
                ++more[one.step];
            }
        }
        if (!serves || IsRounded(m_steps.size() + more.size()) != IsRounded(m_steps.size()))
        {
            return m_asked.With(ahead, later, enough);
        }
        if (m_settledAt == 0 || ahead.empty())
        {
            Settle();
        }
        Three sums = m_sums;
        for (int i = 0; i < 3; ++i)
        {
            const double order = Order(m_middle + i - 1);
            sums[i] += LogMoment(more, m_middle + i - 1) + 0.5 * order * (order - 1.0) * square;
        }
        const Three epsilons = Epsilons(sums);
        const double least = *std::min_element(epsilons.begin(), epsilons.end());
        // The lowest point of the parabola through the three.
        const double bend = epsilons[0] + epsilons[2] - 2.0 * epsilons[1];
        const double slope = epsilons[2] - epsilons[0];
        const double lower = epsilons[1] - (bend > 0.0 ? 0.125 * slope * slope / bend : 0.0);
        // Where moments rise steeply from some order on, the grid is too coarse.
        const bool isSmooth = bend > 0.0 && bend <= STEEPEST * APART * APART * least &&
                              least - lower <= CLOSE * least;
        if (!std::isfinite(least) || (ahead.empty() && !isSmooth))
        {
            return m_asked.With(ahead, later, enough);
        }
        return {std::max((1.0 + ROUNDING) * least, 0.0), std::max(lower, 0.0)};
    }

    std::unique_ptr<RunningBound> Clone() const override
    {
        return std::make_unique<RenyiBound>(*this);
    }

  private:
    /// log moments at the three orders, or the epsilons that follow.
    using Three = std::array<double, 3>;
    using Moments = std::map<PrivacyStep, StepMoment>;

    double Order(int place) const
    {
        return 1.0 + std::exp(APART * place);
    }

    /// log moment of some steps at an order, as the accountant has it or slightly more.
    double LogMoment(const StepCounts& steps, int place)
    {
        const double order = Order(place);
        if (!m_special && steps.size() > MOST_SINGLE)
        {
            RdpComposition composition;
            for (const auto& [step, count] : steps)
            {
                composition.Add(step.rate, step.Shift(m_question.adjacency), count);
            }
            return composition.LogMoment(order);
        }
        double sum = 0.0;
        for (const auto& [step, count] :
             IsRounded(m_steps.size()) ? MomentComposition::RoundedUp(steps) : steps)
        {
            if (m_moments->size() > MOST_KNOWN)
            {
                m_moments->clear();
            }
            auto known = m_moments->find(step);
            if (known == m_moments->end())
            {
                known = m_moments->emplace(step, StepMoment(step, m_question.adjacency)).first;
            }
            sum += static_cast<double>(count) * known->second.At(order);
        }
        return sum;
    }

    Three Epsilons(const Three& sums) const
    {
        Three epsilons;
        for (int i = 0; i < 3; ++i)
        {
            const double order = Order(m_middle + i - 1);
            const double rdp = sums[i] / (order - 1.0) + 0.5 * order * m_square;
            epsilons[i] = RdpToEpsilon(rdp, order, m_question.delta);
        }
        return epsilons;
    }

    /// Goes to the best orders for the steps so far.
    void Settle()
    {
        StepCounts steps = m_steps;
        if (m_settledAt == 0 || m_count > 2 * m_settledAt)
        {
            PrivacyStep plain;
            plain.muAddRemove = plain.muReplace = std::sqrt(m_square);
            if (m_square > 0.0)
            {
                steps[plain] = 1;
            }
            m_middle =
                static_cast<int>(std::lround(std::log(BestOrder(steps, m_question) - 1.0) / APART));
            m_settledAt = m_count;
            for (int i = 0; i < 3; ++i)
            {
                m_sums[i] = LogMoment(m_steps, m_middle + i - 1);
            }
        }
        for (int i = 0; i < MOST_MOVES; ++i)
        {
            const Three epsilons = Epsilons(m_sums);
            if (epsilons[0] < epsilons[1])
            {
                --m_middle;
                m_sums = {LogMoment(m_steps, m_middle - 1), m_sums[0], m_sums[1]};
            }
            else if (epsilons[2] < epsilons[1])
            {
                ++m_middle;
                m_sums = {m_sums[1], m_sums[2], LogMoment(m_steps, m_middle + 1)};
            }
            else
            {
                return;
            }
        }
    }

    /// True if the accountant rounds this many kinds of steps up.
    bool IsRounded(std::size_t kinds) const
    {
        return m_special && kinds > MomentComposition::MOST_KINDS;
    }

    AskedBound m_asked;                 ///< where sums do not serve
    AccountingQuery m_question;         ///< what is asked
    bool m_additive{true};              ///< false: m_asked answers from now on
    bool m_special{false};              ///< some step is not Gaussian under Poisson sampling
    StepCounts m_steps;                 ///< the steps so far, but Gaussian ones without sampling
    double m_square{0.0};               ///< of those: sum of squared shifts
    std::size_t m_count{0};             ///< number of steps so far
    std::size_t m_settledAt{0};         ///< number of steps when the order was last looked for
    int m_middle{0};                    ///< place of the order in the middle
    Three m_sums{};                     ///< log moments of m_steps at the three orders
    std::shared_ptr<Moments> m_moments; ///< of single steps; shared with copies
};

} // namespace

std::vector<std::shared_ptr<RunningBound>>
StartBounds(const Accountant& accountant, const AccountingQuery& question)
{
    if (accountant.Name() == "pld")
    {
        std::vector<std::shared_ptr<RunningBound>> bounds{
            MakeSpectralBound(accountant, question, true)};
        // No pair distinguishes the directions if an example is replaced.
        if (question.adjacency == Adjacency::ADD_REMOVE)
        {
            bounds.push_back(MakeSpectralBound(accountant, question, false));
        }
        return bounds;
    }
    if (accountant.Name() == "rdp")
    {
        return {std::make_shared<RenyiBound>(accountant, question)};
    }
    return {std::make_shared<AskedBound>(accountant, question)};
}

} // namespace dpdl
