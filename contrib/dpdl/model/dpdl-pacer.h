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
 * @brief Paces datagrams: estimates how long a device takes to send its queue, and decides when the
 *        device gets the next datagram.
 *
 * A device without a known rate gets all datagrams at once. A device with slots gets a datagram
 * only if it can send the datagram within a slot.
 */
class DpdlPacer
{
  public:
    /// Sets the device's data rate.
    /// @param rate data rate from now on; 0: unknown
    void SetRate(DataRate rate);

    /// Sets the overhead.
    /// @param bytes bytes of headers that lower layers add to a datagram
    void SetOverhead(uint32_t bytes)
    {
        m_overhead = bytes;
    }

    /**
     * @brief Limits sending to one slot in each period; periods are counted from time 0.
     * @param period time from one slot to the next; 0: no slots
     * @param start start of the slot, as a time from the beginning of the period
     * @param end end of the slot, as a time from the beginning of the period
     */
    void SetSlot(Time period, Time start, Time end);

    /**
     * @brief Transmission time of datagrams.
     * @param datagrams number of datagrams
     * @param bytes size of each datagram, without the overhead
     * @return the time; zero if the rate is unknown
     */
    Time TimeOf(uint32_t datagrams, uint32_t bytes) const;

    /**
     * @brief True if the device may get another datagram now: its backlog is small enough, and the
     *        datagram fits into the current slot.
     * @param ahead Backlog() must be less than this time; ignored if the rate is unknown
     * @param bytes size of the datagram, without the overhead
     */
    bool MaySend(Time ahead, uint32_t bytes) const;

    /// Records that the device got a datagram.
    /// @param bytes size of the datagram, without the overhead
    void Add(uint32_t bytes);

    /// Estimated time until the device has sent all datagrams added so far; zero if the rate is
    /// unknown.
    Time Backlog() const;

    /**
     * @brief Checks that a slot is long enough for a datagram.
     * @param bytes size of the datagram, without the overhead
     * @throws dpdl::UsageError if its transmission takes longer than a slot
     */
    void RequireFit(uint32_t bytes) const;

    /**
     * @brief Time to wait after MaySend() returned false: until the next slot begins if the
     *        datagram does not fit into the current one, else until Backlog() has fallen to @p
     *        left.
     * @param left backlog at which the wait ends, not more than argument ahead of MaySend()
     * @param bytes size of the datagram, without the overhead
     */
    Time WaitFor(Time left, uint32_t bytes) const;

  private:
    bool Fits(Time at, uint32_t bytes) const;

    Time m_period;             //!< time from one slot to the next; 0: no slots
    Time m_start;              //!< start of the slot, as a time from the beginning of the period
    Time m_end;                //!< end of the slot, as a time from the beginning of the period
    DataRate m_rate{0};        //!< data rate of the device; 0: unknown
    uint32_t m_overhead{0};    //!< bytes that lower layers add to a datagram
    uint32_t m_pricedBytes{0}; //!< datagram size to which m_price belongs, in bytes; 0: none
    Time m_price;     //!< transmission time of a datagram of m_pricedBytes bytes and the overhead
    Time m_sentUntil; //!< estimated time at which the device has sent all datagrams added so far
};

} // namespace ns3

#endif // DPDL_PACER_H
