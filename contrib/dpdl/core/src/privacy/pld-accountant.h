// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PLD_ACCOUNTANT_H
#define DPDL_PRIVACY_PLD_ACCOUNTANT_H

#include "dpdl/privacy/accountant.h"

namespace dpdl
{

/// Privacy-loss distributions; the Renyi bound where no grid is fine enough and it is smaller.
class PldAccountant : public Accountant
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

#endif // DPDL_PRIVACY_PLD_ACCOUNTANT_H
