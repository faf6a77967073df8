// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_UNCAUGHT_ERROR_H
#define DPDL_UNCAUGHT_ERROR_H

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief From now on, an error of dpdl that is not caught ends the program with one line on
 * standard error and status 2. Other exceptions end it as before.
 */
void EndWithOneLineAtDpdlErrors();

} // namespace ns3

#endif // DPDL_UNCAUGHT_ERROR_H
