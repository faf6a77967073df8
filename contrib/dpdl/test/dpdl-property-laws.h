// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PROPERTY_LAWS_H
#define DPDL_PROPERTY_LAWS_H

#include "dpdl-property-case.h"
#include "dpdl-property-certificate.h"
#include "dpdl/experiment/experiment.h"
#include "dpdl/trace/trace-reader.h"

#include <cmath>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace dpdltest
{

/// What was seen of a run while it went on.
struct PropertyNotes
{
    /// Round, source, target, chunk.
    using Message = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

    std::set<Message> sent; ///< every message that left a node
    /// Round and source of those with mass; others have the public start of a node without any.
    PropertyCertificate::Releases weighty;
    std::vector<int64_t> lastMix; ///< by node: the last round that it mixed; -1: none
};

/// What holds after every run, whatever has failed in it.
class PropertyLaws
{
  public:
    /**
     * @param subject the case
     * @param experiment finished
     * @param notes of the run
     */
    PropertyLaws(const PropertyCase& subject,
                 dpdl::Experiment& experiment,
                 const PropertyNotes& notes)
        : m_case(subject),
          m_experiment(experiment),
          m_notes(notes),
          m_trace(subject.settings.trace)
    {
    }

    /// The first law that does not hold, one line; "" if all do. @param isComplete says the run
    std::string Judge(bool isComplete)
    {
        for (const dpdl::FailureEvent& event : m_experiment.Settings().failureEvents)
        {
            m_mayCrash = m_mayCrash || event.kind == dpdl::FailureKind::NODE_CRASH;
            m_mayPause = m_mayPause || event.kind == dpdl::FailureKind::NODE_PAUSE;
        }
        CheckEnd(isComplete);
        CheckStates();
        CheckDeliveries();
        CheckReleases();
        return m_fault;
    }

  private:
    /// How a message is called.
    struct Name
    {
        const dpdl::Delivery& row; ///< its row

        friend std::ostream& operator<<(std::ostream& out, const Name& name)
        {
            return out << "message of round " << name.row.round << ", " << name.row.source << "->"
                       << name.row.target << ", chunk " << name.row.chunk;
        }
    };

    /// Notes a fault, if it is the first. @param holds whether the law does @param law as violated
    template <typename... Parts>
    void Expect(bool holds, const Parts&... law)
    {
        if (!holds && m_fault.empty())
        {
            std::ostringstream text;
            (text << ... << law);
            m_fault = text.str();
        }
    }

    /// Complete, or a reason why not that the case gives. @param isComplete says the run
    void CheckEnd(bool isComplete)
    {
        const std::string reason = m_experiment.StallReason();
        Expect(isComplete == reason.empty(), "neither complete nor stalled");
        Expect(m_trace.Complete() == isComplete, "the trace does not know whether it is complete");
        const bool waits = std::isinf(m_experiment.DeadlineSeconds());
        const bool isLossless = m_experiment.Settings().failureEvents.empty() && waits;
        const bool mayStop =
            m_mayPause || (waits && !isLossless) || reason.rfind("every node has crashed", 0) == 0;
        Expect(isComplete || mayStop || IsLimited(), "stopped for no reason: ", reason);
        const double error = m_trace.SummaryNumber("mass_error").value_or(0.0);
        const auto nodes = static_cast<double>(m_case.settings.nodes);
        Expect(std::fabs(error) <= 1e-12 * nodes, "mass_error of the summary");
    }

    /// True where even a network that drops nothing may lose a message.
    bool IsLimited() const
    {
        const auto& s = m_case.settings;
        bool isLimited = s.lossPolicy == dpdl::LossPolicy::RELIABLE;
        for (const auto& [name, value] : m_case.attributes)
        {
            isLimited =
                isLimited || (name.find("QueueLimit") != std::string::npos && value != "none");
        }
        return isLimited;
    }

    /// Weights and models of nodes that have done their rounds.
    void CheckStates()
    {
        const std::size_t size = m_experiment.Parameters().Dimension();
        const float* const initial = InitialState(size);
        for (uint32_t node = 0; node < m_case.settings.nodes; ++node)
        {
            const dpdl::Learner& learner = m_experiment.At(node);
            for (std::size_t chunk = 0; chunk < learner.Chunks().Count(); ++chunk)
            {
                const double mantissa = m_experiment.Mass().Weight(node, chunk).Mantissa();
                Expect(std::isfinite(mantissa) && mantissa >= 0.0, "w of node ", node);
            }
            for (std::size_t i = 0; learner.State() && i < size; ++i)
            {
                const float z = learner.State()->Data()[i];
                Expect(z == 0.0F || std::isnormal(z), "node ", node, ": z is ", z);
                // All start alike, and without training no mean of equal things moves, unless they
                // lie.
                Expect(initial == nullptr || !m_experiment.Settings().liars.IsEmpty() ||
                           std::fabs(z - initial[i]) < 1e-5F,
                       "node ",
                       node,
                       ": z has moved without training");
            }
        }
    }

    /// z^0 of a run in which nothing moves z, otherwise nullptr. @param size its length
    const float* InitialState(std::size_t size)
    {
        if (m_case.settings.train || m_case.settings.compress.value_or("none") != "none")
        {
            return nullptr;
        }
        const auto dataset = dpdl::LoadDataset(m_case.settings.dataset, "", 24, 1);
        const dpdl::ModelSpec model =
            dpdl::MakeModel(m_case.settings.model, dataset->shape, dataset->classes);
        m_initial = dpdl::InitialParameters(model, m_case.settings.init, m_case.settings.seed);
        return m_initial.size() == size ? m_initial.data() : nullptr;
    }

    /// One row for every message, and none that contradicts itself.
    void CheckDeliveries()
    {
        std::set<PropertyNotes::Message> seen;
        for (const dpdl::Delivery& row : m_trace.Deliveries(m_case.settings.nodes))
        {
            const PropertyNotes::Message key{row.round, row.source, row.target, row.chunk};
            const Name name{row};
            Expect(m_notes.sent.count(key) == 1, name, " was never sent");
            Expect(seen.insert(key).second, name, " has two rows");
            Expect(!row.arrivedAt || *row.arrivedAt >= row.sentAt, name, " came before it left");
            const bool isEarly = row.usedInRound && *row.usedInRound < row.round;
            Expect(!isEarly || m_case.settings.schedule == dpdl::Schedule::WAIT_FREE,
                   name,
                   " was used too early");
            CheckFate(row, name);
        }
        Expect(seen.size() == m_notes.sent.size(), "messages without a row");
    }

    /// What goes with the fate of a message. @param row its row @param name what to call it
    void CheckFate(const dpdl::Delivery& row, const Name& name)
    {
        const dpdl::LossPolicy policy = m_case.settings.lossPolicy;
        const bool isOwed = policy == dpdl::LossPolicy::RUNNING_SUM;
        const bool isBack = policy == dpdl::LossPolicy::REFUND;
        switch (row.fate)
        {
        case dpdl::DeliveryFate::DELIVERED:
        case dpdl::DeliveryFate::LATE: {
            Expect(row.arrivedAt.has_value(), name, " arrived at no time");
            const bool isOver = m_notes.lastMix[row.target] + 1 < m_case.settings.rounds;
            const auto last = static_cast<uint32_t>(m_case.settings.rounds);
            const bool isAfter = row.fate == dpdl::DeliveryFate::LATE &&
                                 m_experiment.At(row.target).CurrentRound() == last;
            Expect(row.usedInRound || m_mayCrash || isOver || isAfter, name, " was never used");
            break;
        }
        case dpdl::DeliveryFate::LOST:
            Expect(!row.arrivedAt, name, " was lost and arrived");
            // Where every loss comes back, only what was on its way at the end is lost.
            Expect(!row.usedInRound || isOwed, name, " was lost and used");
            break;
        case dpdl::DeliveryFate::REFUNDED:
            Expect(isBack && !row.arrivedAt, name, " was refunded");
            break;
        case dpdl::DeliveryFate::CORRUPT:
            Expect(m_experiment.Settings().compression.ofDifferences && row.arrivedAt,
                   name,
                   " could not be read");
            break;
        default:
            Expect(false, name, " has a fate that this network does not know");
        }
    }

    /// At most one release of a node in a round, and all of those that nothing kept from releasing.
    void CheckReleases()
    {
        PropertyCertificate::Releases seen;
        std::vector<uint32_t> count(m_case.settings.nodes);
        m_trace.ReadReleases(m_case.settings.nodes, [&](const dpdl::Release& row) {
            const bool isFirst = seen.insert({row.round, row.node}).second;
            Expect(isFirst, "node ", row.node, " has released twice in round ", row.round);
            Expect(m_case.settings.train, "node ", row.node, " has released without training");
            ++count[row.node];
        });
        for (uint32_t node = 0; m_case.settings.train && !m_mayCrash && node < count.size(); ++node)
        {
            const bool isDone = m_experiment.At(node).Finished();
            Expect(!isDone || count[node] == m_case.settings.rounds,
                   "node ",
                   node,
                   " has released ",
                   count[node],
                   " times");
        }
        if (m_experiment.Settings().preset.correlate)
        {
            for (const auto& release : m_notes.weighty)
            {
                Expect(seen.count(release) > 0,
                       "node ",
                       release.second,
                       " has sent a model in round ",
                       release.first,
                       " that is not in the ledger");
            }
            const std::string fault =
                PropertyCertificate(m_experiment, m_trace, seen, m_case.number).Fault();
            Expect(fault.empty(), fault);
        }
    }

    const PropertyCase& m_case;     ///< what was run
    dpdl::Experiment& m_experiment; ///< what it left
    const PropertyNotes& m_notes;   ///< what was seen
    dpdl::TraceReader m_trace;      ///< what it wrote
    std::vector<float> m_initial;   ///< z^0
    bool m_mayCrash{false};         ///< a node may crash
    bool m_mayPause{false};         ///< a node may pause
    std::string m_fault;            ///< the first fault
};

} // namespace dpdltest

#endif // DPDL_PROPERTY_LAWS_H
