// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LINUX_RENO_H
#define DPDL_LINUX_RENO_H

#include "ns3/nstime.h"
#include "ns3/socket.h"
#include "ns3/tcp-linux-reno.h"

#include <string>

namespace ns3
{

/// @return true if the user has set the default of an attribute: Config::SetDefault(), an option
bool HasUserDefault(TypeId type, const std::string& name);

/**
 * @ingroup dpdl
 *
 * @brief TcpLinuxReno that starts slowly again after an idle time, as Linux does
 *        (net.ipv4.tcp_slow_start_after_idle; RFC 2861).
 *
 * For each retransmission timeout that the connection was idle, its window is halved, at most down
 * to the initial one; three quarters of it stay as the slow start threshold.
 */
class DpdlLinuxReno : public TcpLinuxReno
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Lets TCP sockets of a node be of this type, unless the user has set the default of
     *        attribute ns3::TcpL4Protocol::SocketType.
     * @param node with a stack
     */
    static void Use(Ptr<Node> node);

    /**
     * @brief Gives a socket the timers of Linux: the retransmission timeout is at least the round
     *        trip and 200 ms, acknowledgements wait at most 40 ms.
     * @param socket of TCP; attributes whose default the user has set keep it
     */
    static void SetTimers(Ptr<Socket> socket);

    void CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event) override;
    void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override;
    Ptr<TcpCongestionOps> Fork() override;

  private:
    Time m_lastAcked; //!< when data was last acknowledged; 0: never
    Time m_lastRtt;   //!< of that data
};

} // namespace ns3

#endif // DPDL_LINUX_RENO_H
