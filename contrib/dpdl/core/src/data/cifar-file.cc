// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/cifar-file.h"

#include "byte-reader.h"

namespace dpdl
{

void
ReadCifarFile(const std::string& path, std::size_t records, std::size_t wanted, Split& split)
{
    ByteReader reader(path, "file of CIFAR-10");
    const std::string expected = std::to_string(records) + " records of " +
                                 std::to_string(1 + CIFAR_SHAPE.Size()) + " bytes";
    for (std::size_t record = 0; record < wanted; ++record)
    {
        const std::uint64_t begin = reader.Offset();
        std::vector<std::uint8_t> label;
        reader.Append(label, 1, expected);
        if (label.front() >= CIFAR_CLASSES)
        {
            reader.Fail(begin,
                        "label " + std::to_string(label.front()),
                        "a label in 0.." + std::to_string(CIFAR_CLASSES - 1));
        }
        split.labels.push_back(label.front());
        reader.Append(split.pixels, CIFAR_SHAPE.Size(), expected);
    }
    if (wanted == records)
    {
        reader.ExpectEnd();
    }
}

} // namespace dpdl
