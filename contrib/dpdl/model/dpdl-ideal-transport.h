// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_IDEAL_TRANSPORT_H
#define DPDL_IDEAL_TRANSPORT_H

#include "dpdl-transport.h"

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Transport without latency and loss: every message arrives at the instant it is sent.
 */
class DpdlIdealTransport : public DpdlTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    void DoSend(const DpdlMessage& message) override;
};

} // namespace ns3

#endif // DPDL_IDEAL_TRANSPORT_H
