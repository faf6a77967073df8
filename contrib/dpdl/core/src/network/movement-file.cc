// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/movement-file.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/input-file.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <sstream>

// Reads files of movement and activity. A line reader yields the commands of an ns-2 file. The
// parsers check each command and update the nodes.

namespace dpdl
{

namespace
{

const std::string MOVEMENT = "mobility file";
const std::string ACTIVITY = "activity file";
const std::string FILE_EXPECTED = "the path of a file that can be read and is not empty";

/// Reads the commands of an ns-2 file. Each line is a command, or `$ns_ at TIME "COMMAND"`.
class Ns2Lines
{
  public:
    Ns2Lines(std::istream& text, const std::string& file)
        : m_file(text),
          m_name(file)
    {
    }

    /// Advances to the next command.
    /// @return false at the end
    bool Next()
    {
        words.clear();
        for (std::string line; words.empty() && std::getline(m_file, line);)
        {
            ++m_number;
            m_line = Strip(line.substr(0, line.find('#')));
            const bool closed = !m_line.empty() && m_line.back() == ';';
            std::istringstream rest(m_line.substr(0, m_line.size() - (closed ? 1 : 0)));
            words.assign(std::istream_iterator<std::string>(rest), {});
        }
        const bool timed = words.size() > 3 && words[0] == "$ns_" && words[1] == "at" &&
                           words[3].front() == '"' && words.back().back() == '"' &&
                           words.back().size() > 1;
        command = timed ? 3 : 0;
        if (timed)
        {
            words[3].erase(0, 1);
            words.back().pop_back();
        }
        return !words.empty();
    }

    /// True if the command has @p size words and its second word is @p verb.
    bool Is(const std::string& verb, std::size_t size) const
    {
        return words.size() == command + size && words[command + 1] == verb;
    }

    double Time() const
    {
        return Number(2, 0.0, MovementLimits::LATEST);
    }

    double Number(std::size_t word, double least, double most) const
    {
        return ParseNumber(Place(word),
                           Excerpt(words[word]),
                           "a number from " + ShowNumber(least) + " to " + ShowNumber(most),
                           [least, most](double value) { return value >= least && value <= most; });
    }

    /// Number N in the command's first word, which is `PREFIX(N)`.
    /// @throws UsageError if the word has another form or N is above @p most
    std::size_t Node(const std::string& prefix, std::size_t most) const
    {
        const std::string& text = words[command];
        const std::size_t begin = prefix.size() + 1;
        if (text.rfind(prefix + "(", 0) != 0 || text.back() != ')' || text.size() <= begin + 1)
        {
            Refuse(command, prefix + "(N), N the number of a node");
        }
        return ParseInteger(Place(command) + ", node",
                            Excerpt(text.substr(begin, text.size() - begin - 1)),
                            0,
                            most);
    }

    [[noreturn]] void Refuse(std::size_t word, const std::string& accepted) const
    {
        throw UsageError(Place(word), Excerpt(words[word]), accepted);
    }

    [[noreturn]] void RefuseLine(const std::string& accepted) const
    {
        throw UsageError(Line(), Excerpt(m_line), accepted);
    }

    std::vector<std::string> words; ///< words of the line; the quotes around a command are removed
    /// Index in `words` of the command's first word; 0: the line has no time.
    std::size_t command{0};

  private:
    std::string Line() const
    {
        return m_name + ", line " + std::to_string(m_number);
    }

    std::string Place(std::size_t word) const
    {
        return Line() + ", word " + std::to_string(word + 1);
    }

    std::istream& m_file;    ///< the file; must outlive this object
    std::string m_name;      ///< kind and name of the file
    std::size_t m_number{0}; ///< number of the current line, from 1
    std::string m_line;      ///< current line without its comment
};

/// State of one node while a file is read.
struct NodeSoFar
{
    std::set<std::string> placed; ///< coordinates that lines without a time have set
    std::set<std::string> done;   ///< coordinates set at the time `moved`, and `setdest`
    double moved{-1.0}; ///< time of the node's last movement, s; negative: it has not moved

    bool HasPlace() const
    {
        return placed.count("X_") > 0 && placed.count("Y_") > 0;
    }
};

/// Extends the bounding box of the movement along one axis so that it contains @p value, in metres.
void
Stretch(Movement& movement, double Position::*axis, double value)
{
    movement.low.*axis = std::min(movement.low.*axis, value);
    movement.high.*axis = std::max(movement.high.*axis, value);
}

/// Processes a command that sets a node's position or destination.
/// @throws UsageError for a command of another kind
void
TakeMovement(const Ns2Lines& line, Movement& movement, std::vector<NodeSoFar>& nodes)
{
    const bool timed = line.command > 0;
    const bool places = line.Is("set", 4);
    if (!places && !(timed && line.Is("setdest", 5)))
    {
        line.RefuseLine("a line such as $node_(0) set X_ 12.5 or "
                        "$ns_ at 1.5 \"$node_(0) setdest 12.5 30 8\"");
    }
    const std::string axis = places ? line.words[line.command + 2] : "";
    if (places && axis != "X_" && axis != "Y_" && axis != "Z_")
    {
        line.Refuse(line.command + 2, "X_, Y_ or Z_");
    }
    const std::size_t number = line.Node("$node_", MovementLimits::HIGHEST_NODE);
    if (timed && (number >= nodes.size() || !nodes[number].HasPlace()))
    {
        line.Refuse(line.command, "a node whose X_ and Y_ were set before");
    }
    nodes.resize(std::max(nodes.size(), number + 1));
    const double first =
        line.Number(line.command + (places ? 3 : 2), -FARTHEST_PLACE, FARTHEST_PLACE);
    if (axis != "Z_")
    {
        Stretch(movement, axis == "Y_" ? &Position::y : &Position::x, first);
    }
    if (!places)
    {
        Stretch(movement,
                &Position::y,
                line.Number(line.command + 3, -FARTHEST_PLACE, FARTHEST_PLACE));
        line.Number(line.command + 4, 0.0, MovementLimits::FASTEST);
    }
    NodeSoFar& node = nodes[number];
    if (timed && line.Time() < node.moved)
    {
        line.Refuse(2, "at least " + ShowNumber(node.moved) + ", the time of the node's last line");
    }
    if (timed && line.Time() != node.moved)
    {
        node.done.clear();
    }
    if (!(timed ? node.done : node.placed).insert(places ? axis : "setdest").second)
    {
        line.Refuse(line.command + (places ? 2 : 1),
                    "one such line for a node" + std::string(timed ? " and a time" : ""));
    }
    if (!timed)
    {
        return;
    }
    const double gap = line.Time() - node.moved;
    if (node.moved >= 0.0 && gap > 0.0 && (movement.step == 0.0 || gap < movement.step))
    {
        movement.step = gap;
    }
    node.moved = line.Time();
    movement.first = std::min(movement.first, node.moved);
    movement.last = std::max(movement.last, node.moved);
}

/// The command of a line as ns-3 reads it.
/// @param start time in s that is subtracted from the time of the command
std::string
Command(const Ns2Lines& line, double start)
{
    const bool timed = line.command > 0;
    std::string text = timed ? "$ns_ at " + ShowNumber(line.Time() - start) + " \"" : "";
    for (std::size_t word = line.command; word < line.words.size(); ++word)
    {
        text += (word == line.command ? "" : " ") + line.words[word];
    }
    return text + (timed ? "\"\n" : "\n");
}

} // namespace

Movement
ParseMovement(std::istream& text, const std::string& name, double start)
{
    const std::string file = MOVEMENT + " '" + name + "'";
    if (text.peek() == '<')
    {
        const auto [commands, presence] = FcdCommands(text, file);
        std::istringstream lines(commands);
        Movement movement = ParseMovement(lines, name, start);
        movement.presence = presence;
        return movement;
    }
    Movement movement;
    movement.first = MovementLimits::LATEST;
    movement.low = {FARTHEST_PLACE, FARTHEST_PLACE, 0.0};
    movement.high = {-FARTHEST_PLACE, -FARTHEST_PLACE, 0.0};
    std::vector<NodeSoFar> nodes;
    std::string commands;
    for (Ns2Lines lines(text, file); lines.Next();)
    {
        TakeMovement(lines, movement, nodes);
        commands += Command(lines, start);
    }
    movement.commands = std::make_shared<std::string>(std::move(commands));
    movement.first = std::min(movement.first, movement.last);
    movement.nodes = nodes.size();
    movement.presence.resize(nodes.size());
    DPDL_REFUSE_IF(nodes.empty(),
                   file + " has no node; expected lines such as $node_(0) set X_ 12.5");
    const auto placeless = std::find_if(nodes.begin(), nodes.end(), [](const NodeSoFar& node) {
        return !node.HasPlace();
    });
    if (placeless != nodes.end())
    {
        const std::string node = std::to_string(placeless - nodes.begin());
        throw UsageError(file + " has no place for node " + node + "; expected $node_(" + node +
                         ") set X_ and Y_, for every number up to the highest");
    }
    return movement;
}

Movement
ReadMovement(const std::string& path, double start)
{
    std::ifstream file = OpenInputFile(MOVEMENT, path, FILE_EXPECTED, false);
    return ParseMovement(file, path, start);
}

std::vector<Presence>
ParseActivity(std::istream& text, const std::string& name, std::size_t nodes)
{
    std::vector<Presence> presence(nodes);
    std::vector<bool> started(nodes, false);
    bool isEmpty = true;
    const std::string file = ACTIVITY + " '" + name + "'";
    for (Ns2Lines line(text, file); line.Next(); isEmpty = false)
    {
        if (line.command == 0 || line.words.size() != 5)
        {
            line.RefuseLine("a line such as $ns_ at 1.5 \"$g(0) start\"");
        }
        const std::size_t node = line.Node("$g", nodes - 1);
        const double time = line.Time();
        const bool starts = line.words[4] == "start" && !started[node];
        const bool stops = line.words[4] == "stop" && time > presence[node].start;
        if (std::isfinite(presence[node].stop) || !(starts || stops))
        {
            line.Refuse(4, "start, then stop at a later time, each once a node");
        }
        (starts ? presence[node].start : presence[node].stop) = time;
        started[node] = started[node] || starts;
    }
    DPDL_REFUSE_IF(isEmpty,
                   file + " has no start and no stop; expected lines such as "
                          "$ns_ at 1.5 \"$g(0) start\"");
    return presence;
}

std::vector<Presence>
ReadActivity(const std::string& path, std::size_t nodes)
{
    std::ifstream file = OpenInputFile(ACTIVITY, path, FILE_EXPECTED, false);
    return ParseActivity(file, path, nodes);
}

std::vector<std::string>
AbsenceEvents(const std::vector<Presence>& presence, NodeId first)
{
    std::vector<std::string> events;
    for (std::size_t i = 0; i < presence.size(); ++i)
    {
        const std::string node = "node " + std::to_string(first + i) + " crash with state at ";
        if (presence[i].start > 0.0)
        {
            events.push_back(node + "0s recover " + ShowNumber(presence[i].start) + "s");
        }
        if (std::isfinite(presence[i].stop))
        {
            events.push_back(node + ShowNumber(presence[i].stop) + "s");
        }
    }
    return events;
}

} // namespace dpdl
