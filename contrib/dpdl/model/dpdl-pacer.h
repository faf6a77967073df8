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
 * @brief Tells how far ahead of a device its datagrams are.
 *
 * A device without a rate sends whatever it is given at once.
 */
class DpdlPacer
{
  public:
    /// @param rate of the device from now on; 0: unknown
    void SetRate(DataRate rate);

    /// @param bytes that lower layers add to a datagram
    void SetOverhead(uint32_t bytes);

    /**
     * @brief How long the device sends.
     * @param datagrams how many
     * @param bytes of each, without the overhead
     * @return the time; zero if the rate is unknown
     */
    Time TimeOf(uint32_t datagrams, uint32_t bytes) const;

    /// True if the device has less than @p ahead left to send, or its rate is unknown.
    bool MaySend(Time ahead) const;

    /// The device is given a datagram. @param bytes of it, without the overhead
    void Add(uint32_t bytes);

    /// Time until the device has only @p left to send.
    Time WaitFor(Time left) const;

  private:
    DataRate m_rate{0};        //!< see SetRate()
    uint32_t m_overhead{0};    //!< see SetOverhead()
    uint32_t m_pricedBytes{0}; //!< of the datagram that m_price is for; 0: none
    Time m_price;              //!< time that it takes at the rate
    Time m_sentUntil;          //!< when the device has sent what it was given
};

} // namespace ns3

#endif // DPDL_PACER_H
