// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-checked-run.h"
#include "dpdl-property-draws.h"
#include "dpdl-test-case.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/experiment/recorded-run.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/basic-energy-harvester-helper.h"
#include "ns3/basic-energy-source-helper.h"
#include "ns3/double.h"
#include "ns3/dpdl-application.h"
#include "ns3/dpdl-battery-helper.h"
#include "ns3/dpdl-radio.h"
#include "ns3/energy-source-container.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/mobility-helper.h"
#include "ns3/string.h"
#include "ns3/wifi-radio-energy-model-helper.h"
#include "ns3/yans-wifi-helper.h"

#include <set>

using namespace ns3;
using dpdltest::CheckingScheduler;
using dpdltest::Outcome;
using dpdltest::PropertyDraws;
using dpdltest::SmallRun;

namespace
{

/// Enough for a year.
constexpr double UNLIMITED = 1e9; // J

/// A node's source. @param node has one
Ptr<energy::EnergySource>
SourceOf(Ptr<Node> node)
{
    return node->GetObject<energy::EnergySourceContainer>()->Get(0);
}

/// Gives a node a radio that listens, and a battery that is looked at from time to time.
void
GiveBattery(Ptr<Node> node, double joule, double harvested, Time interval = MilliSeconds(1))
{
    const auto radio = CreateObject<DpdlRadio>();
    node->AggregateObject(radio);
    radio->Switch(DpdlRadio::State::LISTENING);
    BasicEnergySourceHelper battery;
    battery.Set("BasicEnergySourceInitialEnergyJ", DoubleValue(joule));
    battery.Set("PeriodicEnergyUpdateInterval", TimeValue(interval));
    const energy::EnergySourceContainer source = battery.Install(node);
    if (harvested > 0.0)
    {
        BasicEnergyHarvesterHelper harvester;
        const std::string power = dpdl::ShowNumber(harvested);
        harvester.Set("HarvestablePower",
                      StringValue("ns3::ConstantRandomVariable[Constant=" + power + "]"));
        harvester.Set("PeriodicHarvestedPowerUpdateInterval", TimeValue(interval));
        harvester.Install(source);
    }
}

/// Gives nodes WiFi in ad hoc mode, and batteries from which ns-3's own model draws.
void
GiveWifi(const NodeContainer& nodes, double joule)
{
    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    MobilityHelper().Install(nodes);
    WifiHelper wifi;
    const NetDeviceContainer cards = wifi.Install(phy, mac, nodes);
    InternetStackHelper stack;
    stack.Install(nodes);
    // ns-3's automatic streams would depend on the runs before this one.
    stack.AssignStreams(nodes, 100000 + wifi.AssignStreams(cards, 100000));
    Ipv4AddressHelper("10.1.0.0", "255.255.0.0").Assign(cards);
    BasicEnergySourceHelper battery;
    battery.Set("BasicEnergySourceInitialEnergyJ", DoubleValue(joule));
    // The model stops at 22 %, before the source is empty.
    battery.Set("BasicEnergyHighBatteryThreshold", DoubleValue(0.55));
    battery.Set("BasicEnergyLowBatteryThreshold", DoubleValue(0.5));
    WifiRadioEnergyModelHelper().Install(cards, battery.Install(nodes));
}

/**
 * @ingroup dpdl-tests
 * @brief A battery loses what the radio takes, no more and no less, and nothing without power.
 */
class DpdlBatteryBalanceTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const auto node = CreateObject<Node>();
        GiveBattery(node, 1.0, 0.0);
        const auto radio = ConnectDpdlBattery(node);
        for (int i = 0; i < 300; ++i)
        {
            const auto state = static_cast<DpdlRadio::State>(i * 7 % DpdlRadio::STATES);
            Simulator::Schedule(MicroSeconds(100123 * i), &DpdlRadio::Switch, radio, state);
        }
        int changes = 0;
        radio->TraceConnectWithoutContext("Powered",
                                          Callback<void, bool>([&changes](bool) { ++changes; }));
        Simulator::Stop(Seconds(60));
        Simulator::Run();
        double taken = 0.0;
        for (std::size_t i = 0; i < DpdlRadio::STATES; ++i)
        {
            taken += radio->JouleIn(static_cast<DpdlRadio::State>(i));
        }
        // ns-3's source rounds what it loses between two looks to 1e-9 J.
        const double lost = 1.0 - SourceOf(node)->GetRemainingEnergy();
        NS_TEST_EXPECT_MSG_EQ_TOL(lost, taken, 3e-5, "sum");
        // The limit is 10 % of what it held; a look comes each millisecond, at 56.4 mW at most.
        NS_TEST_EXPECT_MSG_EQ_TOL(taken, 0.9, 1e-4, "empty");
        NS_TEST_EXPECT_MSG_EQ(changes, 1, "once");
        NS_TEST_EXPECT_MSG_EQ(radio->IsPowered(), false, "gone");
        Simulator::Destroy();
    }
};

/// One run with random batteries, looked at before each event.
class BatteryCase
{
  public:
    /// @param number decides everything @param trace path
    BatteryCase(uint32_t number, const std::string& trace)
        : m_draws(number),
          m_settings(SmallRun(trace))
    {
        m_settings.nodes = 2 + m_draws.Below(5);
        m_settings.rounds = 1 + m_draws.Below(6);
        m_settings.evaluateEvery = 0;
        m_settings.samples = 100;
        m_settings.testSamples = 10;
        m_settings.algorithm = m_draws.Pick<std::string>({"dyn-d2p", "const-d2p", "sgp"});
        m_settings.topology =
            m_draws.Pick<std::string>({"complete", "ring", "star", "exponential"});
        m_settings.lossPolicy =
            m_draws.Pick({dpdl::LossPolicy::NONE, dpdl::LossPolicy::RUNNING_SUM});
        m_isUnlimited = m_draws.Chance(0.2);
        m_settings.drop = m_isUnlimited ? 0.0 : m_draws.Pick({0.0, 0.1});
    }

    /// @return what is violated; "" if nothing
    std::string Judge()
    {
        Run();
        Simulator::Destroy();
        Expect(m_outcome.complete || !m_isUnlimited, "unlimited batteries end a run");
        if (m_isUnlimited)
        {
            dpdl::RunOptions plain = m_settings;
            plain.deadline.kind = dpdl::Deadline::Kind::NONE;
            Expect(dpdltest::RunInLockstep(plain) == m_outcome, "differs from a run in lockstep");
        }
        const dpdl::TraceReader trace(m_settings.trace);
        // Power that fails when all rounds are done changes nothing.
        const bool hasFailed = trace.SummaryNumber("lifetime_first").has_value();
        const bool isShort = trace.SummaryNumber("rounds").value_or(0.0) < m_settings.rounds;
        Expect(!hasFailed || m_deaths > 0, "a death that was none");
        Expect(hasFailed || !isShort, "rounds are missing");
        Expect(hasFailed || !trace.HasViolation("nodes-present"), "a claim void for nothing");
        Expect(std::fabs(trace.SummaryNumber("mass_error").value_or(0.0)) < 1e-11, "mass_error");
        return m_fault;
    }

    /// Nodes that lost their power, over all cases.
    inline static uint32_t s_deaths = 0;

  private:
    void Run()
    {
        ObjectFactory factory;
        factory.SetTypeId(CheckingScheduler::GetTypeId());
        Simulator::SetScheduler(factory);
        NodeContainer nodes(static_cast<uint32_t>(m_settings.nodes));
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            // A look takes 56 uJ at most, less than the tenth that a source keeps when it is empty.
            const double joule = 1e-3 + 1e-4 * m_draws.Below(200);
            const double harvested = m_draws.Chance(0.3) ? 0.1 : 0.0;
            GiveBattery(nodes.Get(i), m_isUnlimited ? UNLIMITED : joule, harvested);
        }
        DpdlHelper helper(m_settings);
        const ApplicationContainer applications = helper.Install(nodes);
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            const auto radio = nodes.Get(i)->GetObject<DpdlRadio>();
            radio->TraceConnectWithoutContext("Powered", MakeCallback(&BatteryCase::Power, this));
            applications.Get(i)->TraceConnectWithoutContext(
                "Tx",
                MakeBoundCallback(&BatteryCase::Send, this, radio));
        }
        Watch(helper);
        Simulator::Run();
        CheckingScheduler::s_check = nullptr;
        const bool isComplete = helper.Finish();
        Collect(helper.Experiment(), m_outcome);
        Expect(isComplete, helper.Experiment().StallReason());
        CheckReleases(helper.Experiment());
    }

    void Watch(DpdlHelper& helper)
    {
        helper.StopAtEnd();
        helper.Experiment().Recorder().SetProgressCallback([this](const dpdl::Progress& progress) {
            m_outcome.rounds.emplace_back(progress.accuracy, progress.epsilon.value_or(0.0));
            if (progress.round == progress.rounds)
            {
                Simulator::Stop();
            }
        });
        CheckingScheduler::s_check = [this, &helper]() {
            const double error = std::fabs(helper.Experiment().Mass().Error());
            Expect(error <= 1e-12 * m_settings.nodes, "mass");
            const bool isEndless = Simulator::Now() > Seconds(100);
            Expect(!isEndless, "does not end");
            isEndless ? Simulator::Stop() : void();
        };
    }

    /// What a node's step released once is not released again, whatever its battery does.
    void CheckReleases(dpdl::Experiment& experiment)
    {
        for (uint32_t node = 0; node < m_settings.nodes; ++node)
        {
            std::set<uint32_t> rounds;
            for (const dpdl::Release& release : experiment.Recorder().Releases().ForNode(node))
            {
                Expect(rounds.insert(release.round).second, "released twice");
            }
        }
    }

    void Power(bool isPowered)
    {
        m_deaths += isPowered ? 0 : 1;
        s_deaths += isPowered ? 0 : 1;
    }

    static void Send(BatteryCase* self, Ptr<DpdlRadio> radio, Ptr<const Packet>)
    {
        self->Expect(radio->IsPowered(), "a node without power sends");
    }

    void Expect(bool holds, const std::string& law)
    {
        m_fault = holds || !m_fault.empty() ? m_fault : law;
    }

    PropertyDraws m_draws;       ///< random numbers
    dpdl::RunOptions m_settings; ///< of the run
    bool m_isUnlimited{false};   ///< no battery is ever empty
    uint32_t m_deaths{0};        ///< of this case
    Outcome m_outcome;           ///< what the run leaves
    std::string m_fault;         ///< the first
};

/**
 * @ingroup dpdl-tests
 * @brief Mass, releases and ends of runs under random batteries; lossless equality with large ones.
 */
class DpdlBatteryLawsTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const auto dataset = dpdl::LoadDataset("fashion-mnist", "", 24, 1); // read once
        const uint32_t cases = dpdltest::FromEnvironment("DPDL_PROPERTY_CASES", 100);
        for (uint32_t number = 0; number < cases; ++number)
        {
            const std::string fault = BatteryCase(number, CreateTempDirFilename("b.db")).Judge();
            NS_TEST_EXPECT_MSG_EQ(fault, "", "case " << number);
        }
        NS_TEST_EXPECT_MSG_GT(BatteryCase::s_deaths, cases / 2, "many batteries become empty");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A run ends whose nodes are without power, though a little is harvested all the time.
 */
class DpdlWeakHarvestTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("weak.db"));
        settings.nodes = 2;
        settings.rounds = 3;
        settings.evaluateEvery = 0;
        settings.compute = dpdl::StepTime{};
        settings.compute->seconds = 2 * 3600;
        NodeContainer nodes(2);
        for (std::uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            // An hour takes 203 J: more than a tenth, and no more than there is, which ns-3
            // asserts.
            GiveBattery(nodes.Get(i), 1000.0, 1e-9, Hours(1));
            SourceOf(nodes.Get(i))
                ->SetAttribute("BasicEnergyLowBatteryThreshold", DoubleValue(0.9));
            SourceOf(nodes.Get(i))
                ->SetAttribute("BasicEnergyHighBatteryThreshold", DoubleValue(0.95));
        }
        DpdlHelper helper(settings);
        helper.Install(nodes);
        helper.StopAtEnd();
        Simulator::Stop(Days(60));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), Days(30) + Hours(1), "the first look, and a month");
        NS_TEST_EXPECT_MSG_EQ(helper.Finish(), true, "complete");
        Simulator::Destroy();
        const dpdl::TraceReader trace(settings.trace);
        NS_TEST_EXPECT_MSG_EQ(trace.SummaryNumber("batteries_empty").value_or(0.0), 2.0, "both");
        NS_TEST_EXPECT_MSG_EQ(trace.SummaryNumber("rounds").value_or(9.0), 0.0, "no round is over");
        NS_TEST_EXPECT_MSG_EQ(trace.SummaryNumber("simulated_seconds").value_or(0.0),
                              3600.0,
                              "until the last node fell silent");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief WiFi cards and batteries of a script: their energy, their bytes, and nodes that fail.
 */
class DpdlOwnDevicesTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("wifi.db"));
        dpdl::SetOption(settings, "network", "packet");
        dpdl::SetOption(settings, "compute", "fixed:1s");
        dpdl::SetOption(settings, "deadline", "2s");
        // An idle card takes 0.82 W, one that sends 1.14 W.
        dpdltest::RunInSimulator(
            settings,
            [](DpdlHelper& helper, ApplicationContainer) { helper.StopAtEnd(); },
            {},
            [](const NodeContainer& nodes) { GiveWifi(nodes, 4.0); });
        const dpdl::TraceReader trace(settings.trace);
        const auto number = [&trace](const std::string& item) {
            return trace.SummaryNumber(item).value_or(0.0);
        };
        const auto air = dpdl::RecordedRun(settings.trace).FindSetting("airBytesByDevices");
        // Releases of ns-3 differ in the time of a round, and so in what is sent before the end.
        NS_TEST_EXPECT_MSG_GT(std::stod(air.value_or("0")), 1e5, "bytes of some messages");
        NS_TEST_EXPECT_MSG_EQ_TOL(number("rounds"), 3.0, 2.1, "at most a round a second");
        NS_TEST_EXPECT_MSG_EQ(number("batteries_empty"), 5.0, "all");
        NS_TEST_EXPECT_MSG_GT(number("energy_worst"), 0.82 * number("rounds"), "idle");
        NS_TEST_EXPECT_MSG_LT(number("energy_worst"), 1.14 * (number("rounds") + 1), "sending");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Batteries differ between nodes, also those of other calls.
 */
class DpdlBatterySpreadTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        NodeContainer nodes(6);
        DpdlBatteryHelper batteries;
        batteries.SetCapacity(10.0, 0.5);
        batteries.Install(NodeContainer(nodes.Get(0), nodes.Get(1)));
        batteries.Install(NodeContainer(nodes.Get(2), nodes.Get(3)));
        DpdlBatteryHelper(batteries).Install(NodeContainer(nodes.Get(4), nodes.Get(5)));
        std::set<double> energies;
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            energies.insert(SourceOf(nodes.Get(i))->GetInitialEnergy());
        }
        NS_TEST_EXPECT_MSG_EQ(energies.size(), nodes.GetN(), "each its own");
        Simulator::Destroy();
    }
};

const dpdltest::Suite g_dpdlBatteryTestSuite(
    "dpdl-battery",
    {new DpdlBatteryBalanceTest("a battery loses what its radio takes"),
     new DpdlBatteryLawsTest("laws under random batteries"),
     new DpdlWeakHarvestTest("nodes that are not recharged in a month are gone"),
     new DpdlBatterySpreadTest("batteries by node"),
     new DpdlOwnDevicesTest("WiFi and batteries of a script")},
    ns3::TestSuite::Type::SYSTEM);

} // namespace
