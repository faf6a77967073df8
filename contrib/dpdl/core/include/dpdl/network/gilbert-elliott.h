// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_GILBERT_ELLIOTT_H
#define DPDL_NETWORK_GILBERT_ELLIOTT_H

#include <string>

namespace dpdl
{

/**
 * @brief Gilbert-Elliott model of bursty loss: a link is good or bad, and may change its state at
 * every packet.
 *
 * Gilbert (1960) and Elliott (1963). A link is initially good. The caller stores the state of each
 * link and uses both probabilities at each packet. In message mode the state changes before the
 * loss is drawn, in packet mode after it.
 */
struct GilbertElliott
{
    double toBad{0.0};    ///< p: probability that a good link turns bad, per packet, [0, 1]
    double toGood{1.0};   ///< r: probability that a bad link turns good, per packet, (0, 1]
    double lossBad{1.0};  ///< probability of loss while bad, [0, 1]
    double lossGood{0.0}; ///< probability of loss while good, [0, 1]

    /// Probability that a link changes its state at a packet. @param isBad its state
    double Change(bool isBad) const
    {
        return isBad ? toGood : toBad;
    }

    /// Probability that a packet is lost. @param isBad state of its link
    double Loss(bool isBad) const
    {
        return isBad ? lossBad : lossGood;
    }

    /// True if every burst ends.
    bool Ends() const
    {
        return toGood > 0.0;
    }

    /// Stationary loss probability.
    double LongRunLoss() const;

    /// Formats it for the failure language: p=0.02 r=0.3 bad=0.9 good=0.
    std::string Clauses() const;
};

} // namespace dpdl

#endif // DPDL_NETWORK_GILBERT_ELLIOTT_H
