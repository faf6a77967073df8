// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/sensitivity-estimate.h"

namespace dpdl
{

SensitivityEstimate::SensitivityEstimate(const SensitivityRule& rule, double initialNorm)
    : m_rule(rule),
      m_initialNorm(rule.initialNorm ? initialNorm : 0.0)
{
}

double
SensitivityEstimate::Next(double perturbation)
{
    const double twice = 2.0 * m_rule.factor;
    m_own = m_isFresh ? twice * (m_initialNorm + perturbation)
                      : m_rule.decay * (m_previous + twice * m_noise) + twice * perturbation;
    m_isFresh = false;
    return m_own;
}

void
SensitivityEstimate::Agree(double maximum, double noise)
{
    m_previous = m_rule.ownEstimate ? m_own : maximum;
    m_noise = noise;
}

void
SensitivityEstimate::Restart()
{
    m_isFresh = true;
    m_initialNorm = 0.0;
}

} // namespace dpdl
