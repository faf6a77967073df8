// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/certified-curve.h"

#include "dominating-pair.h"
#include "normal-tail.h"
#include "one-direction-bound.h"
#include "spectral-curve.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

// Bounds the epsilon of each node's releases up to each round. A bound comes from a grid of privacy
// losses (SpectralCurve) or from the accountant. The result is the maximum over all nodes.

namespace dpdl
{

namespace
{

/// The result is the larger epsilon of two directions (remove and add), so the bounds of the
/// smaller epsilon may be less accurate. The target distance between them, as a fraction of the
/// smaller epsilon, is DISTANCE_PART * (larger - smaller) / smaller.
constexpr double DISTANCE_PART = 0.3;
/// The upper bound on epsilon from the grid of privacy losses is used if it is at most (1 +
/// SHARP_ROW) * lower bound + SHARP_ENOUGH_ROW. If it is larger, the accountant evaluates the
/// steps.
constexpr double SHARP_ROW = 1e-3;
constexpr double SHARP_ENOUGH_ROW = 2e-7;
/// Largest number of evaluations by the accountant per node, if a grid is usable. After that many,
/// the upper bound from the grid is used however far it is from the lower bound. It is valid
/// nevertheless: if the density of the privacy loss is uneven, only the estimated lower bound is
/// inaccurate.
constexpr int MOST_ASKED = 40;

/// A step, and the epoch of its batch. The epoch is empty if the sampler has no epochs.
using EpochStep = std::pair<PrivacyStep, std::optional<std::uint32_t>>;

/// Releases of one node, by round.
struct StepList
{
    /// Element r: the steps of round r. The vector ends before the round of the first unsupported
    /// release.
    std::vector<std::vector<EpochStep>> rounds;
    bool refused{false}; ///< true: the round after the last of `rounds` has an unsupported release
};

StepList
StepsOf(const PrivacyLedger& ledger, NodeId node, Round rounds)
{
    StepList list;
    list.rounds.resize(rounds);
    Round refused = rounds;
    ledger.ForEachRepeated(node, [&](const PrivacyLedger::Repeated& all) {
        const bool isSupported = all.first.UnsupportedReason().empty();
        const auto step = isSupported ? StepOf(all.first) : std::nullopt;
        const auto epoch = all.first.HasEpochs() ? all.first.epoch : std::nullopt;
        std::int64_t round = all.first.round;
        for (std::size_t i = 0; i < all.count; ++i, round += all.roundStep)
        {
            if (round < refused && !isSupported)
            {
                refused = static_cast<Round>(round);
            }
            else if (round < refused && step)
            {
                list.rounds[static_cast<std::size_t>(round)].emplace_back(*step, epoch);
            }
        }
    });
    list.refused = refused < rounds;
    list.rounds.resize(refused);
    return list;
}

/// Computes upper bounds on the epsilon of one node's releases before a given round. After
/// Settle(e), bounds for rounds before e cannot be requested. The constructor arguments must
/// outlive this object.
class ListBound
{
  public:
    ListBound(const StepList& list, const AccountantCache& guarantees)
        : m_list(list),
          m_accountant(guarantees.GetAccountant()),
          m_question(guarantees.GetQuestion())
    {
        StepCounts all;
        StepCounts first;
        if (m_accountant.Name() == "pld" && !CountAll(all, first) && IsOnGrid(all))
        {
            MakeCurves(all, first);
        }
    }

    /// Upper bound on the epsilon of all releases of the rounds 0 .. @p end - 1; may be infinite.
    /// @p end must be at least the argument of the last Settle().
    double Before(Round end)
    {
        StepCounts more;
        Visit(end, [&more](const EpochStep& step) { ++more[step.first]; });
        const double upper = OnGrid(more);
        if (std::isfinite(upper))
        {
            return upper;
        }
        ReleaseTally tally = m_tally;
        Visit(end, [&tally](const EpochStep& step) { tally.Add(step.first, step.second); });
        return m_accountant.Evaluate(tally.Steps(), m_question).epsilon;
    }

    /// Composes the releases of the rounds before @p end permanently. Later calls of Before() visit
    /// only the rounds from @p end on.
    void Settle(Round end)
    {
        StepCounts more;
        Visit(end, [this, &more](const EpochStep& step) {
            ++more[step.first];
            m_tally.Add(step.first, step.second);
        });
        m_begin = std::max(m_begin, end);
        for (SpectralCurve& curve : m_curves)
        {
            curve.Add(more);
        }
    }

  private:
    /// Calls @p visit with each step of the rounds m_begin .. @p end - 1.
    template <typename Visitor>
    void Visit(Round end, const Visitor& visit) const
    {
        for (Round round = m_begin; round < end; ++round)
        {
            std::for_each(m_list.rounds[round].begin(), m_list.rounds[round].end(), visit);
        }
    }

    /// Upper bound, computed on the grid, on the epsilon of the steps before round m_begin together
    /// with the steps @p more. Infinite if there is no grid, or if its upper and lower bound are
    /// too far apart.
    double OnGrid(const StepCounts& more)
    {
        double upper = m_curves.empty() ? INF : 0.0;
        double lower = 0.0;
        for (SpectralCurve& curve : m_curves)
        {
            const ComposedPld loss = curve.With(more);
            const bool isChecked = m_asked < MOST_ASKED;
            const EpsilonBounds bounds = isChecked
                                             ? loss.Bounds(m_question.delta)
                                             : EpsilonBounds{loss.Upper(m_question.delta), INF};
            upper = std::max(upper, bounds.upper);
            lower = std::max(lower, bounds.lower);
        }
        if (upper <= (1.0 + SHARP_ROW) * lower + SHARP_ENOUGH_ROW)
        {
            return upper;
        }
        ++m_asked;
        return INF;
    }

    /// Counts the steps of all rounds in @p all, and the steps of the first nonempty round in
    /// @p first.
    /// @return true if a step has an epoch
    bool CountAll(StepCounts& all, StepCounts& first) const
    {
        bool hasEpochs = false;
        for (const std::vector<EpochStep>& round : m_list.rounds)
        {
            for (const auto& [step, epoch] : round)
            {
                ++all[step];
                hasEpochs = hasEpochs || epoch;
            }
            first = first.empty() ? all : first;
        }
        return hasEpochs;
    }

    /// True if a grid is useful: every step has a known dominating pair, and at least one step is
    /// sampled or not Gaussian. Unsampled Gaussian steps have a closed form.
    bool IsOnGrid(const StepCounts& all) const
    {
        bool isSampled = false;
        for (const auto& [step, count] : all)
        {
            if (!WhyNoPairs(step, m_question.adjacency).empty())
            {
                return false;
            }
            isSampled = isSampled || step.noise != NoiseKind::GAUSSIAN ||
                        step.sampling != Amplification::NONE;
        }
        return isSampled;
    }

    void MakeCurves(const StepCounts& all, const StepCounts& first)
    {
        // Under the replace-one neighbouring relation, a step has the same dominating pair in both
        // directions, so the curve of one direction suffices. Then `add` is 0, and AddCurve() makes
        // the finest grid.
        const DirectedKinds kinds = SortKinds(all, m_question.adjacency);
        const double remove = PldEstimate(kinds.remove, m_question.delta).Epsilon();
        const double add = m_question.adjacency == Adjacency::REPLACE
                               ? 0.0
                               : PldEstimate(kinds.add, m_question.delta).Epsilon();
        AddCurve(all, first, true, remove, add);
        if (m_question.adjacency == Adjacency::ADD_REMOVE)
        {
            AddCurve(all, first, false, add, remove);
        }
    }

    /// Adds the grid of one direction. The grid is coarser if the opposite direction has the larger
    /// epsilon, which then determines the result.
    /// @param isRemove true: direction REMOVE; false: ADD
    /// @param epsilon estimated epsilon of this direction
    /// @param other estimated epsilon of the opposite direction; 0: make the finest grid
    void AddCurve(const StepCounts& all,
                  const StepCounts& first,
                  bool isRemove,
                  double epsilon,
                  double other)
    {
        const double apart = (other - epsilon) / std::max(epsilon, 1e-300);
        const double close = std::clamp(DISTANCE_PART * apart, SHARP, 0.1);
        m_curves.emplace_back(all, first, m_question, isRemove, close);
    }

    const StepList& m_list;
    const Accountant& m_accountant;    ///< evaluates the steps if a grid is not accurate enough
    const AccountingQuery& m_question; ///< delta, neighbouring relation and direction
    /// One grid per evaluated direction; empty if the steps cannot be evaluated on a grid.
    std::vector<SpectralCurve> m_curves;
    ReleaseTally m_tally; ///< steps of the rounds before m_begin
    /// Number of times that the accountant had to evaluate the steps, because the bounds from the
    /// grid were too far apart or there is no grid.
    int m_asked{0};
    Round m_begin{0}; ///< first round whose steps are neither in the grids nor in m_tally
};

/// Bounds on epsilon, maxima over the nodes evaluated so far; index: round.
struct Rows
{
    std::vector<double> shown; ///< element r: upper bound on epsilon after round r
    /// Element r: largest bound that was computed for releases of rounds up to r only. Bounds in
    /// `shown` may include later rounds.
    std::vector<double> known;
};

/**
 * @brief Number of rounds that may share the next bound, if epsilon grows at the same rate as over
 *        the last @p rows rounds.
 * @param growth relative growth of epsilon over the last @p rows rounds
 * @param rows number of rounds over which epsilon grew, >= 1
 * @param shared largest relative growth of epsilon over rounds that share a bound
 * @return number of rounds, from 1 to 2 * @p rows
 */
Round
RowsAhead(double growth, Round rows, double shared)
{
    const double most = 2.0 * rows;
    return growth > 0.0 ? static_cast<Round>(std::clamp(0.95 * shared * rows / growth, 1.0, most))
                        : static_cast<Round>(most);
}

/// Raises the bound of every round, if necessary, to an upper bound on the epsilon of one node's
/// releases up to that round. From the first round with an unsupported release on, the bounds
/// become infinite.
/// @param shared largest relative growth of epsilon over rounds that share a bound
void
Raise(Rows& rows, const StepList& list, const AccountantCache& guarantees, double shared)
{
    ListBound bound(list, guarantees);
    const auto number = static_cast<Round>(list.rounds.size());
    double last = 0.0;
    Round ahead = 1;
    for (Round begin = 0; begin < number;)
    {
        const Round end = begin + std::min(ahead, number - begin);
        const double upper = bound.Before(end);
        const double least = std::max(last, rows.known[begin]);
        if (end - begin > 1 && upper > (1.0 + shared) * least)
        {
            ahead = std::max<Round>(1, (end - begin) / 2);
            continue;
        }
        for (Round row = begin; row < end; ++row)
        {
            rows.shown[row] = std::max(rows.shown[row], upper);
            rows.known[row] = std::max(rows.known[row], row + 1 < end ? last : upper);
        }
        bound.Settle(end);
        last = std::max(last, upper);
        ahead = RowsAhead(upper / least - 1.0, end - begin, shared);
        begin = end;
    }
    if (list.refused)
    {
        std::fill(rows.shown.begin() + number, rows.shown.end(), INF);
    }
}

} // namespace

std::vector<double>
CertifiedCurve(const PrivacyLedger& ledger,
               const AccountantCache& guarantees,
               Round rounds,
               double shared)
{
    Rows rows{std::vector<double>(rounds, 0.0), std::vector<double>(rounds, 0.0)};
    const std::vector<NodeId> alike = ledger.Alike();
    for (NodeId node = 0; node < ledger.Nodes(); ++node)
    {
        if (alike[node] == node)
        {
            Raise(rows, StepsOf(ledger, node, rounds), guarantees, shared);
        }
    }
    for (Round row = 1; row < rounds; ++row)
    {
        rows.shown[row] = std::max(rows.shown[row], rows.shown[row - 1]);
    }
    return rows.shown;
}

} // namespace dpdl
