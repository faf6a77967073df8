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
 * @brief Network of users in LTE cells, and a server behind the core network, with IPv4.
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
 * The network uses ns3::LteHelper: FDD, by default 25 resource blocks (5 MHz) in each direction,
 * one antenna per device, proportional fair scheduler, HARQ, RLC in unacknowledged mode (no
 * retransmissions above HARQ), ideal RRC (its messages take no radio resources). The mean path loss
 * is 128.1 + 37.6 log10(km) dB (3GPP TR 36.942, macro cell, urban area, 2 GHz), without shadowing
 * and fading. All stations use the same band. Users start at the nearest station. They are handed
 * over by X2 when another station is 3 dB stronger for 256 ms (event A3), and stay attached at any
 * distance.
 *
 * The server is a host behind the packet gateway, on a link of 10 ms and 1 Gbit/s. The gateway
 * drops packets for users whose IP interfaces are down, for example crashed nodes.
 *
 * Packet loss and failures act where users and server receive packets (DpdlReceiveGate). A
 * DpdlAirBytes on the server counts the bytes of transport blocks.
 */
class DpdlLteNetwork
{
  public:
    /// Largest number of users of one network, limited by the period of sounding reference signals.
    static constexpr uint32_t MOST_USERS = 319;

    /**
     * @brief Sets defaults of ns-3's LTE attributes: buffers that hold the parameters of a model,
     *        and simplifications that speed up the simulation.
     *
     * The modulation follows from Shannon's bound with a gap (LteAmc::AmcModel = PiroEW2010), and
     * control channels are error-free. Call this before attributes of the command line are read,
     * which then override these defaults.
     */
    static void SetDefaults();

    /**
     * @brief Places the stations, 10 m high; by default there is one at x = y = 400 m.
     * @param low corner of the area, in metres
     * @param high opposite corner of the area, in metres
     * @param stations 1: in the centre; 3: at a triangle's corners
     * @throws dpdl::UsageError if @p stations is neither 1 nor 3
     */
    void PlaceStations(const Vector& low, const Vector& high, uint32_t stations);

    /// Sets the bandwidth.
    /// @param blocks number of blocks of 180 kHz each way: 6, 15, 25 (default), 50, 75 or 100
    void SetBandwidth(uint16_t blocks)
    {
        m_blocks = blocks;
    }

    /**
     * @brief Sets transmission powers, in dBm.
     * @param station transmission power of stations, -20 to 60 dBm, by default 30 dBm
     * @param user maximum transmission power of users, -20 to 33 dBm, by default 23 dBm
     * @throws dpdl::UsageError if a power is out of range
     */
    void SetTxPower(double station, double user);

    /**
     * @brief Makes stations fail while a failure event `region ... down` lasts whose circle
     *        contains them.
     *
     * A station that is down neither sends nor forwards. Its users are handed over to another
     * station, if there is one.
     * @param events failure events of a run; all other events are ignored
     * @throws dpdl::UsageError for a random circle that contains a station
     */
    void Follow(const std::vector<::dpdl::FailureEvent>& events);

    /**
     * @brief Installs devices and stacks on server and users, and attaches the users.
     *
     * This method assigns fixed random streams: the same seed and run give the same frames.
     * @param server node without devices or stack
     * @param users nodes with a MobilityModel and without devices or stacks
     * @throws dpdl::UsageError if there are more than MOST_USERS users
     */
    void Install(Ptr<Node> server, const NodeContainer& users) const;

  private:
    /// A time interval in which a station is down.
    struct Outage
    {
        uint32_t station{0}; //!< index of the station in m_places
        double begin{0.0};   //!< start of the outage, simulated time in s
        double end{0.0};     //!< end of the outage, simulated time in s; infinite: permanent
    };

    NodeContainer Sites() const;
    void SetUp(const NetDeviceContainer& stations, const NetDeviceContainer& users) const;
    void ScheduleOutages(const NetDeviceContainer& stations) const;

    std::vector<Vector> m_places{{400.0, 400.0, 10.0}}; //!< positions of the stations, m
    uint16_t m_blocks{25};         //!< bandwidth each way, in blocks of 180 kHz
    double m_stationPower{30.0};   //!< transmission power of stations, dBm
    double m_userPower{23.0};      //!< maximum transmission power of users, dBm
    std::vector<Outage> m_outages; //!< times at which stations are down
};

} // namespace ns3

#endif // DPDL_LTE_NETWORK_H
