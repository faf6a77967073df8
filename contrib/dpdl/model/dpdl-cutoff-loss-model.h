// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_CUTOFF_LOSS_MODEL_H
#define DPDL_CUTOFF_LOSS_MODEL_H

#include "ns3/propagation-loss-model.h"

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Fades what is strong enough on average, and lets the rest vanish.
 *
 * Comes last in a chain of propagation loss models. What those before it leave is the mean power at
 * a receiver. At or above Floor that power passes through the Fading model; below Floor it becomes
 * VANISHED, which no radio notices, and no random number is drawn. ns-3's YansWifiChannel hands
 * every frame to every radio, so most of the work for a far receiver is the fading.
 *
 * A signal that is cut off does not disturb other frames either. With the default Floor, 7 dB below
 * the thermal noise of 10 MHz and a noise figure of 7 dB, one such signal would add less than 0.8
 * dB to the noise.
 *
 * Nothing arrives with more than STRONGEST: at a distance of 0 some models give infinity.
 */
class DpdlCutoffLossModel : public PropagationLossModel
{
  public:
    static constexpr double VANISHED = -1000.0; ///< dBm
    static constexpr double STRONGEST = 30.0;   ///< dBm

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @param fading of what is at or above Floor; without one it passes unchanged
    void SetFading(Ptr<PropagationLossModel> fading)
    {
        m_fading = fading;
    }

  protected:
    void DoDispose() override;

  private:
    double DoCalcRxPower(double meanDbm,
                         Ptr<MobilityModel> sender,
                         Ptr<MobilityModel> receiver) const override;
    int64_t DoAssignStreams(int64_t stream) override;

    double m_floor{0.0};                //!< dBm
    Ptr<PropagationLossModel> m_fading; //!< see SetFading()
};

} // namespace ns3

#endif // DPDL_CUTOFF_LOSS_MODEL_H
