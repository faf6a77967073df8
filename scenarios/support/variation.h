// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef SCENARIOS_VARIATION_H
#define SCENARIOS_VARIATION_H

#include "ns3/dpdl-campaign.h"

#include <string>
#include <vector>

/// What a variant changes against the base.
struct Change
{
    std::string name;                 ///< `drop 0.1`; of a failure its sentence
    ns3::DpdlCampaign::Words options; ///< with the value of each
};

/**
 * @brief Reads the value of an option `vary`: `drop=0,0.1`, `fail=link 3->4 down`.
 *
 * Alternatives stand between semicolons if there is one, else between commas outside of brackets.
 * `&` joins options that change together: `drop=0.1 & lossPolicy=refund; drop=0.2`. An alternative
 * without an option's name is of the first one's option.
 * @param text the value
 * @return the alternatives, at least one
 * @throws dpdl::UsageError if it is none, or an option cannot vary or does not take its value
 */
std::vector<Change> ReadVariation(const std::string& text);

/// The changes of all lists: one after the other, or @p crossed, that is, all combinations of one
/// of each; the last one varies fastest.
std::vector<Change> ChangesOf(const std::vector<std::vector<Change>>& lists, bool crossed);

#endif // SCENARIOS_VARIATION_H
