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
 * @brief Two nodes see each other unless a building of ns-3 stands between them.
 *
 * The condition is LOS or NLOS as in the state table of 3GPP TR 37.885 for urban streets, but
 * vehicles never block each other (its state NLOSv): that one is drawn at random, and belongs to
 * traffic denser than a few vehicles on each road. ns-3's BuildingsChannelConditionModel decides
 * alike, but looks through all buildings at each call. Here a pair keeps its condition for the
 * UpdatePeriod. Set it where nodes move: its default is never to look again.
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
        int64_t until{-1};  //!< last time step for which it holds; -1: never looked
        bool isSeen{false}; //!< whether they see each other
    };

    Time m_updatePeriod;               //!< how long a look holds; 0: to the end
    mutable std::vector<Look> m_looks; //!< by pair of node numbers, the larger one first
    Ptr<ChannelCondition> m_seen;      //!< of pairs that see each other
    Ptr<ChannelCondition> m_hidden;    //!< of the others
};

} // namespace ns3

#endif // DPDL_BUILDING_CONDITION_MODEL_H
