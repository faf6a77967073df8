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
 * @brief Decides which packets a device gives to its node, for devices that take no error model.
 *
 * Aggregate one to the device and ask it for every packet that arrives. DpdlLinkControl then has a
 * place for loss and failures. DpdlLteNetwork does so for LTE.
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
     * @param packet begins with the header of IP
     */
    bool Passes(Ptr<Packet> packet) const;

  protected:
    void DoDispose() override;

  private:
    Ptr<ErrorModel> m_model; //!< loses packets; empty: none is lost
};

} // namespace ns3

#endif // DPDL_RECEIVE_GATE_H
