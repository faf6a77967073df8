// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "failure-clash.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/text.h"

#include <string>

namespace dpdl
{

namespace
{

/// What a link or node can have only one of at a time; "" for failures that add up.
std::string
OnlyOne(FailureKind kind)
{
    switch (kind)
    {
    case FailureKind::LINK_DELAY:
        return "one delay of a link";
    case FailureKind::LINK_RATE:
        return "one rate of a link";
    case FailureKind::LINK_BURST:
        return "one gilbert-elliott of a link";
    case FailureKind::NODE_CRASH:
        return "one crash of a node";
    case FailureKind::NODE_SLOW:
        return "one slowdown of a node";
    case FailureKind::LINK_DOWN:
    case FailureKind::LINK_LOSS:
    case FailureKind::NODE_PAUSE:
    case FailureKind::PARTITION:
    case FailureKind::REGION:
    case FailureKind::JAM:
        break;
    }
    return "";
}

bool
ConcernTheSame(const FailureSentence& a, const FailureSentence& b)
{
    const bool sameTime = a.timing.begin < b.timing.end && b.timing.begin < a.timing.end;
    return sameTime && (a.links.Intersects(b.links) || !a.nodes.Common(b.nodes).IsEmpty());
}

} // namespace

void
RefuseClash(const FailureSentence& sentence, const std::vector<FailureSentence>& earlier)
{
    const std::string onlyOne = OnlyOne(sentence.kind);
    if (onlyOne.empty())
    {
        return;
    }
    for (const FailureSentence& other : earlier)
    {
        if (other.kind == sentence.kind && ConcernTheSame(sentence, other))
        {
            throw UsageError(sentence.place,
                             Excerpt(sentence.text),
                             onlyOne + " at a time, not another one beside '" +
                                 Excerpt(other.text) + "' (" + other.place + ")");
        }
    }
}

} // namespace dpdl
