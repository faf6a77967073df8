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
 * @brief Minimum delay between ranks: the shortest
 *        time of a message between ranks.
 * @param run on several ranks
 * @param cut its links between ranks
 * @param messages the transport, before the run
 * @param areAnswered whether messages are acknowledged
 * @param feedback time until a sender takes a lost share back, under refund
 * @throws dpdl::UsageError if there is no such time
 */
Time DpdlLookAhead(const ::dpdl::ResolvedRun& run,
                   const ::dpdl::RankCut& cut,
                   DpdlMessageTransport& messages,
                   bool areAnswered,
                   Time feedback);

/// The look-ahead and the part of the messages that goes from one rank to another, for the user.
std::string ShowCut(const ::dpdl::ResolvedRun& run, const ::dpdl::RankCut& cut, Time lookAhead);

} // namespace ns3

#endif // DPDL_LOOK_AHEAD_H
