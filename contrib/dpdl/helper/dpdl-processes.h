// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PROCESSES_H
#define DPDL_PROCESSES_H

#include <functional>

namespace ns3
{

/**
 * @brief Does work in several processes at once, since a process has one Simulator.
 *
 * The processes are forks of this one and share nothing with it from then on but its files and its
 * standard streams. Must be called while no other thread runs. When @p stop tells to, the processes
 * are sent SIGTERM, and still waited for.
 *
 * @ingroup dpdl
 * @param processes how many, at least 1
 * @param work is given 0 to processes - 1 and returns the exit status of its process
 * @param stop is asked some twenty times a second
 * @return the first status that is not 0, by the number of the process; 0 if there is none. A
 *         process that a signal ended counts as status 1
 * @throws dpdl::Error if the system starts no more processes
 */
int RunProcesses(unsigned processes,
                 const std::function<int(unsigned)>& work,
                 const std::function<bool()>& stop);

} // namespace ns3

#endif // DPDL_PROCESSES_H
