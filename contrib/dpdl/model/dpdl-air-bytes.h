// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AIR_BYTES_H
#define DPDL_AIR_BYTES_H

#include "ns3/object.h"

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Bytes that the radios of a run put on the air, with headers, padding and repeats.
 *
 * Aggregate one to the first node of a run and add to its counters. DpdlHelper writes them into
 * `settings` of the trace, as airBytesByNodes and airBytesByStations.
 */
class DpdlAirBytes : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint64_t byNodes{0};    //!< bytes sent by nodes of the run: the uplink of a cell
    uint64_t byStations{0}; //!< bytes sent by base stations: the downlink
};

} // namespace ns3

#endif // DPDL_AIR_BYTES_H
