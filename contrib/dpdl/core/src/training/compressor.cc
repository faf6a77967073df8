// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/compressor.h"

#include "compressors.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <vector>

namespace dpdl
{

std::shared_ptr<const Compressor>
MakeCompressor(const std::string& specification, RandomSeed seed)
{
    constexpr std::uint64_t leastBits = 2;
    constexpr std::uint64_t mostBits = 16;
    const std::size_t colon = specification.find(':');
    const std::string kind = specification.substr(0, colon);
    const std::string value =
        colon == std::string::npos ? std::string() : specification.substr(colon + 1);
    try
    {
        if (specification == "none")
        {
            return nullptr;
        }
        if (kind == "quantize")
        {
            const std::uint64_t bits = ParseInteger("bits", value, leastBits, mostBits);
            return MakeQuantizer(static_cast<unsigned>(bits), seed);
        }
        if (kind == "top-k" || kind == "random-k")
        {
            const double part =
                ParseNumber("part", value, "", [](double f) { return f > 0.0 && f < 1.0; });
            if (kind == "top-k")
            {
                return MakeTopK(part);
            }
            return MakeRandomK(part, seed);
        }
    }
    catch (const UsageError&)
    {
        // The throw below names the accepted values.
    }
    throw UsageError("option 'compress'", specification, COMPRESSIONS);
}

void
Approximate(const Compressor& compressor,
            const ChunkLayout& chunks,
            MessageName name,
            const ParameterVector& values,
            const ParameterVector* reference,
            ParameterVector& out)
{
    thread_local std::vector<std::uint8_t> message;
    const std::size_t size = out.Size();
    const float* const from = values.Data();
    float* const result = out.Data();
    const std::size_t shared = std::min(chunks.Parameters(), size);
    for (std::size_t i = 0; i < shared; ++i)
    {
        result[i] = from[i] - (reference != nullptr ? reference->Data()[i] : 0.0F);
    }
    for (std::size_t chunk = 0; chunk < chunks.Count(); ++chunk)
    {
        name.begin = chunks.Begin(chunk);
        const std::size_t count = std::min(chunks.End(chunk), size) - name.begin;
        message.resize(compressor.Bytes(count));
        compressor.Encode(result + name.begin, count, name, message.data());
        compressor.Decode(message.data(), count, name, result + name.begin);
    }
    for (std::size_t i = 0; reference != nullptr && i < shared; ++i)
    {
        result[i] += reference->Data()[i];
    }
    std::fill(result + shared, result + size, 0.0F);
}

} // namespace dpdl
