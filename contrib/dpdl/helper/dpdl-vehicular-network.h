// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_VEHICULAR_NETWORK_H
#define DPDL_VEHICULAR_NETWORK_H

#include "dpdl/base/position.h"
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
 * @brief Nodes that talk by IEEE 802.11p radios, with IPv4.
 *
 * @code
 * DpdlVehicularNetwork network;
 * network.SetTxPower(23.0);
 * network.Install(nodes);
 * network.FollowPresence(movement.Presence());
 * @endcode
 *
 * 802.11p here is OFDM of 10 MHz at 5.86 GHz (channel 172), 6 Mbit/s for every frame, in ad hoc
 * mode without QoS: frames and timing are those of the standard's OCB mode, which ns-3 had in its
 * module wave until 3.38, but for the BSSID. Nodes know each other's MAC addresses from the start.
 *
 * **Without buildings** the mean loss is 47.9 dB at 1 m and grows with the power 2.7 of the
 * distance; around it signals fade by Nakagami's distribution (ns-3's defaults: m = 1.5 up to 80 m,
 * 0.75 beyond, which is worse than Rayleigh). With 20 dBm about half of the frames are received at
 * 250 m, if no other node sends.
 *
 * **With buildings** the mean loss is that of 3GPP TR 37.885, table 6.2.1-1, for urban streets,
 * with and without line of sight (ns-3's ThreeGppV2vUrbanPropagationLossModel and
 * DpdlBuildingConditionModel, which looks every 100 ms). It includes log-normal shadowing of 3 dB
 * and 4 dB, which stays alike over 10 m and 13 m. Nakagami's m is 3 up to 50 m, 1.5 up to 150 m and
 * 1 beyond (after Taliwal et al., VANET 2004).
 *
 * A signal whose mean power is below -104 dBm vanishes (DpdlCutoffLossModel): with 23 dBm that of a
 * sender more than 850 m away. One that fading leaves below the noise of -97 dBm does not disturb
 * other frames.
 *
 * A DpdlFrameCounter on the first node counts what becomes of the frames.
 */
class DpdlVehicularNetwork
{
  public:
    /**
     * @brief Airtime of a frame: preamble and SIGNAL field, then symbols of 8 us and
     *        48 bits, which also hold 16 bits of SERVICE and 6 of tail (IEEE 802.11-2016, 17.4.3).
     * @param bytes of the frame, with MAC header and check sum
     */
    static Time AirtimeOf(uint32_t bytes);

    /// @param dBm power that all radios send with; by default 23
    void SetTxPower(double dBm);

    /// @param buildings that shadow; by default there are none
    void SetBuildings(const std::vector<::dpdl::Building>& buildings);

    /**
     * @brief Gives the nodes radios and stacks, and adds the buildings to ns-3's BuildingList.
     *
     * All random numbers get fixed streams: the same seed and run give the same frames.
     * @param nodes with mobility and without devices or stacks, at most 65000
     * @return the radios
     */
    NetDeviceContainer Install(const NodeContainer& nodes);

    /**
     * @brief Switches radios off while their nodes are not there.
     * @param presence of the first nodes, by number; the others are there all the time
     */
    void FollowPresence(const std::vector<::dpdl::Presence>& presence) const;

  private:
    NetDeviceContainer InstallRadios(const NodeContainer& nodes) const;
    void InstallStacks(const NodeContainer& nodes) const;
    void CountFrames(const NodeContainer& nodes) const;

    double m_txPower{23.0};                    //!< see SetTxPower()
    std::vector<::dpdl::Building> m_buildings; //!< see SetBuildings()
    Ptr<ChannelConditionModel> m_sight;        //!< who sees whom; empty without buildings
    NetDeviceContainer m_devices;              //!< the radios, by node
};

} // namespace ns3

#endif // DPDL_VEHICULAR_NETWORK_H
