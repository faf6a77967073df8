// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Implementation of DpdlRanks in builds without MPI: there is a single rank.
 */

#include "dpdl-ranks.h"
#include "dpdl/base/errors.h"

#include <cstdlib>
#include <string>

namespace ns3
{

DpdlRanks::DpdlRanks(int&, char**&)
{
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    {
        const char* size = std::getenv(name);
        DPDL_REFUSE_IF(size != nullptr && std::string(size) != "1",
                       "number of ranks",
                       size,
                       "1: this build has no MPI; ./dpdl setup --with=mpi and "
                       "another ./dpdl build make one that has");
    }
}

DpdlRanks::~DpdlRanks() = default;

uint32_t
DpdlRanks::Here() const
{
    return 1;
}

unsigned
DpdlRanks::Workers() const
{
    return 0;
}

uint32_t
DpdlRanks::FirstFailure(bool failed) const
{
    return failed ? 0 : 1;
}

std::shared_ptr<DpdlGateway>
DpdlRanks::MakeGateway(::dpdl::Experiment&, Time, Time) const
{
    return nullptr;
}

void
DpdlRanks::Abort(int status) const
{
    std::exit(status);
}

} // namespace ns3
