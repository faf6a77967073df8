// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_UNCAUGHT_ERROR_H
#define DPDL_UNCAUGHT_ERROR_H

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Installs a terminate handler: an uncaught error of dpdl ends the program with one line on
 * standard error and status 2. Other exceptions go to the previous handler.
 */
void EndWithOneLineAtDpdlErrors();

} // namespace ns3

#endif // DPDL_UNCAUGHT_ERROR_H
