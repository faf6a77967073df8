// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_MESSAGE_SETUP_H
#define DPDL_MESSAGE_SETUP_H

#include "dpdl/experiment/resolve.h"

#include "ns3/dpdl-message-transport.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Makes the transport of a run in message mode.
 *
 * An option that was given wins over the attribute's default, which may also be the user's.
 * @param settings the options
 * @param[out] facts receives the links, and the time of a transfer
 * @return the transport
 * @throws dpdl::UsageError if an attribute or a link file is not accepted
 */
Ptr<DpdlMessageTransport> MakeDpdlMessageTransport(const ::dpdl::RunOptions& settings,
                                                   ::dpdl::NetworkFacts& facts);

/**
 * @ingroup dpdl
 *
 * @brief The fidelity of message mode, as a trace has it.
 * @param facts with the links
 * @return setting `networkFidelity`: what the link files say of their errors
 */
std::string DpdlMessageFidelity(const ::dpdl::NetworkFacts& facts);

} // namespace ns3

#endif // DPDL_MESSAGE_SETUP_H
