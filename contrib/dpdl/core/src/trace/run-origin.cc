// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/trace/run-origin.h"

#include "seal.h"
#include "trace-access.h"

#include <SQLiteCpp/Statement.h>
#include <array>
#include <cstdio>
#include <fstream>

namespace dpdl
{

namespace
{

std::string
Hexadecimal(const RowChecksum& checksum)
{
    std::array<char, 17> digits{};
    std::snprintf(digits.data(),
                  digits.size(),
                  "%016llx",
                  static_cast<unsigned long long>(checksum.Value()));
    return digits.data();
}

} // namespace

RunOrigin
ReadOrigin(const std::string& path)
{
    SQLite::Database database = OpenTrace(path, SQLite::OPEN_READONLY);
    return GuardTrace(path, [&] {
        if (IsComplete(database))
        {
            throw TraceError(path, "the trace of an incomplete run, and this one is complete");
        }
        RunOrigin origin;
        if (database.tableExists("origin"))
        {
            SQLite::Statement rows(database, "SELECT name, value FROM origin ORDER BY position");
            while (rows.executeStep())
            {
                origin.emplace_back(rows.getColumn(0).getString(), rows.getColumn(1).getString());
            }
        }
        if (ValueOf(origin, "program").empty())
        {
            throw TraceError(path,
                             "a trace that says how its run was begun: one run of one process, "
                             "killed after its first commit");
        }
        return origin;
    });
}

std::string
ValueOf(const RunOrigin& origin, const std::string& name)
{
    for (const auto& [key, value] : origin)
    {
        if (key == name)
        {
            return value;
        }
    }
    return "";
}

std::string
DigestOf(const void* bytes, std::size_t count)
{
    RowChecksum checksum;
    checksum.AddBlob(bytes, count);
    checksum.EndRow();
    return Hexadecimal(checksum);
}

std::string
DigestOfFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::vector<char> block(std::size_t{1} << 20);
    RowChecksum checksum;
    while (file)
    {
        file.read(block.data(), static_cast<std::streamsize>(block.size()));
        checksum.AddBlob(block.data(), static_cast<std::size_t>(file.gcount()));
        checksum.EndRow();
    }
    return file.eof() ? Hexadecimal(checksum) : "";
}

} // namespace dpdl
