// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CONTOUR_ACCOUNTANT_H
#define DPDL_PRIVACY_CONTOUR_ACCOUNTANT_H

#include "dpdl/privacy/accountant.h"

namespace dpdl
{

/// The exact value by contour inversion, to which the certified bounds can be held.
class ContourAccountant : public Accountant
{
  public:
    std::string Name() const override;
    bool Certified() const override;

  protected:
    std::string Obstacle(const PrivacyStep& step, const Question& question) const override;
    void Account(const StepCounts& steps,
                 const Question& question,
                 Guarantee& guarantee) const override;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_CONTOUR_ACCOUNTANT_H
