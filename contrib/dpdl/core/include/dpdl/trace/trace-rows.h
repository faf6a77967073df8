// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_TRACE_ROWS_H
#define DPDL_TRACE_TRACE_ROWS_H

/**
 * @file
 * @brief Every kind of row that TraceStore::Add takes.
 */

#include "dpdl/trace/learning-rows.h"
#include "dpdl/trace/network-rows.h"

#endif // DPDL_TRACE_TRACE_ROWS_H
