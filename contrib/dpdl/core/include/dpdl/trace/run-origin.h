// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_RUN_ORIGIN_H
#define DPDL_TRACE_RUN_ORIGIN_H

#include "dpdl/base/types.h"
#include "dpdl/trace/row-table.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief Command that starts the run again, by name: `program`, `folder`, `trace`, the words of
 *        its command line (`word`, once for each), and digests of what it read.
 *
 * Table `origin` of a trace; doc/formats/trace.md says what each name means.
 */
using RunOrigin = std::vector<std::pair<std::string, std::string>>;

/// The state of a run at some moment, apart from its rows.
struct Checkpoint
{
    std::string journal; ///< what was computed; each checkpoint adds to it
    std::string state;   ///< what is needed to go on from here; each takes the place of the last
};

/// One resumption of an incomplete run; view `resumption`.
struct Resumption
{
    Round round{0};        ///< rounds that were there
    std::string resumedBy; ///< program and version
    std::string resumedAt; ///< UTC, as in 2026-01-02T03:04:05Z
};

template <>
inline constexpr auto TABLE<Resumption> =
    RowTable("resumption",
             "resumption_entry",
             Column("round", &Resumption::round, PUBLIC),
             Column("resumed_by", &Resumption::resumedBy, PUBLIC),
             Column("resumed_at", &Resumption::resumedAt, PUBLIC))
        .Ending(" ORDER BY rowid");

/**
 * @brief Reads what is needed to go on with an incomplete run.
 * @param path its trace
 * @return the rows of `origin`, in their order
 * @throws UsageError if it is no trace, its run is complete, or it does not say how it was begun
 */
RunOrigin ReadOrigin(const std::string& path);

/// The value of the first entry of that name; empty: there is none.
std::string ValueOf(const RunOrigin& origin, const std::string& name);

/// A digest of bytes, as 16 hexadecimal digits: finds accidents, not forgers.
std::string DigestOf(const void* bytes, std::size_t count);

/// A digest of what a file holds; empty if it cannot be read.
std::string DigestOfFile(const std::string& path);

} // namespace dpdl

#endif // DPDL_TRACE_RUN_ORIGIN_H
