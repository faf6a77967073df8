// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_RECEIVE_GATE_H
#define DPDL_RECEIVE_GATE_H

#include "ns3/error-model.h"
#include "ns3/object.h"
#include "ns3/packet.h"

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Filters the packets that a device passes up, for devices that accept no error model.
 *
 * Aggregate one to the device and call Passes() for every packet that arrives. DpdlLinkControl
 * installs loss and failures in it. DpdlLteNetwork uses it for LTE.
 */
class DpdlReceiveGate : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Draws the loss of a packet; true if it passes.
     * @param packet begins with the IP header
     */
    bool Passes(Ptr<Packet> packet) const;

  protected:
    void DoDispose() override;

  private:
    Ptr<ErrorModel> m_model; //!< drops packets; empty: none
};

} // namespace ns3

#endif // DPDL_RECEIVE_GATE_H
