// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "spectral-curve.h"

#include "one-direction-bound.h"
#include "step-mesh.h"

#include <algorithm>

namespace dpdl
{

namespace
{

/// Number of different steps above which the mu of every step is rounded up.
constexpr std::size_t FEW_KINDS = 256;
/// Distance of neighbouring rounded values of mu, on the logarithmic scale of WithMuRoundedUp().
constexpr double ROUNDING = 2e-3;
/// Fraction of the estimated epsilon of the first steps by which the lower end of the grid's range
/// of privacy losses is below that epsilon.
constexpr double ESTIMATE = 0.05;
/// Largest number of cached Fourier coefficients of single steps, 32 MiB.
constexpr std::size_t MOST_STORED = 1U << 21U;

} // namespace

SpectralCurve::SpectralCurve(const StepCounts& all,
                             const StepCounts& first,
                             const AccountingQuery& question,
                             bool remove,
                             double close)
    : m_question(question),
      m_remove(remove),
      m_isRounded(all.size() > FEW_KINDS)
{
    const PldKinds kinds = KindsOf(all);
    OneDirectionBound bound(kinds, question.delta);
    bound.Refine(close);
    const PldKinds few = KindsOf(first);
    const double low = (1.0 - ESTIMATE) * PldEstimate(few, question.delta).Epsilon();
    m_plan = bound.Saddlepoint().Plan(std::min(low, bound.Bounds().lower), true);
    const std::size_t size = TransformSize(m_plan.Width() / bound.CellWidth() + 4.0);
    m_width = m_plan.Width() / static_cast<double>(size - 4);
    m_spectrum =
        std::make_unique<PldSpectrum>(size, m_width, m_plan.tilt, bound.Saddlepoint().Tail());
    m_product = m_spectrum->Composed();
}

PldKinds
SpectralCurve::KindsOf(const StepCounts& steps) const
{
    DirectedKinds kinds = SortKinds(steps, m_question.adjacency);
    return std::move(m_remove ? kinds.remove : kinds.add);
}

void
SpectralCurve::Multiply(const StepCounts& steps)
{
    for (const auto& [exact, count] : steps)
    {
        const PrivacyStep step = m_isRounded ? WithMuRoundedUp(exact, ROUNDING) : exact;
        KindSpectrum& kind = m_known[step];
        if (kind.coefficients.size() < m_spectrum->Composed().coefficients.size())
        {
            const DirectedPairs pairs = PairsOf(step, m_question.adjacency);
            m_stored -= kind.coefficients.size();
            kind = m_spectrum->SpectrumOf(m_remove ? *pairs.remove : *pairs.add);
            m_stored += kind.coefficients.size();
        }
        m_spectrum->Multiply(kind, static_cast<double>(count));
        if (m_stored > MOST_STORED)
        {
            m_known.clear();
            m_stored = 0;
        }
    }
}

void
SpectralCurve::Add(const StepCounts& steps)
{
    m_spectrum->SetComposed(m_product);
    Multiply(steps);
    m_spectrum->Trim();
    m_product = m_spectrum->Composed();
}

ComposedPld
SpectralCurve::With(const StepCounts& more)
{
    m_spectrum->SetComposed(m_product);
    Multiply(more);
    return {*m_spectrum, m_width, m_plan.tilt, m_plan.window};
}

} // namespace dpdl
