// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "directed-bound.h"
#include "dpdl/privacy/gdp.h"
#include "loss-kinds.h"
#include "loss-spectrum.h"
#include "numbers.h"
#include "running-bound.h"
#include "smooth-loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

namespace dpdl
{

namespace
{

/// The bounds of the steps so far are as close as this, relative to epsilon.
constexpr double CLOSE = 2.5e-4;
/// A new grid is tried for so many times as many steps, and with bounds as close as this there.
constexpr std::array<std::pair<double, double>, 4> GRIDS{
    {{2.0, 2e-4}, {1.3, 1.5e-4}, {1.0, 1.5e-4}, {1.0, 0.5e-4}}};
/// So few steps cost the accountant little: its own value is less than a bound of it.
constexpr std::size_t FEW_STEPS = 64;
/// Fewer steps than this are planned for at once only.
constexpr double FEWEST = 8.0;
/// So many coefficients of single steps are kept, 8 MiB.
constexpr std::size_t MOST_STORED = 1U << 19U;
/// A step takes as much memory as so many coefficients, apart from those that it has.
constexpr std::size_t COEFFICIENTS_OF_STEP = 16;
/// More kinds of steps than this are composed as a family, if they are one.
constexpr std::size_t MOST_SINGLE = 32;
/// Up to this part of the coefficients epsilon is read off them without a transform.
constexpr std::size_t FEW = 16;
/// An estimate of epsilon may be too high by this part of it.
constexpr double ESTIMATE = 0.05;

bool
IsPlainGaussian(const PrivacyStep& step)
{
    return step.noise == NoiseKind::GAUSSIAN && step.sampling == Amplification::NONE;
}

/**
 * @brief One direction of PldComposition over a list of steps that grows.
 *
 * The spectrum of the steps so far is kept on one grid: a step costs one product, and epsilon one
 * transform. Everything that is proven of a single evaluation holds here. Where the bounds of the
 * steps so far drift apart, a grid is made for about twice as many. The upper bound is raised by
 * the distance that the accountant may keep from the exact value, so that it is not below the
 * accountant's. The accountant itself is asked for the first steps, where no grid is fine enough,
 * and for the sampler `shuffle`.
 */
class SpectralBound : public RunningBound
{
  public:
    /**
     * @param pld the accountant; outlives this object
     * @param question delta and adjacency
     * @param remove the direction "an example is removed"; false: the other one
     */
    SpectralBound(const Accountant& pld, const AccountingQuery& question, bool remove)
        : m_asked(
              pld,
              {question.delta, question.adjacency, remove ? Direction::REMOVE : Direction::ADD}),
          m_question(question),
          m_remove(remove)
    {
    }

    void Add(const std::vector<CountedStep>& counted) override
    {
        m_asked.Add(counted);
        StepCounts steps;
        for (const CountedStep& one : counted)
        {
            m_onGrid = m_onGrid && !one.epoch;
            const double shift = one.step.Shift(m_question.adjacency);
            const bool plain = IsPlainGaussian(one.step);
            m_square += plain ? shift * shift : 0.0;
            m_sampled += plain ? 0 : 1;
            ++m_steps[one.step];
            ++steps[one.step];
        }
        m_count += counted.size();
        if (!m_onGrid)
        {
            m_grid.reset();
        }
        if (m_grid)
        {
            m_grid->spectrum.SetComposed(m_product);
            Multiply(steps);
            m_grid->spectrum.Trim();
            m_product = m_grid->spectrum.Composed();
        }
    }

    EpsilonBounds With(const std::vector<CountedStep>& ahead,
                       const LaterSteps& later,
                       double enough) override
    {
        double square = m_square;
        std::size_t sampled = m_sampled;
        bool onGrid = m_onGrid;
        StepCounts more;
        for (const CountedStep& counted : ahead)
        {
            const double shift = counted.step.Shift(m_question.adjacency);
            const bool plain = IsPlainGaussian(counted.step);
            square += plain ? shift * shift : 0.0;
            sampled += plain ? 0 : 1;
            onGrid = onGrid && !counted.epoch;
            ++more[counted.step];
        }
        if (onGrid && sampled == 0)
        {
            const double epsilon =
                square > 0.0 ? GdpEpsilon(std::sqrt(square), m_question.delta) : 0.0;
            return {epsilon, epsilon};
        }
        if (onGrid && !m_grid && m_sampled > 0 && m_count >= m_retryAt)
        {
            Sharpened(later);
        }
        if (onGrid && more.empty() && m_count >= m_retryAt)
        {
            const EpsilonBounds bounds = Sharpened(later);
            m_lower = std::max(m_lower, bounds.lower);
            const EpsilonBounds raised = Raised(bounds, m_steps.size());
            if (std::isfinite(raised.upper) && (m_count > FEW_STEPS || raised.upper <= enough))
            {
                return raised;
            }
        }
        else if (onGrid && m_grid && !more.empty())
        {
            return Raised(OnGrid(more), m_steps.size() + more.size());
        }
        return m_asked.With(ahead, later, enough);
    }

    std::unique_ptr<RunningBound> Clone() const override
    {
        return std::make_unique<SpectralBound>(*this);
    }

  private:
    struct Grid
    {
        Grid(std::size_t size, double h, const LossPlan& plan, double tail)
            : width(h),
              plan(plan),
              spectrum(size, h, plan.tilt, tail),
              sums(size, h, plan.tilt.main)
        {
        }

        double width;                              ///< of a cell
        LossPlan plan;                             ///< tilting and window
        LossSpectrum spectrum;                     ///< what composes
        SmoothSums sums;                           ///< reads epsilon off few coefficients
        std::map<PrivacyStep, KindSpectrum> known; ///< spectra of steps
        std::size_t stored{0};                     ///< number of coefficients in them
    };

    /// Composes steps on the grid with what is there.
    void Multiply(const StepCounts& steps)
    {
        LossSpectrum& spectrum = m_grid->spectrum;
        if (steps.size() > MOST_SINGLE)
        {
            const LossKinds kinds = Kinds(steps);
            for (const LossKind& kind : kinds.kinds)
            {
                spectrum.Multiply(kind);
            }
            for (const LossFamily& family : kinds.families)
            {
                spectrum.Multiply(family);
            }
            return;
        }
        for (const auto& [step, count] : steps)
        {
            KindSpectrum& kind = m_grid->known[step];
            if (kind.coefficients.size() < spectrum.Composed().coefficients.size())
            {
                const DirectedPairs pairs = PairsOf(step, m_question.adjacency);
                m_grid->stored += kind.coefficients.empty() ? COEFFICIENTS_OF_STEP : 0;
                m_grid->stored -= kind.coefficients.size();
                kind = spectrum.SpectrumOf(m_remove ? *pairs.remove : *pairs.add);
                m_grid->stored += kind.coefficients.size();
            }
            spectrum.Multiply(kind, static_cast<double>(count));
            if (m_grid->stored > MOST_STORED)
            {
                m_grid->known.clear();
                m_grid->stored = 0;
            }
        }
    }

    /// The bounds of the steps so far and some more on the grid.
    EpsilonBounds OnGrid(const StepCounts& ahead)
    {
        LossSpectrum& spectrum = m_grid->spectrum;
        spectrum.SetComposed(m_product);
        Multiply(ahead);
        const LossPlan& plan = m_grid->plan;
        const double delta = m_question.delta;
        const auto read = [&ahead, delta](const ComposedLoss& loss) {
            return ahead.empty() ? loss.Bounds(delta) : EpsilonBounds{loss.Upper(delta), 0.0};
        };
        if (spectrum.Composed().coefficients.size() < spectrum.Size() / FEW)
        {
            return read(SmoothLoss(spectrum, m_grid->sums, m_grid->width, plan.tilt, plan.window));
        }
        return read(ComposedLoss(spectrum, m_grid->width, plan.tilt, plan.window));
    }

    /// Makes a grid that serves for some more steps.
    void MakeGrid(const std::vector<CountedStep>& more, double sharp)
    {
        StepCounts steps = m_steps;
        for (const CountedStep& counted : more)
        {
            ++steps[counted.step];
        }
        const LossKinds kinds = Kinds(steps);
        DirectedBound bound(kinds, m_question.delta);
        bound.Refine(sharp);
        double low = m_lower;
        if (!(low > 0.0))
        {
            const LossKinds few = Kinds(m_steps);
            low = (1.0 - ESTIMATE) * LossOutline(few, m_question.delta).Epsilon();
        }
        const LossPlan plan = bound.Outline().Plan(std::min(low, bound.Bounds().lower), true);
        const std::size_t size = TransformSize(plan.Width() / bound.CellWidth() + 4.0);
        const double width = plan.Width() / static_cast<double>(size - 4);
        m_grid = std::make_shared<Grid>(size, width, plan, bound.Outline().Tail());
        Multiply(m_steps);
        m_grid->spectrum.Trim();
        m_product = m_grid->spectrum.Composed();
    }

    LossKinds Kinds(const StepCounts& steps) const
    {
        DirectedKinds kinds = SortKinds(steps, m_question.adjacency);
        return std::move(m_remove ? kinds.remove : kinds.add);
    }

    /// Bounds of the steps so far on a grid that is fine enough; infinite if none is.
    EpsilonBounds Sharpened(const LaterSteps& later)
    {
        const auto isClose = [](const EpsilonBounds& bounds) {
            return bounds.upper <= (1.0 + CLOSE) * bounds.lower + SHARP_ENOUGH;
        };
        if (m_grid)
        {
            const EpsilonBounds bounds = OnGrid({});
            if (isClose(bounds))
            {
                return bounds;
            }
        }
        for (const auto& [factor, sharp] : GRIDS)
        {
            const double count = std::max(static_cast<double>(m_count), FEWEST);
            MakeGrid(later(static_cast<std::size_t>((factor - 1.0) * count)), sharp);
            const EpsilonBounds bounds = OnGrid({});
            if (isClose(bounds))
            {
                return bounds;
            }
        }
        m_retryAt = m_count + m_count / 2 + 1;
        return {INF, 0.0};
    }

    EpsilonBounds Raised(EpsilonBounds bounds, std::size_t distinct) const
    {
        const double sharp = distinct > MANY_KINDS ? LESS_SHARP : SHARP;
        bounds.upper = (1.0 + sharp) * bounds.upper + SHARP_ENOUGH;
        return bounds;
    }

    AskedBound m_asked;           ///< where no grid serves
    AccountingQuery m_question;   ///< what is asked
    bool m_remove;                ///< the direction
    bool m_onGrid{true};          ///< false: m_asked answers from now on
    StepCounts m_steps;           ///< the steps so far
    std::size_t m_count{0};       ///< how many
    std::size_t m_sampled{0};     ///< those among them that are not Gaussian without sampling
    double m_square{0.0};         ///< of the others: sum of squared shifts
    std::shared_ptr<Grid> m_grid; ///< none before it is needed; shared with copies
    SpectrumProduct m_product;    ///< of the steps so far, on the grid
    std::size_t m_retryAt{0};     ///< no grid serves for fewer steps than this
    double m_lower{0.0};          ///< epsilon is hardly below this
};

} // namespace

std::shared_ptr<RunningBound>
MakeSpectralBound(const Accountant& pld, const AccountingQuery& question, bool remove)
{
    return std::make_shared<SpectralBound>(pld, question, remove);
}

} // namespace dpdl
