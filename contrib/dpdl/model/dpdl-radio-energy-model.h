// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_RADIO_ENERGY_MODEL_H
#define DPDL_RADIO_ENERGY_MODEL_H

#include "dpdl-radio.h"

#include "ns3/device-energy-model.h"
#include "ns3/energy-source.h"

namespace ns3
{

/// Up to ns-3.41 the classes of module energy are in namespace ns3; this makes both names valid.
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
 * defines these limits: BasicEnergySource uses 10 % and 15 % of its initial energy. The source's
 * voltage determines the energy that it loses; the radio's attribute Voltage, the energy in the
 * trace. Both are 3 V by default.
 */
class DpdlRadioEnergyModel : public energy::DeviceEnergyModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Connects a radio to a source from now on; call this once.
     * @param radio of a node
     * @param source of the same node
     */
    void Connect(Ptr<DpdlRadio> radio, Ptr<energy::EnergySource> source);

    void SetEnergySource(Ptr<energy::EnergySource> source) override;
    /// Energy used by the radio in all states, in joule.
    double GetTotalEnergyConsumption() const override;
    /// Does nothing: the radio tracks its state itself.
    void ChangeState(int newState) override;
    void HandleEnergyDepletion() override;
    void HandleEnergyRecharged() override;
    void HandleEnergyChanged() override;

  protected:
    void DoDispose() override;

  private:
    double DoGetCurrentA() const override;
    void UpdateSource();

    Ptr<DpdlRadio> m_radio;             //!< consumer
    Ptr<energy::EnergySource> m_source; //!< supply
};

} // namespace ns3

#endif // DPDL_RADIO_ENERGY_MODEL_H
