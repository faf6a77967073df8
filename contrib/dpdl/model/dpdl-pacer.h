// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PACER_H
#define DPDL_PACER_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Measures how far ahead of a device its datagrams are.
 *
 * A device without a rate sends whatever it is given at once. A device with slots is given
 * datagrams in its slots only, and none that it would not have sent by the slot's end.
 */
class DpdlPacer
{
  public:
    /// @param rate of the device from now on; 0: unknown
    void SetRate(DataRate rate);

    /// @param bytes that lower layers add to a datagram
    void SetOverhead(uint32_t bytes);

    /**
     * @brief The device may send in one part of every period, from the simulation's begin on.
     * @param period from one slot to the next; 0: it may always send
     * @param start of the slot, from the begin of the period
     * @param end of the slot, likewise
     */
    void SetSlot(Time period, Time start, Time end);

    /**
     * @brief Time that the device needs to send.
     * @param datagrams number of datagrams
     * @param bytes of each, without the overhead
     * @return the time; zero if the rate is unknown
     */
    Time TimeOf(uint32_t datagrams, uint32_t bytes) const;

    /**
     * @brief Checks that the device may receive another datagram now.
     * @param ahead it gets none while it has as much left to send; no limit if its rate is unknown
     * @param bytes of the datagram, without the overhead
     */
    bool MaySend(Time ahead, uint32_t bytes) const;

    /// The device is given a datagram. @param bytes of it, without the overhead
    void Add(uint32_t bytes);

    /// Time until the device has sent all that it was given.
    Time Backlog() const;

    /**
     * @brief Makes sure that a datagram can be sent at all.
     * @param bytes of it, without the overhead
     * @throws dpdl::UsageError if it takes longer than a slot
     */
    void RequireFit(uint32_t bytes) const;

    /**
     * @brief When to ask again after MaySend() said no.
     * @param left the device has only so much left to send then
     * @param bytes of the datagram, without the overhead
     */
    Time WaitFor(Time left, uint32_t bytes) const;

  private:
    bool Fits(Time at, uint32_t bytes) const;

    Time m_period;             //!< see SetSlot()
    Time m_start;              //!< see SetSlot()
    Time m_end;                //!< see SetSlot()
    DataRate m_rate{0};        //!< see SetRate()
    uint32_t m_overhead{0};    //!< see SetOverhead()
    uint32_t m_pricedBytes{0}; //!< of the datagram that m_price is for; 0: none
    Time m_price;              //!< time that it takes at the rate
    Time m_sentUntil;          //!< when the device has sent what it was given
};

} // namespace ns3

#endif // DPDL_PACER_H
