// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BEACON_H
#define DPDL_BEACON_H

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Broadcasts beacons to the nodes in range, and keeps a table of the neighbours it hears.
 *
 * Every Period the node broadcasts a UDP datagram of Size bytes to its IPv4 subnet. The first
 * beacon leaves at a random time within the first period, so nodes do not send together. The
 * defaults are those of a cooperative awareness message (ETSI EN 302 637-2: 1 Hz to 10 Hz) at its
 * highest rate. Beacons compete for the channel with all other frames. While its interface is down,
 * the node neither sends nor receives beacons.
 *
 * A neighbour is a node of which at least LeastHeard beacons have been heard within AgeingTime. The
 * reverse link is not tested. With the default of 1, a node whose beacons arrive only occasionally
 * is a neighbour; a larger number selects better links.
 */
class DpdlBeacon : public Application
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DpdlBeacon();

    /// Sets the node's number in the run, which its beacons carry.
    void SetNumber(uint32_t number)
    {
        m_number = number;
    }

    /// Node numbers of the current neighbours, in ascending order.
    std::vector<uint32_t> Neighbours() const;

    /// Number of beacons handed to the IP stack so far; the device's queue may still drop them.
    uint64_t Sent() const
    {
        return m_sent;
    }

    /**
     * @brief Assigns a fixed stream to the random time of the first beacon.
     * @param stream first stream index to use
     * @return the number of streams used, 1
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;
    void Send();
    static void Read(DpdlBeacon* self, Ptr<Socket> socket);

    uint32_t m_number{0}; //!< number of the node in the run
    Time m_period;        //!< time between two beacons
    uint32_t m_size{0};   //!< size of a beacon without UDP and IP headers, in bytes
    Time m_ageingTime;    //!< time for which a heard beacon counts
    /// Number of beacons within m_ageingTime that makes their sender a neighbour.
    uint32_t m_leastHeard{0};
    uint16_t m_port{0};                 //!< UDP port of the beacons of all nodes
    Ptr<UniformRandomVariable> m_phase; //!< draws the time of the first beacon within its period
    Ptr<Socket> m_socket;               //!< socket that sends and receives beacons
    EventId m_next;                     //!< event that sends the next beacon
    /// Arrival times of the last m_leastHeard beacons, by sender's number.
    std::map<uint32_t, std::deque<Time>> m_heard;
    uint64_t m_sent{0}; //!< number of beacons handed to the IP stack
};

} // namespace ns3

#endif // DPDL_BEACON_H
