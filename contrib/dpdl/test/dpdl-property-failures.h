// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PROPERTY_FAILURES_H
#define DPDL_PROPERTY_FAILURES_H

#include "dpdl-property-draws.h"
#include "dpdl/base/errors.h"
#include "dpdl/network/failure-event.h"

#include <sstream>
#include <string>
#include <vector>

namespace dpdltest
{

/// Draws events of the failure language.
class PropertyFailures
{
  public:
    /**
     * @param nodes of the run
     * @param milliseconds that it takes, more or less
     * @param hasPlaces whether circles may be drawn
     * @param isPacket whether both directions of a link have one delay
     */
    PropertyFailures(std::size_t nodes, uint32_t milliseconds, bool hasPlaces, bool isPacket)
        : m_nodes(nodes),
          m_length(milliseconds),
          m_hasPlaces(hasPlaces),
          m_isPacket(isPacket)
    {
    }

    /// Up to eight events that do not contradict each other.
    std::vector<std::string> Draw(PropertyDraws& draws) const
    {
        dpdl::FailureScript script(m_nodes);
        std::vector<std::string> events;
        for (uint32_t count = draws.Below(9); count > 0; --count)
        {
            const std::string event = DrawEvent(draws);
            try
            {
                script.AddLine(event, "case", 1);
                events.push_back(event);
            }
            catch (const dpdl::UsageError&)
            {
                continue; // contradicts an earlier one
            }
        }
        return events;
    }

  private:
    /// Any one event.
    std::string DrawEvent(PropertyDraws& draws) const
    {
        const bool isRandom = draws.Chance(0.25);
        const uint32_t kind = draws.Below(m_hasPlaces ? 12 : 10);
        std::ostringstream text;
        text << (isRandom ? "random " : "") << Event(kind, isRandom, draws);
        // Permanent failures are rare, or most runs would be about nothing else.
        const bool isLasting = draws.Chance(0.15);
        if (isRandom)
        {
            // Many links that change repeatedly within 10 ms fill a long run with events.
            const uint32_t least = isLasting ? 10 : 0;
            text << " mean-up=" << Duration(draws, least);
            text << " mean-down=" << Duration(draws, least);
            const bool isChannel = m_isPacket && (kind == 2 || kind == 3);
            text << (kind < 9 && (isChannel || draws.Chance(0.3)) ? " together" : "");
        }
        text << " at " << 1e-3 * draws.Below(1000 * m_length) << "ms";
        if (kind != 7 || isRandom)
        {
            text << (isLasting ? "" : " for " + Duration(draws));
        }
        else if (draws.Chance(0.8))
        {
            text << " for " << Duration(draws);
        }
        return text.str();
    }

    /// What goes wrong. @param kind 0..11 @param isRandom whether it comes and goes by itself
    std::string Event(uint32_t kind, bool isRandom, PropertyDraws& draws) const
    {
        const std::string links = "link " + (kind < 6 ? Links(kind, draws) : "");
        const std::string nodes = "node " + Nodes(draws);
        switch (kind)
        {
        case 0:
            return links + " down";
        case 1:
            return links + " loss " + draws.Pick<std::string>({"0.1", "0.5", "1"});
        case 2:
            return links + " delay " + draws.Pick<std::string>({"0s", "1ms", "80ms"});
        case 3:
            return links + " rate " + draws.Pick<std::string>({"1Mbps", "50Mbps"});
        case 4:
            return links + " gilbert-elliott p=0.2 r=0.3 bad=0.9";
        case 5:
            return links + (isRandom ? " down" : " flap up=" + Duration(draws) + " down=3ms");
        case 6:
            return nodes + " pause";
        case 7:
            return nodes + " crash" +
                   draws.Pick<std::string>({"", " with state", " without state"});
        case 8:
            return nodes + " slow " + draws.Pick<std::string>({"0.5x", "3x", "20x"});
        case 9:
            return Partition(draws);
        case 10:
            return "region " + Circle(draws) + " down";
        default:
            return "jam " + Circle(draws) + " loss 0.7";
        }
    }

    /// A set of links. @param kind 2, 3: of which a channel has one value in packet mode
    std::string Links(uint32_t kind, PropertyDraws& draws) const
    {
        if (draws.Chance(0.2))
        {
            return "*";
        }
        const bool bothWays = (m_isPacket && (kind == 2 || kind == 3)) || draws.Chance(0.3);
        const std::string arrow = bothWays ? "<->" : "->";
        const uint32_t source = draws.Below(m_nodes);
        const uint32_t target = (source + 1 + draws.Below(m_nodes - 1)) % m_nodes;
        switch (draws.Below(3))
        {
        case 0:
            return std::to_string(source) + arrow + "*";
        case 1:
            return "*" + arrow + std::to_string(target);
        default:
            return std::to_string(source) + arrow + std::to_string(target);
        }
    }

    /// One node, some, or all.
    std::string Nodes(PropertyDraws& draws) const
    {
        const uint32_t first = draws.Below(m_nodes);
        const uint32_t last = first + draws.Below(m_nodes - first);
        const std::string range = "{" + std::to_string(first) + "-" + std::to_string(last) + "}";
        return draws.Pick<std::string>({std::to_string(first), std::to_string(first), range, "*"});
    }

    /// Two or three groups of all nodes, or but one of them.
    std::string Partition(PropertyDraws& draws) const
    {
        const std::size_t cut = 1 + draws.Below(m_nodes - 1);
        std::string text = "partition {0-" + std::to_string(cut - 1) + "}";
        text += " {" + std::to_string(cut) + "}";
        text += cut + 1 < m_nodes && draws.Chance(0.7)
                    ? " {" + std::to_string(cut + 1) + "-" + std::to_string(m_nodes - 1) + "}"
                    : "";
        return text;
    }

    /// A circle within the square in which nodes are.
    static std::string Circle(PropertyDraws& draws)
    {
        std::ostringstream text;
        text << "center=(" << draws.Below(1000) << "," << draws.Below(1000)
             << ") radius=" << 1 + draws.Below(600);
        return text.str();
    }

    /// From a moment to half of the run. @param least to add, in ms
    std::string Duration(PropertyDraws& draws, uint32_t least = 0) const
    {
        std::ostringstream text;
        text << least + 1e-3 * (1 + draws.Below(draws.Pick<uint32_t>({20, 500}) * m_length))
             << "ms";
        return text.str();
    }

    std::size_t m_nodes; ///< of the run
    uint32_t m_length;   ///< of the run, in ms
    bool m_hasPlaces;    ///< circles may be drawn
    bool m_isPacket;     ///< see PropertyFailures()
};

} // namespace dpdltest

#endif // DPDL_PROPERTY_FAILURES_H
