// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gradient-sum.h"

#include "cuda/loss-of-scores.h"
#include "dpdl/training/clip-rule.h"
#include "dpdl/training/gradient-engine.h"
#include "kernels.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

GradientSum::GradientSum(double* total, std::size_t size)
    : m_total(total),
      m_size(size)
{
    std::fill_n(total, size, 0.0);
}

double*
GradientSum::Next(std::size_t examples)
{
    if (m_examples + examples > SUM_BLOCK)
    {
        Finish();
        m_block.assign(m_size, 0.0);
        m_examples = 0;
    }
    m_examples += examples;
    return m_block.empty() ? m_total : m_block.data();
}

void
GradientSum::Finish()
{
    if (!m_block.empty())
    {
        AddTo(m_total, m_block.data(), m_size);
    }
}

double
ExampleLoss(const ExampleTarget& aim, const float* logits, float* gradient)
{
    return aim.loss == Loss::SQUARED_ERROR ? cuda::SquaredLoss(*logits, aim.label, gradient)
                                           : cuda::SoftmaxLoss(logits,
                                                               aim.logits,
                                                               static_cast<std::size_t>(aim.label),
                                                               gradient);
}

bool
IsRight(const ExampleTarget& aim, const float* logits)
{
    if (aim.loss == Loss::SQUARED_ERROR)
    {
        return std::abs(static_cast<double>(*logits) - aim.label) <= TARGET_TOLERANCE;
    }
    const auto right = static_cast<std::ptrdiff_t>(aim.label);
    return std::max_element(logits, logits + aim.logits) - logits == right;
}

} // namespace dpdl
