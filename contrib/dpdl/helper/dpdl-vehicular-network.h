// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_VEHICULAR_NETWORK_H
#define DPDL_VEHICULAR_NETWORK_H

#include "dpdl-node-state.h"
#include "dpdl/base/types.h"
#include "dpdl/network/movement-file.h"

#include "ns3/channel-condition-model.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Network of nodes with IEEE 802.11p radios and IPv4.
 *
 * @code
 * DpdlVehicularNetwork network;
 * network.SetTxPower(23.0);
 * network.Install(nodes);
 * network.FollowPresence(movement.Presence());
 * @endcode
 *
 * 802.11p is modelled as OFDM of 10 MHz at 5.86 GHz (channel 172), 6 Mbit/s for every frame, in ad
 * hoc mode without QoS. Frames and timing are those of the standard's OCB mode, except for the
 * BSSID. Nodes know each other's MAC addresses from the start.
 *
 * **Without buildings** the mean path loss is 47.9 dB at 1 m with path loss exponent 2.7. Fading
 * follows Nakagami's distribution (ns-3's defaults: m = 1.5 up to 80 m, 0.75 beyond, stronger
 * fading than Rayleigh's). With a transmission power of 20 dBm, about half of the frames are
 * received at 250 m if no other node sends.
 *
 * **With buildings** the mean path loss is that of 3GPP TR 37.885, table 6.2.1-1, for urban
 * streets, with and without line of sight (ns-3's ThreeGppV2vUrbanPropagationLossModel and
 * DpdlBuildingConditionModel, updated every 100 ms). It includes log-normal shadowing with standard
 * deviations of 3 dB and 4 dB, and correlation distances of 10 m and 13 m. Nakagami's m is 3 up to
 * 50 m, 1.5 up to 150 m and 1 beyond (after Taliwal et al., VANET 2004).
 *
 * A signal with mean power below -104 dBm is removed (DpdlCutoffLossModel): with 23 dBm, that of a
 * sender more than 850 m away. A signal that is below the thermal noise of -97 dBm after fading
 * does not interfere with other frames.
 *
 * A DpdlFrameCounter on the first node counts received, collided and faded frames.
 */
class DpdlVehicularNetwork
{
  public:
    /**
     * @brief Airtime of a frame (IEEE 802.11-2016, 17.4.3): 40 us for preamble and SIGNAL field,
     *        then symbols of 8 us and 48 bits. The symbols contain 16 bits of SERVICE, the frame,
     *        and 6 tail bits.
     * @param bytes size of the frame, with MAC header and checksum
     */
    static Time AirtimeOf(uint32_t bytes);

    /// Sets the transmission power of all radios.
    /// @param dBm power in dBm, -20 to 33; by default 23
    /// @throws dpdl::UsageError if @p dBm is out of range
    void SetTxPower(double dBm)
    {
        m_txPower = RequireDpdlPower(dBm, MOST_DPDL_POWER);
    }

    /// Sets the buildings that block the line of sight, by default none; call this before
    /// Install().
    /// @param buildings boxes, in metres
    void SetBuildings(const std::vector<::dpdl::Building>& buildings)
    {
        m_buildings = buildings;
    }

    /**
     * @brief Installs radios and stacks on the nodes, and adds the buildings to ns-3's
     * BuildingList.
     *
     * This method assigns fixed random streams: the same seed and run give the same frames.
     * @param nodes nodes with a MobilityModel and without devices or stacks, at most 65000
     * @return the 802.11p devices, by node
     */
    NetDeviceContainer Install(const NodeContainer& nodes);

    /**
     * @brief Switches radios off while their nodes are absent; call this after Install().
     * @param presence intervals in s in which a node is present, by node number; nodes beyond the
     *        end of the vector are always present
     */
    void FollowPresence(const std::vector<::dpdl::Presence>& presence) const;

  private:
    NetDeviceContainer InstallRadios(const NodeContainer& nodes) const;
    void InstallStacks(const NodeContainer& nodes) const;
    void CountFrames(const NodeContainer& nodes) const;

    double m_txPower{23.0};                    //!< transmission power of all radios, dBm
    std::vector<::dpdl::Building> m_buildings; //!< buildings that block the line of sight
    Ptr<ChannelConditionModel> m_sight;        //!< line-of-sight model; empty without buildings
    NetDeviceContainer m_devices;              //!< the radios, by node
};

} // namespace ns3

#endif // DPDL_VEHICULAR_NETWORK_H
