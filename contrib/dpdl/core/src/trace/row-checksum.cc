// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "row-checksum.h"

#include <SQLiteCpp/Column.h>
#include <algorithm>

namespace dpdl
{

void
RowChecksum::AddBytes(const char* bytes, std::size_t count)
{
    constexpr std::size_t WORD = sizeof(std::uint64_t);
    AddWord(count);
    for (std::size_t i = 0; i < count; i += WORD)
    {
        unsigned char word[WORD] = {};
        std::memcpy(word, bytes + i, std::min(WORD, count - i));
        std::uint64_t value = 0;
        for (const unsigned char byte : word)
        {
            value = value << 8 | byte;
        }
        AddWord(value);
    }
}

void
RowChecksum::AddRow(SQLite::Statement& row)
{
    for (int i = 0; i < row.getColumnCount(); ++i)
    {
        const SQLite::Column column = row.getColumn(i);
        if (column.isNull())
        {
            AddNull();
        }
        else if (column.isInteger())
        {
            AddInteger(column.getInt64());
        }
        else if (column.isFloat())
        {
            AddReal(column.getDouble());
        }
        else
        {
            const void* const bytes = column.getBlob();
            const auto count = static_cast<std::size_t>(column.getBytes());
            column.isText() ? AddText({static_cast<const char*>(bytes), count})
                            : AddBlob(bytes, count);
        }
    }
    EndRow();
}

} // namespace dpdl
