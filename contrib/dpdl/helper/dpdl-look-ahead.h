// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LOOK_AHEAD_H
#define DPDL_LOOK_AHEAD_H

#include "dpdl/experiment/run-part.h"

#include "ns3/dpdl-message-transport.h"
#include "ns3/nstime.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Look-ahead of conservative synchronisation: the minimum
 *        transfer time of a message between ranks.
 * @param run on several ranks
 * @param cut its links between ranks
 * @param messages the transport, before the run
 * @param areAnswered true: messages are acknowledged
 * @param feedback time until a sender takes a lost share back, under policy refund
 * @throws dpdl::UsageError if that minimum is 0
 */
Time DpdlLookAhead(const ::dpdl::ResolvedRun& run,
                   const ::dpdl::RankCut& cut,
                   DpdlMessageTransport& messages,
                   bool areAnswered,
                   Time feedback);

/// One line for the user: the look-ahead, and the fraction of messages that cross ranks.
std::string ShowCut(const ::dpdl::ResolvedRun& run, const ::dpdl::RankCut& cut, Time lookAhead);

} // namespace ns3

#endif // DPDL_LOOK_AHEAD_H
