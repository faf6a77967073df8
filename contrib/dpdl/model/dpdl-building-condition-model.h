// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BUILDING_CONDITION_MODEL_H
#define DPDL_BUILDING_CONDITION_MODEL_H

#include "ns3/channel-condition-model.h"
#include "ns3/nstime.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Channel condition LOS, or NLOS if a building of ns-3 is between the two nodes.
 *
 * The condition follows the state table of 3GPP TR 37.885 for urban streets without NLOSv:
 * vehicles do not block each other. NLOSv is random and models traffic denser than a few vehicles
 * per road. ns-3's BuildingsChannelConditionModel decides alike, but tests all buildings at each
 * call. This model caches the condition of a pair for UpdatePeriod. Set UpdatePeriod if nodes
 * move: by default the cache never expires.
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

  protected:
    void DoDispose() override;

  private:
    /// Last line-of-sight test of a pair.
    struct Look
    {
        int64_t until{-1};  //!< last time step at which it is valid; -1: never tested
        bool isSeen{false}; //!< true: line of sight
    };

    Time m_updatePeriod;               //!< validity of a test; 0: until the simulation ends
    mutable std::vector<Look> m_looks; //!< by pair of node numbers, the larger one first
    Ptr<ChannelCondition> m_seen;      //!< condition of pairs with a line of sight
    Ptr<ChannelCondition> m_hidden;    //!< condition of the other pairs
};

} // namespace ns3

#endif // DPDL_BUILDING_CONDITION_MODEL_H
