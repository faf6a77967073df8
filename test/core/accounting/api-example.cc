// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/calibration.h"
#include "dpdl/privacy/step-group.h"

#include <cstdio>

int
main()
{
    // Half of the run with more noise, half with less; noise is in units of the sensitivity.
    dpdl::StepGroup first;
    first.rate = 0.01;
    first.noise = 1.3;
    first.steps = 500;
    dpdl::StepGroup second = first;
    second.noise = 0.9;
    const dpdl::StepCounts steps = dpdl::CountSteps({first, second});

    dpdl::AccountingQuery question;
    question.delta = 1e-5;
    const dpdl::Accountant& accountant = *dpdl::Accountants().Get("pld");
    const dpdl::Guarantee guarantee = accountant.Evaluate(steps, question);
    std::printf("epsilon %.4f %s\n", guarantee.epsilon, guarantee.reason.c_str());

    // The factor on sensitivity / noise that makes epsilon 1, or a little less.
    const double scale = dpdl::CalibrateSteps(accountant, steps, 1.0, question);
    std::printf("noise %.4f and %.4f\n", first.noise / scale, second.noise / scale);
    return guarantee.epsilon > 1.0 && scale < 1.0 ? 0 : 1;
}
