// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BUILDING_CONDITION_MODEL_H
#define DPDL_BUILDING_CONDITION_MODEL_H

#include "ns3/channel-condition-model.h"

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
 * alike, but looks through all buildings at each call. Here the base class remembers the condition
 * of a pair for its UpdatePeriod. Set it where nodes move: its default is never to look again.
 */
class DpdlBuildingConditionModel : public ThreeGppChannelConditionModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    double ComputePlos(Ptr<const MobilityModel> a, Ptr<const MobilityModel> b) const override;
};

} // namespace ns3

#endif // DPDL_BUILDING_CONDITION_MODEL_H
