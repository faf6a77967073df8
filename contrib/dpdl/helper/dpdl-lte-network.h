// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LTE_NETWORK_H
#define DPDL_LTE_NETWORK_H

#include "dpdl/network/failure-event.h"

#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/vector.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Users of LTE cells and a server behind the core network, with IPv4.
 *
 * @code
 * DpdlLteNetwork::SetDefaults();
 * ...
 * DpdlLteNetwork network;
 * network.PlaceStations(Vector(0, 0, 0), Vector(800, 800, 0), 3);
 * network.Follow(events);
 * network.Install(server, users);
 * @endcode
 *
 * LTE is that of ns-3: FDD, by default 25 resource blocks (5 MHz) each way, one antenna each,
 * proportional fair scheduler, HARQ, RLC in unacknowledged mode (no repeats above HARQ), ideal RRC
 * (its messages take no radio resources). The mean loss is 128.1 + 37.6 log10(km) dB (3GPP TR
 * 36.942, macro cell, urban area, 2 GHz), without shadowing and fading. All stations use the same
 * band. Users start at the nearest station and are handed over by X2 when another one is 3 dB
 * stronger for 256 ms (event A3). They stay attached wherever they are.
 *
 * The server is a host behind the packet gateway, 10 ms and 1 Gbit/s away. What it sends to users
 * whose IP interfaces are down, as those of crashed nodes are, ends at the gateway.
 *
 * Loss and failures act on what users and server receive (DpdlReceiveGate). A DpdlAirBytes on the
 * server counts transport blocks.
 */
class DpdlLteNetwork
{
  public:
    /// Most users of one network, by the number of sounding signals that a station tells apart.
    static constexpr uint32_t MOST_USERS = 319;

    /**
     * @brief Sets defaults of ns-3's LTE: buffers that hold models, and what saves processor time.
     *
     * The modulation follows from Shannon's bound with a gap (LteAmc::AmcModel = PiroEW2010), and
     * control channels are error-free. A program that lets its user set attributes calls this
     * first.
     */
    static void SetDefaults();

    /**
     * @brief Places the stations, 10 m high.
     * @param low corner of the area, by default (0, 0)
     * @param high opposite corner, by default (800, 800)
     * @param stations 1: in the middle; 3: at a triangle's corners
     * @throws dpdl::UsageError for other numbers
     */
    void PlaceStations(const Vector& low, const Vector& high, uint32_t stations);

    /// @param blocks of 180 kHz each way: 6, 15, 25 (default), 50, 75 or 100
    void SetBandwidth(uint16_t blocks);

    /**
     * @param station power of stations, by default 30 dBm
     * @param user largest power of users, by default 23 dBm
     */
    void SetTxPower(double station, double user);

    /**
     * @brief Lets stations fail that are within a circle of `region ... down`.
     *
     * A station that is down sends nothing, and nothing gets through it. Its users are handed over
     * to another one if there is one.
     * @param events of a run; those of other kinds are ignored
     * @throws dpdl::UsageError for a random circle that holds a station
     */
    void Follow(const std::vector<::dpdl::FailureEvent>& events);

    /**
     * @brief Gives server and users devices and stacks, and attaches the users.
     *
     * All random numbers get fixed streams: the same seed and run give the same frames.
     * @param server without devices or stack
     * @param users with mobility and without devices or stacks, at most MOST_USERS
     * @throws dpdl::UsageError if there are too many
     */
    void Install(Ptr<Node> server, const NodeContainer& users) const;

  private:
    /// A time at which a station is down.
    struct Outage
    {
        uint32_t station{0}; //!< which one
        double begin{0.0};   //!< s
        double end{0.0};     //!< s; may be infinite
    };

    NodeContainer Sites() const;
    void SetUp(const NetDeviceContainer& stations, const NetDeviceContainer& users) const;
    void ScheduleOutages(const NetDeviceContainer& stations) const;

    std::vector<Vector> m_places{{400.0, 400.0, 10.0}}; //!< of the stations
    uint16_t m_blocks{25};                              //!< see SetBandwidth()
    double m_stationPower{30.0};                        //!< see SetTxPower()
    double m_userPower{23.0};                           //!< see SetTxPower()
    std::vector<Outage> m_outages;                      //!< see Follow()
};

} // namespace ns3

#endif // DPDL_LTE_NETWORK_H
