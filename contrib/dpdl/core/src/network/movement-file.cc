// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/movement-file.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "movement-line.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>

namespace dpdl
{

namespace
{

const std::string MOVEMENT = "mobility file";
const std::string ACTIVITY = "activity file";
constexpr std::size_t HIGHEST_NODE = 9999;
constexpr double FARTHEST = 1e6;
constexpr double FASTEST = 1000.0;

/// What is known of a node while its file is read.
struct NodeSoFar
{
    bool hasX{false};
    bool hasY{false};
    double moved{-1.0}; ///< time of its last movement; negative: none
};

/// What values lie in.
struct Range
{
    double low{FARTHEST};   ///< the smallest
    double high{-FARTHEST}; ///< the largest
};

/// Takes a movement file, line by line.
class MovementReader
{
  public:
    void Add(const MovementLine& line)
    {
        const std::size_t first = line.IsTimed() ? 3 : 0;
        const std::size_t words = line.Size() - first;
        const std::string command = words > 1 ? line.At(first + 1) : "";
        if (command == "set" && words == 4)
        {
            Place(line, first);
        }
        else if (command == "setdest" && words == 5 && line.IsTimed())
        {
            Move(line);
        }
        else
        {
            line.Refuse("a line such as $node_(0) set X_ 12.5 or "
                        "$ns_ at 1.5 \"$node_(0) setdest 12.5 30 8\"");
        }
    }

    Movement Finish(const std::string& name) const
    {
        if (m_nodes.empty())
        {
            throw UsageError(MOVEMENT + " '" + name +
                             "' has no node; expected lines such as $node_(0) set X_ 12.5");
        }
        for (std::size_t i = 0; i <= m_nodes.rbegin()->first; ++i)
        {
            const auto node = m_nodes.find(i);
            if (node == m_nodes.end() || !node->second.hasX || !node->second.hasY)
            {
                throw NoPlace(name, std::to_string(i));
            }
        }
        Movement movement = m_movement;
        movement.nodes = m_nodes.size();
        movement.low = {m_x.low, m_y.low, 0.0};
        movement.high = {m_x.high, m_y.high, 0.0};
        return movement;
    }

  private:
    static UsageError NoPlace(const std::string& name, const std::string& node)
    {
        return UsageError(MOVEMENT + " '" + name + "' has no place for node " + node +
                          "; expected $node_(" + node +
                          ") set X_ and Y_, for every number up to the highest");
    }

    void Place(const MovementLine& line, std::size_t first)
    {
        const std::string& axis = line.At(first + 2);
        if (axis != "X_" && axis != "Y_" && axis != "Z_")
        {
            line.Refuse(first + 2, "X_, Y_ or Z_");
        }
        const std::size_t number = line.Node(first, "$node_", HIGHEST_NODE);
        const double value = line.Number(first + 3, -FARTHEST, FARTHEST);
        if (axis != "Z_")
        {
            Stretch(axis == "X_" ? m_x : m_y, value);
        }
        if (line.IsTimed())
        {
            Note(Known(line, first, number), line.Time());
        }
        else
        {
            NodeSoFar& node = m_nodes[number];
            node.hasX = node.hasX || axis == "X_";
            node.hasY = node.hasY || axis == "Y_";
        }
    }

    void Move(const MovementLine& line)
    {
        NodeSoFar& node = Known(line, 3, line.Node(3, "$node_", HIGHEST_NODE));
        Stretch(m_x, line.Number(5, -FARTHEST, FARTHEST));
        Stretch(m_y, line.Number(6, -FARTHEST, FARTHEST));
        line.Number(7, 0.0, FASTEST);
        Note(node, line.Time());
    }

    static void Stretch(Range& range, double value)
    {
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    }

    NodeSoFar& Known(const MovementLine& line, std::size_t word, std::size_t number)
    {
        const auto node = m_nodes.find(number);
        if (node == m_nodes.end() || !node->second.hasX || !node->second.hasY)
        {
            line.Refuse(word, "a node whose X_ and Y_ were set before");
        }
        return node->second;
    }

    void Note(NodeSoFar& node, double time)
    {
        const double gap = time - node.moved;
        if (node.moved >= 0.0 && gap > 0.0 && (m_movement.step == 0.0 || gap < m_movement.step))
        {
            m_movement.step = gap;
        }
        node.moved = time;
        m_movement.last = std::max(m_movement.last, time);
    }

    std::map<std::size_t, NodeSoFar> m_nodes; ///< by number
    Movement m_movement;                      ///< times only
    Range m_x;                                ///< of all places
    Range m_y;                                ///< of all places
};

/// Takes a line of an activity file. @param seen which of start and stop each node has had
void
TakeActivity(const MovementLine& line,
             std::vector<Presence>& presence,
             std::vector<std::pair<bool, bool>>& seen)
{
    if (!line.IsTimed() || line.Size() != 5)
    {
        line.Refuse("a line such as $ns_ at 1.5 \"$g(0) start\"");
    }
    const std::size_t number = line.Node(3, "$g", presence.size() - 1);
    const double time = line.Time();
    auto& [started, stopped] = seen[number];
    if (line.At(4) == "start" && !started && !stopped)
    {
        presence[number].start = time;
        started = true;
    }
    else if (line.At(4) == "stop" && !stopped && time > presence[number].start)
    {
        presence[number].stop = time;
        stopped = true;
    }
    else
    {
        line.Refuse(4, "start, then stop at a later time, each once a node");
    }
}

template <typename T>
T
ReadFrom(const std::string& kind,
         const std::string& path,
         const std::function<T(std::istream&)>& parse)
{
    std::ifstream file(path, std::ios::binary);
    if (!file || file.peek() == std::ifstream::traits_type::eof())
    {
        throw UsageError(kind, path, "the path of a file that can be read and is not empty");
    }
    return parse(file);
}

} // namespace

Movement
ParseMovement(std::istream& text, const std::string& name)
{
    MovementReader reader;
    ForEachMovementLine(text, MOVEMENT, name, [&reader](const MovementLine& line) {
        reader.Add(line);
    });
    return reader.Finish(name);
}

Movement
ReadMovement(const std::string& path)
{
    return ReadFrom<Movement>(MOVEMENT, path, [&path](std::istream& text) {
        return ParseMovement(text, path);
    });
}

std::vector<Presence>
ParseActivity(std::istream& text, const std::string& name, std::size_t nodes)
{
    std::vector<Presence> presence(nodes);
    std::vector<std::pair<bool, bool>> seen(nodes, {false, false});
    bool isEmpty = true;
    ForEachMovementLine(text, ACTIVITY, name, [&](const MovementLine& line) {
        TakeActivity(line, presence, seen);
        isEmpty = false;
    });
    if (isEmpty)
    {
        throw UsageError(ACTIVITY + " '" + name +
                         "' has no start and no stop; expected lines such as "
                         "$ns_ at 1.5 \"$g(0) start\"");
    }
    return presence;
}

std::vector<Presence>
ReadActivity(const std::string& path, std::size_t nodes)
{
    return ReadFrom<std::vector<Presence>>(ACTIVITY, path, [&](std::istream& text) {
        return ParseActivity(text, path, nodes);
    });
}

std::vector<std::string>
AbsenceSentences(const std::vector<Presence>& presence, double lag)
{
    std::vector<std::string> sentences;
    for (std::size_t i = 0; i < presence.size(); ++i)
    {
        const std::string node = "node " + std::to_string(i) + " crash with state at ";
        if (presence[i].start > 0.0)
        {
            sentences.push_back(node + "0s recover " + ShowNumber(presence[i].start + lag) + "s");
        }
        if (std::isfinite(presence[i].stop))
        {
            sentences.push_back(node + ShowNumber(presence[i].stop + lag) + "s");
        }
    }
    return sentences;
}

} // namespace dpdl
