// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_GATEWAY_H
#define DPDL_GATEWAY_H

#include "dpdl-message.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <utility>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Where messages leave for nodes that another process simulates, and come from there.
 *
 * A transport decides when and whether a message arrives; the gateway carries it to that moment of
 * simulated time on the other side, which knows nothing of it before.
 */
class DpdlGateway
{
  public:
    /// Receives a message for a node of this process, at the time of its arrival.
    using Receiver = std::function<void(const DpdlMessage&)>;

    virtual ~DpdlGateway() = default;

    /// True if another process simulates the node. @param node its number in the run
    virtual bool IsElsewhere(uint32_t node) const = 0;

    /**
     * @brief Takes a message that will arrive.
     * @param message its target is elsewhere
     * @param delay from now until it arrives
     */
    virtual void Send(const DpdlMessage& message, Time delay) = 0;

    /// @param receiver is given what arrives
    void SetReceiver(Receiver receiver)
    {
        m_receiver = std::move(receiver);
    }

  protected:
    /// Hands a message on.
    void Receive(const DpdlMessage& message) const
    {
        m_receiver(message);
    }

  private:
    Receiver m_receiver; //!< see SetReceiver()
};

} // namespace ns3

#endif // DPDL_GATEWAY_H
