// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_CUTOFF_LOSS_MODEL_H
#define DPDL_CUTOFF_LOSS_MODEL_H

#include "ns3/channel-condition-model.h"
#include "ns3/nstime.h"
#include "ns3/propagation-loss-model.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Applies fading to signals with a mean power of at least a floor, and removes weaker
 *        signals.
 *
 * Put this model last in a chain of propagation loss models: the preceding models give the mean
 * power at a receiver. At or above Floor the Fading model is applied to that power. Below Floor the
 * power becomes VANISHED, which no radio detects, and no random number is drawn. ns-3's
 * YansWifiChannel hands every frame to every radio, so without a floor most of the run time would
 * be spent on the fading of signals that are too weak to matter.
 *
 * A removed signal does not interfere with other frames either. The default Floor is 7 dB below
 * the thermal noise of 10 MHz with a noise figure of 7 dB: one such signal would add less than
 * 0.8 dB to the noise.
 *
 * Mean powers above STRONGEST are reduced to STRONGEST before fading: at a distance of 0 some
 * models give infinity.
 */
class DpdlCutoffLossModel : public PropagationLossModel
{
  public:
    static constexpr double VANISHED = -1000.0; ///< power of a removed signal, dBm
    static constexpr double STRONGEST = 30.0; ///< upper limit of the mean power before fading, dBm

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// Sets the fading.
    /// @param fading applied at or above Floor; empty: the power is unchanged
    void SetFading(Ptr<PropagationLossModel> fading)
    {
        m_fading = fading;
    }

  private:
    double DoCalcRxPower(double meanDbm,
                         Ptr<MobilityModel> sender,
                         Ptr<MobilityModel> receiver) const override;

    int64_t DoAssignStreams(int64_t stream) override
    {
        return m_fading ? m_fading->AssignStreams(stream) : 0;
    }

    double m_floor{0.0};                //!< mean power below which a signal is removed, dBm
    Ptr<PropagationLossModel> m_fading; //!< fading applied at or above Floor; empty: none
};

/**
 * @ingroup dpdl
 *
 * @brief Channel condition LOS, or NLOS if a building of ns-3 is between the two nodes.
 *
 * The condition follows the state table of 3GPP TR 37.885 for urban streets without NLOSv: vehicles
 * do not block each other. NLOSv is random and models traffic denser than a few vehicles per road.
 * ns-3's BuildingsChannelConditionModel gives the same conditions, but tests all buildings at each
 * call. This model caches the condition between two nodes for UpdatePeriod. Set UpdatePeriod if
 * nodes move: by default the cache never expires.
 */
class DpdlBuildingConditionModel : public ChannelConditionModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    DpdlBuildingConditionModel();

    Ptr<ChannelCondition> GetChannelCondition(Ptr<const MobilityModel> a,
                                              Ptr<const MobilityModel> b) const override;

    int64_t AssignStreams(int64_t stream) override;

  private:
    /// Result of the last line-of-sight test of a pair of nodes.
    struct Look
    {
        /// Last time at which the test is valid, in ns-3's time steps; -1: never tested.
        int64_t until{-1};
        bool isSeen{false}; //!< true: the pair had a line of sight
    };

    Time m_updatePeriod; //!< time for which a test is valid; 0: until the simulation ends
    /// Cached results, by pair of node ids: ids a >= b have index a (a + 1) / 2 + b.
    mutable std::vector<Look> m_looks;
    Ptr<ChannelCondition> m_seen;   //!< condition of pairs with a line of sight
    Ptr<ChannelCondition> m_hidden; //!< condition of pairs without a line of sight
};

} // namespace ns3

#endif // DPDL_CUTOFF_LOSS_MODEL_H
