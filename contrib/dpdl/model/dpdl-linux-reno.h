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

/// True if the user changed the default of attribute @p name of @p type, by Config::SetDefault() or
/// an option.
bool HasUserDefault(TypeId type, const std::string& name);

/// Sets an attribute unless the user changed its default.
/// @param object owner of the attribute
/// @param name name of the attribute
/// @param value new value
void SetUnlessGiven(Ptr<Object> object, const std::string& name, const AttributeValue& value);

/**
 * @ingroup dpdl
 *
 * @brief TcpLinuxReno with slow start after an idle time, as in Linux
 *        (net.ipv4.tcp_slow_start_after_idle; RFC 2861).
 *
 * The connection is idle since data was last acknowledged. When it sends again, the congestion
 * window is halved once for each retransmission timeout within the idle time, at most down to the
 * initial window. The timeout is estimated as the last round trip time plus 200 ms. The slow start
 * threshold is raised to three quarters of the previous window if it is lower.
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
     * @brief Makes this class the congestion control of a node's TCP sockets, unless the user has
     *        set the default of attribute ns3::TcpL4Protocol::SocketType.
     * @param node node with an IP stack
     */
    static void Use(Ptr<Node> node);

    /**
     * @brief Gives a socket the timers of Linux. The retransmission timeout is at least the round
     *        trip time plus 200 ms. Delayed acknowledgements wait at most 40 ms.
     * @param socket TCP socket; attributes whose default the user has set are left unchanged
     */
    static void SetTimers(Ptr<Socket> socket);

    void CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event) override;
    void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override;
    Ptr<TcpCongestionOps> Fork() override;

  private:
    Time m_lastAcked; //!< time at which data was last acknowledged; 0: never
    Time m_lastRtt;   //!< round trip time of that data
};

} // namespace ns3

#endif // DPDL_LINUX_RENO_H
