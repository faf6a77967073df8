// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_RADIO_ENERGY_MODEL_H
#define DPDL_RADIO_ENERGY_MODEL_H

#include "dpdl-radio.h"

#include "ns3/device-energy-model.h"
#include "ns3/energy-source.h"

namespace ns3
{

/// Up to ns-3.41 the classes of the module energy are in ns3 itself; here both are found.
namespace energy
{
using namespace ::ns3;
}

/**
 * @ingroup dpdl
 *
 * @brief Lets a node's DpdlRadio draw its current from a source of ns-3's module energy.
 *
 * DpdlHelper makes one for every node with a DpdlRadio and an energy source. When the source says
 * that it is depleted the node loses power, and has it again when the source says recharged. Where
 * these limits are is the source's matter: BasicEnergySource has them at 10 % and 15 % of what it
 * held at first. The source's voltage counts for what it loses, the radio's attribute Voltage for
 * what the trace shows; both are 3 V by default.
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
     * @brief Lets a radio draw from a source from now on; once.
     * @param radio of a node
     * @param source of the same node
     */
    void Connect(Ptr<DpdlRadio> radio, Ptr<energy::EnergySource> source);

    void SetEnergySource(Ptr<energy::EnergySource> source) override;
    /// Energy that the radio has used in all states, in joule.
    double GetTotalEnergyConsumption() const override;
    /// Does nothing: the radio itself knows its state.
    void ChangeState(int newState) override;
    void HandleEnergyDepletion() override;
    void HandleEnergyRecharged() override;
    void HandleEnergyChanged() override;

  protected:
    void DoDispose() override;

  private:
    double DoGetCurrentA() const override;
    void UpdateSource();

    Ptr<DpdlRadio> m_radio;             //!< what draws
    Ptr<energy::EnergySource> m_source; //!< what it draws from
};

} // namespace ns3

#endif // DPDL_RADIO_ENERGY_MODEL_H
