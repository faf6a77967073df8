// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ADVANCED_ACCOUNTANT_H
#define DPDL_PRIVACY_ADVANCED_ACCOUNTANT_H

#include "dpdl/privacy/accountant.h"

namespace dpdl
{

/// Advanced composition of pure DP.
class AdvancedAccountant : public Accountant
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

#endif // DPDL_PRIVACY_ADVANCED_ACCOUNTANT_H
