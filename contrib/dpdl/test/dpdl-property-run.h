// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PROPERTY_RUN_H
#define DPDL_PROPERTY_RUN_H

#include "dpdl-checked-run.h"
#include "dpdl-property-case.h"
#include "dpdl-property-laws.h"

#include "ns3/config.h"
#include "ns3/constant-velocity-mobility-model.h"
#include "ns3/dpdl-application.h"
#include "ns3/dpdl-header.h"
#include "ns3/string.h"

namespace dpdltest
{

/// Runs one case and judges it.
class PropertyRun
{
  public:
    /// @param subject the case
    explicit PropertyRun(const PropertyCase& subject)
        : m_case(subject)
    {
    }

    /**
     * @brief Runs the case; once.
     * @return what it violates, one line; "" if nothing
     */
    std::string Judge()
    {
        const auto defaults = SetAttributes();
        std::string fault;
        try
        {
            fault = Run();
        }
        catch (const std::exception& error)
        {
            fault = std::string("threw ") + error.what();
        }
        CheckingScheduler::s_check = nullptr;
        ns3::Simulator::Destroy();
        for (const auto& [name, value] : defaults)
        {
            ns3::Config::SetDefault(name, ns3::StringValue(value));
        }
        return fault;
    }

    /// Events that the simulator had.
    uint64_t Events() const
    {
        return m_events;
    }

  private:
    static constexpr uint64_t MOST_EVENTS = 5000000; ///< more are a run that does not end
    static constexpr double LONGEST = 20000.0;       ///< simulated seconds; likewise
    static constexpr double LONGEST_OF_RESTLESS = 5; ///< simulated seconds; see StopAtEnd()

    /// Sets what the case asks for. @return what was there before
    std::vector<std::pair<std::string, std::string>> SetAttributes() const
    {
        std::vector<std::pair<std::string, std::string>> before;
        for (const auto& [name, value] : m_case.attributes)
        {
            const std::size_t end = name.rfind("::");
            ns3::TypeId::AttributeInformation information;
            const ns3::TypeId type = ns3::TypeId::LookupByName(name.substr(0, end));
            type.LookupAttributeByName(name.substr(end + 2), &information);
            before.emplace_back(name,
                                information.initialValue->SerializeToString(information.checker));
            ns3::Config::SetDefault(name, ns3::StringValue(value));
        }
        return before;
    }

    /// The nodes, with places if the case wants them.
    ns3::NodeContainer MakeNodes() const
    {
        ns3::NodeContainer nodes;
        nodes.Create(static_cast<uint32_t>(m_case.settings.nodes));
        if (m_case.network)
        {
            m_case.network(nodes);
            return nodes;
        }
        PropertyDraws draws(m_case.number + 0x80000000U);
        for (uint32_t i = 0; m_case.isPlaced && i < nodes.GetN(); ++i)
        {
            const auto model = ns3::CreateObject<ns3::ConstantVelocityMobilityModel>();
            const double x = draws.Below(1000);
            model->SetPosition(ns3::Vector(x, draws.Below(1000), 0.0));
            model->SetVelocity(ns3::Vector(draws.Pick({0.0, 100.0, -2000.0}), 0.0, 0.0));
            nodes.Get(i)->AggregateObject(model);
        }
        return nodes;
    }

    /// Builds, runs and looks. @return what is violated
    std::string Run()
    {
        ns3::ObjectFactory factory;
        factory.SetTypeId(CheckingScheduler::GetTypeId());
        ns3::Simulator::SetScheduler(factory);
        ns3::DpdlHelper helper(m_case.settings);
        const ns3::ApplicationContainer applications = helper.Install(MakeNodes());
        Watch(helper, applications);
        ns3::Simulator::Run();
        CheckMass(helper.Experiment());
        const bool isComplete = helper.Finish();
        if (!m_fault.empty())
        {
            return m_fault;
        }
        return PropertyLaws(m_case, helper.Experiment(), m_notes).Judge(isComplete);
    }

    /// Looks before every event, and notes what the applications do.
    void Watch(ns3::DpdlHelper& helper, const ns3::ApplicationContainer& applications)
    {
        for (uint32_t i = 0; i < applications.GetN(); ++i)
        {
            const auto application = applications.Get(i);
            application->TraceConnectWithoutContext("Tx",
                                                    ns3::MakeCallback(&PropertyRun::Sent, this));
            const std::string node = std::to_string(i);
            application->TraceConnect("RoundEnd",
                                      node,
                                      ns3::MakeCallback(&PropertyRun::Mixed, this));
        }
        m_notes.lastMix.assign(applications.GetN(), -1);
        if (m_case.network)
        {
            StopAtEnd(helper);
        }
        CheckingScheduler::s_check = [this, &helper]() {
            ++m_events;
            CheckMass(helper.Experiment());
            const double now = ns3::Simulator::Now().GetSeconds();
            if (m_events > MOST_EVENTS || now > LONGEST)
            {
                Fail("does not end: " + std::to_string(m_events) + " events");
            }
        };
    }

    /// Ends a run whose network never rests: with its last round, or when nothing goes on any more.
    static void StopAtEnd(ns3::DpdlHelper& helper)
    {
        helper.StopAtEnd();
        helper.Experiment().Recorder().SetProgressCallback([](const dpdl::Progress& progress) {
            progress.round == progress.rounds ? ns3::Simulator::Stop() : void();
        });
        ns3::Simulator::Stop(ns3::Seconds(LONGEST_OF_RESTLESS));
    }

    /// The ledger of each chunk. @param experiment whose
    void CheckMass(dpdl::Experiment& experiment)
    {
        const dpdl::MassLedger& mass = experiment.Mass();
        const double limit = 1e-12 * static_cast<double>(m_case.settings.nodes);
        for (std::size_t chunk = 0; chunk < experiment.At(0).Chunks().Count(); ++chunk)
        {
            const double error = mass.ErrorOf(chunk);
            if (!(std::fabs(error) <= limit))
            {
                Fail("mass error " + std::to_string(error) + " of chunk " + std::to_string(chunk));
            }
        }
    }

    /// Ends the run. @param fault why
    void Fail(const std::string& fault)
    {
        if (m_fault.empty())
        {
            m_fault = fault + " at " + std::to_string(ns3::Simulator::Now().GetSeconds()) + " s";
        }
        ns3::Simulator::Stop();
    }

    /// A share is handed to the transport. @param packet with its header
    void Sent(ns3::Ptr<const ns3::Packet> packet)
    {
        ns3::DpdlHeader header;
        packet->PeekHeader(header);
        const PropertyNotes::Message key{header.round, header.source, header.target, header.chunk};
        if (!m_notes.sent.insert(key).second)
        {
            Fail("node " + std::to_string(header.source) + " sent a share twice");
        }
        if (!header.mass.IsZero())
        {
            m_notes.weighty.insert({header.round, header.source});
        }
    }

    /// A round is mixed. @param node whose @param round which one
    void Mixed(std::string node, uint32_t round, double)
    {
        int64_t& last = m_notes.lastMix[std::stoul(node)];
        if (round != last + 1)
        {
            Fail("node " + node + " mixed round " + std::to_string(round) + " out of turn");
        }
        last = round;
    }

    const PropertyCase& m_case; ///< what is run
    PropertyNotes m_notes;      ///< what was seen
    std::string m_fault;        ///< the first fault
    uint64_t m_events{0};       ///< see Events()
};

} // namespace dpdltest

#endif // DPDL_PROPERTY_RUN_H
