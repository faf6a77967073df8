// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_MESSAGE_TRANSPORT_H
#define DPDL_MESSAGE_TRANSPORT_H

#include "dpdl-transport.h"
#include "dpdl/base/random.h"

#include "ns3/data-rate.h"
#include "ns3/random-variable-stream.h"

#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief One event for each message: serialisation, queue, latency and loss of directed links.
 *
 * Every pair (source, target) that is used is a link of its own, with an unbounded first-in,
 * first-out queue. A message occupies its link for size / DataRate, then travels for Delay, and is
 * dropped with probability DropProbability. A dropped message has occupied its link all the same.
 *
 * Which messages are dropped depends on the stream, source, target and round only, so that two runs
 * that differ in something else lose the same ones.
 */
class DpdlMessageTransport : public DpdlTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DpdlMessageTransport();

    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    void DoSend(const ::dpdl::Share& share, Ptr<Packet> packet) override;

    /**
     * @brief Draws whether the link drops a message.
     * @param share the message
     * @return true if it is lost
     */
    bool IsDropped(const ::dpdl::Share& share);

    DataRate m_dataRate;                            //!< of every link
    Time m_delay;                                   //!< of every link
    double m_dropProbability{0.0};                  //!< of every link
    Ptr<UniformRandomVariable> m_random;            //!< gives the seed of the drops
    bool m_seeded{false};                           //!< whether m_seed has been drawn
    ::dpdl::RandomSeed m_seed;                      //!< seed of the drops
    std::unordered_map<uint64_t, Time> m_busyUntil; //!< end of the last serialisation, by link
};

} // namespace ns3

#endif // DPDL_MESSAGE_TRANSPORT_H
