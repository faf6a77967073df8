// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/contact-file.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/topology/round-graph-sequence.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <tuple>
#include <utility>

// Contact traces. Parses the contacts and sorts them by start. The graph sequence advances with the
// simulated time and tracks the active contacts.

namespace dpdl
{

namespace
{

/// Parser of one line of a contact trace: start, end, source and target.
class ContactLine
{
  public:
    ContactLine(const std::string& name, std::size_t number, const std::string& text)
        : m_place("contact file '" + name + "', line " + std::to_string(number))
    {
        std::istringstream words(text);
        m_words.assign(std::istream_iterator<std::string>(words), {});
        DPDL_REFUSE_IF(m_words.size() != 4,
                       m_place,
                       Excerpt(text),
                       "four words: start end source target");
    }

    Contact Parse(std::size_t nodes) const
    {
        Contact contact{};
        contact.start = Seconds(0, 0.0, "a start in seconds, >= 0");
        contact.end = Seconds(1, contact.start, "an end in seconds");
        DPDL_REFUSE_IF(contact.end == contact.start,
                       Place(1),
                       m_words[1],
                       "an end after the start " + m_words[0]);
        contact.edge = {Node(2, nodes), Node(3, nodes)};
        DPDL_REFUSE_IF(contact.edge.source == contact.edge.target,
                       Place(3),
                       m_words[3],
                       "another node than the source");
        return contact;
    }

  private:
    std::string Place(std::size_t word) const
    {
        return m_place + ", word " + std::to_string(word + 1);
    }

    double Seconds(std::size_t word, double least, const std::string& accepted) const
    {
        const std::string after = least > 0.0 ? " after the start " + m_words[0] : "";
        const auto fits = [least](double value) { return value >= least; };
        const double time =
            ParseNumber(Place(word), Excerpt(m_words[word]), accepted + after, fits);
        return RequireTime(Place(word), m_words[word], time);
    }

    NodeId Node(std::size_t word, std::size_t nodes) const
    {
        return static_cast<NodeId>(ParseInteger(Place(word), Excerpt(m_words[word]), 0, nodes - 1));
    }

    std::string m_place;              ///< file and line, for error messages
    std::vector<std::string> m_words; ///< words of the line
};

/// Graph sequence of MakeContactSequence(). Queries are fast if their simulated times increase. A
/// query for an earlier time than the previous query scans from the first contact again.
class ContactSequence : public LiveGraphSequence
{
  public:
    ContactSequence(std::vector<Contact> contacts, std::size_t nodes, InputTimes times = {})
        : LiveGraphSequence(nodes),
          m_contacts(std::move(contacts)),
          m_times(std::move(times))
    {
        std::stable_sort(m_contacts.begin(),
                         m_contacts.end(),
                         [](const Contact& a, const Contact& b) { return a.start < b.start; });
    }

    const InputTimes& Times() const
    {
        return m_times;
    }

    std::optional<std::vector<Edge>> PossibleEdges() const override
    {
        std::vector<Edge> edges;
        for (const Contact& contact : m_contacts)
        {
            edges.push_back(contact.edge);
        }
        return edges;
    }

  private:
    std::vector<Edge> MakeEdges(Round /*round*/) const override
    {
        MoveTo(Now());
        std::vector<Edge> edges;
        for (const std::size_t index : m_alive)
        {
            edges.push_back(m_contacts[index].edge);
        }
        const auto inOrder = [](const Edge& a, const Edge& b) {
            return std::tie(a.source, a.target) < std::tie(b.source, b.target);
        };
        const auto same = [](const Edge& a, const Edge& b) {
            return a.source == b.source && a.target == b.target;
        };
        std::sort(edges.begin(), edges.end(), inOrder);
        edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
        return edges;
    }

    void MoveTo(double now) const
    {
        if (now < m_reached)
        {
            m_next = 0;
            m_alive.clear();
        }
        m_reached = now;
        for (; m_next < m_contacts.size() && m_contacts[m_next].start <= now; ++m_next)
        {
            m_alive.push_back(m_next);
        }
        m_alive.erase(
            std::remove_if(m_alive.begin(),
                           m_alive.end(),
                           [&](std::size_t index) { return m_contacts[index].end <= now; }),
            m_alive.end());
    }

    std::vector<Contact> m_contacts; ///< contacts in the order of their start
    /// Earliest and latest time of the contacts, in s, for warnings. The name of the file is empty
    /// if the contacts do not come from a file.
    InputTimes m_times;
    /// Simulated time up to which contacts were scanned, s.
    mutable double m_reached{0.0};
    /// Index in m_contacts of the first contact that starts after m_reached.
    mutable std::size_t m_next{0};
    mutable std::vector<std::size_t> m_alive; ///< indices of the contacts active at m_reached
};

} // namespace

std::vector<Contact>
ParseContacts(std::istream& text, const std::string& name, std::size_t nodes)
{
    std::vector<Contact> contacts;
    ForEachContentLine(text, [&](std::size_t number, const std::string& line) {
        contacts.push_back(ContactLine(name, number, line).Parse(nodes));
    });
    DPDL_REFUSE_IF(contacts.empty(),
                   "contact file '" + name + "' has no contact; expected one contact a line");
    std::stable_sort(contacts.begin(), contacts.end(), [](const Contact& a, const Contact& b) {
        return a.start < b.start;
    });
    return contacts;
}

std::shared_ptr<GraphSequence>
ReadContactFile(const std::string& path, std::size_t nodes, double start)
{
    std::ifstream file = OpenInputFile("contact file", path);
    InputTimes times{"contact file '" + path + "'", LONGEST_TIME, 0.0, "--contactsStart=SECONDS"};
    std::vector<Contact> contacts;
    double last = 0.0;
    for (Contact contact : ParseContacts(file, path, nodes))
    {
        last = std::max(last, contact.end);
        contact.start = std::max(0.0, contact.start - start);
        contact.end -= start;
        if (contact.end > 0.0)
        {
            times.first = std::min(times.first, contact.start);
            times.last = std::max(times.last, contact.end);
            contacts.push_back(contact);
        }
    }
    DPDL_REFUSE_IF(contacts.empty(),
                   times.file + ", option 'contactsStart'",
                   ShowNumber(start),
                   "a time before the last contact ends, " + ShowNumber(last) + " s");
    return std::make_shared<ContactSequence>(std::move(contacts), nodes, std::move(times));
}

std::optional<InputTimes>
ContactTimes(const GraphSequence& sequence)
{
    const auto* const contacts = dynamic_cast<const ContactSequence*>(&sequence);
    return contacts != nullptr && !contacts->Times().file.empty() ? std::optional(contacts->Times())
                                                                  : std::nullopt;
}

std::shared_ptr<GraphSequence>
MakeContactSequence(std::vector<Contact> contacts, std::size_t nodes)
{
    return std::make_shared<ContactSequence>(std::move(contacts), nodes);
}

} // namespace dpdl
