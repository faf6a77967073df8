// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/gossip.h"

#include "mix-kernel.h"

#include <algorithm>

// RoundMix: lists the summands of each mixed vector in groups of equal column ranges. Then mixes
// all vectors with SumColumns(), one block of columns after another.

namespace dpdl
{

namespace
{

/// If the mixed vectors of a round have a larger total size in bytes, they are written with
/// non-temporal stores. Normal stores would evict all other data from the caches.
constexpr std::size_t STREAMED_BYTES = std::size_t{32} << 20;

/// Summands of one range of columns of one mixed vector.
struct Group
{
    Columns columns;
    std::size_t first; ///< index of the first summand in Parts::summands
    std::size_t count; ///< number of summands in the group
};

} // namespace

struct RoundMix::Parts
{
    void Add(const MixRow& row);
    void MixRowBlock(std::size_t row, const Columns& block);
    void Probe(const Columns& block);

    std::vector<MixRow>* rows{nullptr};
    std::size_t length{0};
    SumStore store{SumStore::CACHED};
    std::vector<Summand> summands;
    /// Groups of terms with the same columns: groups of row 0, then of row 1 and so on. The groups
    /// of a row are sorted by column.
    std::vector<Group> groups;
    /// [rows + 1] index of each row's first group; the last entry is the number of groups
    std::vector<std::size_t> begins;
    /// [rows, MixProbe::COUNT] rounding errors of the mixed vectors at the probed coordinates. A
    /// coordinate has the same index in all vectors.
    std::vector<MixProbe> probes;
};

void
RoundMix::Parts::Add(const MixRow& row)
{
    const std::vector<MixTerm>& terms = *row.terms;
    for (std::size_t term = 0; term < terms.size();)
    {
        Group group{{terms[term].begin, std::min(terms[term].end, length)}, summands.size(), 0};
        term = AppendSummands(terms, term, summands);
        group.count = summands.size() - group.first;
        groups.push_back(group);
    }
    if (terms.empty())
    {
        groups.push_back({{0, length}, 0, 0});
    }
    const auto begin = groups.begin() + static_cast<std::ptrdiff_t>(begins.back());
    std::sort(begin, groups.end(), [](const Group& a, const Group& b) {
        return a.columns.begin < b.columns.begin;
    });
    begins.push_back(groups.size());
}

void
RoundMix::Parts::MixRowBlock(std::size_t row, const Columns& block)
{
    const auto first = groups.begin() + static_cast<std::ptrdiff_t>(begins[row]);
    const auto last = groups.begin() + static_cast<std::ptrdiff_t>(begins[row + 1]);
    auto group = std::partition_point(first, last, [&block](const Group& candidate) {
        return candidate.columns.end <= block.begin;
    });
    float* const out = (*rows)[row].out->Data();
    for (; group != last && group->columns.begin < block.end; ++group)
    {
        SumColumns(
            summands.data() + group->first,
            group->count,
            {std::max(block.begin, group->columns.begin), std::min(block.end, group->columns.end)},
            out,
            store);
    }
}

/// Measures the rounding error of the mix at the probed coordinates in a block of columns, while
/// the sources are in the cache.
void
RoundMix::Parts::Probe(const Columns& block)
{
    for (std::size_t probe = 0; probe < MixProbe::COUNT; ++probe)
    {
        const std::size_t coordinate = MixProbe::Coordinate(probe, length);
        const bool isInside = block.begin <= coordinate && coordinate < block.end;
        for (std::size_t row = 0; isInside && row < rows->size(); ++row)
        {
            const MixRow& mixed = (*rows)[row];
            probes[row * MixProbe::COUNT + probe] = ProbeMix(*mixed.terms, *mixed.out, coordinate);
        }
    }
}

RoundMix::RoundMix()
    : m_parts(std::make_unique<Parts>())
{
}

RoundMix::~RoundMix() = default;

void
RoundMix::Begin(std::vector<MixRow>& rows)
{
    Parts& parts = *m_parts;
    parts.rows = &rows;
    parts.length = rows.empty() ? 0 : rows.front().out->Size();
    parts.store = rows.size() * parts.length * sizeof(float) > STREAMED_BYTES ? SumStore::STREAMED
                                                                              : SumStore::CACHED;
    parts.summands.clear();
    parts.groups.clear();
    parts.begins.assign(1, 0);
    for (const MixRow& row : rows)
    {
        parts.Add(row);
    }
    parts.probes.assign(rows.size() * MixProbe::COUNT, {});
}

std::size_t
RoundMix::Length() const
{
    return m_parts->length;
}

void
RoundMix::MixColumns(std::size_t begin, std::size_t end)
{
    for (; begin < end; begin += BLOCK)
    {
        const Columns block{begin, std::min(begin + BLOCK, end)};
        for (std::size_t row = 0; row < m_parts->rows->size(); ++row)
        {
            m_parts->MixRowBlock(row, block);
        }
        FinishStreaming();
        m_parts->Probe(block);
    }
}

void
RoundMix::Finish()
{
    for (std::size_t row = 0; row < m_parts->rows->size(); ++row)
    {
        MixProbe largest;
        for (std::size_t probe = 0; probe < MixProbe::COUNT; ++probe)
        {
            largest.Add(m_parts->probes[row * MixProbe::COUNT + probe]);
        }
        MixRow& mixed = (*m_parts->rows)[row];
        mixed.error = mixed.terms->empty() ? 0.0 : largest.Relative();
    }
    m_parts->rows = nullptr;
}

void
RoundMix::Mix(std::vector<MixRow>& rows)
{
    Begin(rows);
    MixColumns(0, Length());
    Finish();
}

} // namespace dpdl
