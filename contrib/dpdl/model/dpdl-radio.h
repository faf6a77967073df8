// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_RADIO_H
#define DPDL_RADIO_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <array>
#include <string>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Model of a node's radio: how fast and when it may send, and the energy that it uses.
 *
 * Aggregate one to a node. DpdlUdpTransport then paces what it sends on that node by it, and
 * DpdlHelper writes what it measured into the trace. The builder of the network gives it what the
 * real device does; DpdlLrWpanNetwork does so for IEEE 802.15.4.
 *
 * Energy is current of each state, times voltage, times seconds, from the object's construction on.
 * The currents are by default those of the CC2420 (Texas Instruments, data sheet SWRS041): 18.8 mA
 * to receive or to listen, 17.4 mA to send at 0 dBm, 20 uA in power-down. That radio runs from
 * 2.1 V to 3.6 V; the default is 3 V.
 *
 * Power never fails, unless an energy source says so (DpdlRadioEnergyModel) or the program does
 * (SetPowered()). DpdlHelper makes such a node crash, with its state, until power is back.
 */
class DpdlRadio : public Object
{
  public:
    /// States of a radio.
    enum class State
    {
        OFF,       ///< sleeps
        LISTENING, ///< is on, and hears no frame that it could receive
        RECEIVING, ///< receives a frame, for this node or another
        SENDING,   ///< its transmitter is on
    };
    static constexpr std::size_t STATES = 4; ///< how many there are

    /// Frames of a radio since its construction.
    struct Frames
    {
        uint64_t sent{0};      ///< on the air, with repeats and acknowledgements
        uint64_t givenUp{0};   ///< that were not acknowledged, or never found the channel free
        uint64_t fragments{0}; ///< that datagrams were cut into, each counted once
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// The name of a state in the trace.
    static std::string NameOf(State state);

    /// The radio is in that state from now on.
    void Switch(State state);

    /// Time that the radio has spent in a state up to now.
    Time TimeIn(State state) const;

    /// Energy that the radio has used in a state up to now, in joule; none without power.
    double JouleIn(State state) const;

    /// Current that the radio takes now, in ampere.
    double Current() const;

    /// The node has power from now on, or has none.
    void SetPowered(bool isPowered);

    /// True while the node has power; true at first.
    bool IsPowered() const
    {
        return m_isPowered;
    }

    /**
     * TracedCallback signature of a radio that is about to change its state or its power.
     */
    typedef void (*BeforeChangeCallback)();

    /**
     * TracedCallback signature of a node that has lost power, or has it again.
     * @param isPowered which of both
     */
    typedef void (*PoweredCallback)(bool isPowered);

    /// The counters of frames, for the code that sees them to add to.
    Frames& Count()
    {
        return m_frames;
    }

    /// Rate at which the node may send; 0: unknown.
    DataRate PacingRate() const
    {
        return m_pacingRate;
    }

    /// From one slot of the node to its next, counted from the simulation's begin; 0: no slots.
    Time SlotPeriod() const
    {
        return m_slotPeriod;
    }

    /// When in each period the node may begin to send.
    Time SlotStart() const
    {
        return m_slotStart;
    }

    /// When in each period the node has to be through.
    Time SlotEnd() const
    {
        return m_slotEnd;
    }

  protected:
    /// Counts energy from now on.
    void NotifyConstructionCompleted() override;

  private:
    double CurrentOf(State state) const;
    void Settle();

    DataRate m_pacingRate;           //!< see PacingRate()
    Time m_slotPeriod;               //!< see SlotPeriod()
    Time m_slotStart;                //!< see SlotStart()
    Time m_slotEnd;                  //!< see SlotEnd()
    double m_voltage{0.0};           //!< volt
    double m_offCurrent{0.0};        //!< ampere
    double m_listenCurrent{0.0};     //!< ampere
    double m_receiveCurrent{0.0};    //!< ampere
    double m_sendCurrent{0.0};       //!< ampere
    State m_state{State::OFF};       //!< since m_since
    Time m_since;                    //!< when the radio came into m_state
    std::array<Time, STATES> m_past; //!< in each state, before m_since
    std::array<Time, STATES> m_dead; //!< the part of it without power
    bool m_isPowered{true};          //!< see IsPowered()
    Frames m_frames;                 //!< see Count()

    TracedCallback<> m_beforeChangeTrace; //!< the radio is about to change
    TracedCallback<bool> m_poweredTrace;  //!< power has gone, or is back
};

} // namespace ns3

#endif // DPDL_RADIO_H
