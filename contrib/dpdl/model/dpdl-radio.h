// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_RADIO_H
#define DPDL_RADIO_H

#include "ns3/data-rate.h"
#include "ns3/energy-source.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/simple-device-energy-model.h"
#include "ns3/traced-callback.h"

#include <array>
#include <string>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Model of a node's radio: its pacing rate, its slots, and the energy it uses.
 *
 * Aggregate one to a node. DpdlUdpTransport then uses its rate and slots for pacing, and DpdlHelper
 * writes its measurements into the trace. The program that builds the network must call Switch() at
 * each change of state of the simulated device; DpdlLrWpanNetwork does so for IEEE 802.15.4.
 *
 * The energy in J is the sum over the states of voltage in V x current in A x time in s spent with
 * power in the state since construction. The default currents are those of the CC2420 (Texas
 * Instruments, data sheet SWRS041): 18.8 mA to receive or to listen, 17.4 mA to send at 0 dBm, 20
 * uA in power-down. That radio runs from 2.1 V to 3.6 V; the default is 3 V.
 *
 * Power fails only if an energy source (DpdlRadioEnergyModel) or the program (SetPowered()) reports
 * it. DpdlHelper then lets the node crash, with its state kept, until power returns.
 */
class DpdlRadio : public Object
{
  public:
    /// States of a radio.
    enum class State
    {
        OFF,       ///< the radio sleeps
        LISTENING, ///< the radio is on, but receives no frame
        RECEIVING, ///< the radio receives a frame, addressed to this node or to another
        SENDING,   ///< the transmitter is on
    };
    static constexpr std::size_t STATES = 4; ///< number of states

    /// Counts of a radio's frames since its construction.
    struct Frames
    {
        uint64_t sent{0}; ///< number of frames sent, retransmissions and acknowledgements included
        /// Number of frames given up: never acknowledged, or the channel was never free.
        uint64_t givenUp{0};
        uint64_t fragments{0}; ///< number of 6LoWPAN fragments sent, without retransmissions
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// The name of a state in the trace.
    static std::string NameOf(State state);

    /// Sets the state of the radio from now on.
    void Switch(State state);

    /// Time spent in a state up to now, with and without power.
    Time TimeIn(State state) const;

    /// Energy used in a state up to now, in joule; no energy is used without power.
    double JouleIn(State state) const;

    /// Current drawn now, in ampere.
    double Current() const
    {
        return m_isPowered ? CurrentOf(m_state) : 0.0;
    }

    /// Records loss or return of power.
    /// @param isPowered true: the node has power from now on
    void SetPowered(bool isPowered);

    /// True if the node has power; initially true.
    bool IsPowered() const
    {
        return m_isPowered;
    }

    /**
     * TracedCallback signature of a radio that is about to change its state or its power.
     */
    typedef void (*BeforeChangeCallback)();

    /**
     * TracedCallback signature of a node that has lost or regained power.
     * @param isPowered true: the node has regained power; false: it has lost power
     */
    typedef void (*PoweredCallback)(bool isPowered);

    /// Counters of frames. The code that connects to the device's trace sources increments them.
    Frames& Count()
    {
        return m_frames;
    }

    /// Data rate at which the node may send; 0: unknown.
    DataRate PacingRate() const
    {
        return m_pacingRate;
    }

    /// Time from one slot of the node to its next slot; 0: no slots. Periods are counted from time
    /// 0.
    Time SlotPeriod() const
    {
        return m_slotPeriod;
    }

    /// Time from the beginning of each period to the start of the node's slot.
    Time SlotStart() const
    {
        return m_slotStart;
    }

    /// Time from the beginning of each period to the end of the node's slot, by which the node must
    /// have finished sending.
    Time SlotEnd() const
    {
        return m_slotEnd;
    }

  protected:
    /// Starts to count time and energy; called by ns-3 when the attributes are set.
    void NotifyConstructionCompleted() override;

  private:
    double CurrentOf(State state) const;
    void Settle();

    DataRate m_pacingRate;       //!< data rate at which the node may send; 0: unknown
    Time m_slotPeriod;           //!< time from one slot of the node to its next; 0: no slots
    Time m_slotStart;            //!< start of the slot, as a time from the beginning of each period
    Time m_slotEnd;              //!< end of the slot, as a time from the beginning of each period
    double m_voltage{0.0};       //!< supply voltage, V
    double m_offCurrent{0.0};    //!< current in state OFF, A
    double m_listenCurrent{0.0}; //!< current in state LISTENING, A
    double m_receiveCurrent{0.0};    //!< current in state RECEIVING, A
    double m_sendCurrent{0.0};       //!< current in state SENDING, A
    State m_state{State::OFF};       //!< current state
    Time m_since;                    //!< time of the last change of state or power
    std::array<Time, STATES> m_past; //!< time in each state before m_since, by state
    std::array<Time, STATES> m_dead; //!< part of m_past without power, by state
    bool m_isPowered{true};          //!< true while the node has power
    Frames m_frames;                 //!< counts of frames since construction

    TracedCallback<> m_beforeChangeTrace; //!< fires before a change of state or power
    TracedCallback<bool> m_poweredTrace;  //!< fires when power is lost or regained
};

/// Up to ns-3.41 the classes of module energy are in namespace ns3, later in ns3::energy. With this
/// declaration, ns3::energy is a valid prefix in all versions.
namespace energy
{
using namespace ::ns3;
}

/**
 * @ingroup dpdl
 *
 * @brief Connects a node's DpdlRadio to an energy source of ns-3's module energy.
 *
 * DpdlHelper creates one for every node with a DpdlRadio and an energy source. The node loses power
 * when the source reports depletion, and regains it when the source reports recharging. The source
 * defines the levels of depletion and recharging; those of BasicEnergySource are 10 % and 15 % of
 * its initial energy. The energy taken from the source depends on the source's voltage, the energy
 * in the trace on attribute Voltage of DpdlRadio. Both voltages are 3 V by default.
 */
class DpdlRadioEnergyModel : public energy::SimpleDeviceEnergyModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Connects a radio to a source from now on; call this once.
     * @param radio radio of a node
     * @param source energy source of the same node
     */
    void Connect(Ptr<DpdlRadio> radio, Ptr<energy::EnergySource> source);

    /// Energy used by the radio in all states, in joule.
    double GetTotalEnergyConsumption() const override;
    void HandleEnergyDepletion() override;
    void HandleEnergyRecharged() override;

  private:
    double DoGetCurrentA() const override
    {
        return m_radio->Current();
    }

    Ptr<DpdlRadio> m_radio; //!< radio that consumes the energy
};

} // namespace ns3

#endif // DPDL_RADIO_H
