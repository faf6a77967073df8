// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-run.h"
#include "dpdl/base/errors.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/double.h"
#include "ns3/dpdl-lr-wpan-network.h"
#include "ns3/dpdl-pacer.h"
#include "ns3/dpdl-radio.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

using namespace ns3;
using dpdltest::SmallRun;

namespace
{

/**
 * @ingroup dpdl-tests
 * @brief A meter multiplies seconds, current and voltage, and loses no second.
 */
class DpdlRadioMeterTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Ptr<DpdlRadio> radio = CreateObject<DpdlRadio>();
        radio->SetAttribute("Voltage", DoubleValue(2.0));
        radio->SetAttribute("ReceiveCurrent", DoubleValue(0.5));
        const auto at = [&radio](double seconds, DpdlRadio::State state) {
            Simulator::Schedule(Seconds(seconds), &DpdlRadio::Switch, radio, state);
        };
        at(1.0, DpdlRadio::State::LISTENING);
        at(3.0, DpdlRadio::State::RECEIVING);
        at(3.25, DpdlRadio::State::SENDING);
        at(3.5, DpdlRadio::State::RECEIVING);
        Simulator::Stop(Seconds(4.0));
        Simulator::Run();
        const std::vector<double> seconds{1.0, 2.0, 0.75, 0.25};
        for (std::size_t i = 0; i < DpdlRadio::STATES; ++i)
        {
            const Time time = radio->TimeIn(static_cast<DpdlRadio::State>(i));
            NS_TEST_EXPECT_MSG_EQ(time, Seconds(seconds[i]), "state " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(radio->JouleIn(DpdlRadio::State::RECEIVING), 0.75, "the last state");
        // Twice 18.8 mA, the CC2420's current, for two seconds.
        const double listening = radio->JouleIn(DpdlRadio::State::LISTENING);
        NS_TEST_EXPECT_MSG_EQ_TOL(listening, 0.0752, 1e-12, "a state before");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A device is given datagrams in its slots, and only what it can send by their end.
 */
class DpdlPacerSlotTest : public dpdltest::Case
{
    using Case::Case;

    /// Gives the pacer what it takes, until it has taken five.
    void Drain()
    {
        const Time ahead = m_pacer.TimeOf(1, BYTES);
        while (m_sent.size() < 5 && m_pacer.MaySend(ahead, BYTES))
        {
            m_pacer.Add(BYTES);
            m_sent.push_back(Simulator::Now().GetMilliSeconds());
        }
        if (m_sent.size() < 5)
        {
            Simulator::Schedule(m_pacer.WaitFor(ahead / 2, BYTES), &DpdlPacerSlotTest::Drain, this);
        }
    }

    void DoRun() override
    {
        m_pacer.SetRate(DataRate("80kbps")); // 100 ms a datagram
        m_pacer.SetSlot(Seconds(1), MilliSeconds(300), MilliSeconds(550));
        Simulator::Schedule(MilliSeconds(500), &DpdlPacerSlotTest::Drain, this);
        Simulator::Run();
        const std::vector<int64_t> expected{1300, 1350, 2300, 2350, 3300};
        NS_TEST_EXPECT_MSG_EQ((m_sent == expected),
                              true,
                              "two in a slot, the second when the "
                              "first is half sent");
        m_pacer.SetSlot(Seconds(1), MilliSeconds(300), MilliSeconds(350));
        Refuse([&] { m_pacer.RequireFit(BYTES); }, "a slot of 50 ms");
        Simulator::Destroy();
    }

    static constexpr uint32_t BYTES = 1000; ///< of a datagram
    DpdlPacer m_pacer;                      ///< under test
    std::vector<int64_t> m_sent;            ///< when datagrams left, in ms
};

/// What a run of four sensors leaves.
struct Sensed
{
    bool complete{false};                  ///< all rounds were done
    std::vector<std::vector<Time>> states; ///< how long each radio was in each state
    Time end;                              ///< when the last round was
    DpdlRadio::Frames frames;              ///< of all radios
    double lost{0};                        ///< messages
    double joule{0};                       ///< item energy_total
};

/// Runs three rounds. @param isGateway a star, else a mesh
Sensed
Sense(const std::string& trace, bool isGateway, const std::string& transport, double awake)
{
    dpdl::RunOptions settings = SmallRun(trace);
    settings.nodes = 4;
    settings.rounds = 3;
    for (const auto& [option, value] : std::vector<std::pair<std::string, std::string>>{
             {"model", "cnn-xs"},
             {"network", "packet"},
             {"transport", transport},
             {"chunk", "2000"},
             {"deadline", "60s"},
             {"topology", isGateway ? "star" : "complete"}})
    {
        dpdl::SetOption(settings, option, value);
    }
    RngSeedManager::SetSeed(settings.seed.seed);
    RngSeedManager::SetRun(settings.seed.run);
    NodeContainer nodes(4);
    DpdlLrWpanNetwork network;
    network.SetDutyCycle(Seconds(2), awake);
    network.FitTo(settings);
    isGateway ? network.PlaceAroundGateway(nodes, 20.0) : network.PlaceOnGrid(nodes, 20.0);
    network.Install(nodes);
    DpdlHelper helper(settings);
    helper.Install(nodes);
    Sensed sensed;
    helper.Experiment().Recorder().SetProgressCallback([&](const dpdl::Progress& progress) {
        for (uint32_t i = 0; progress.round == settings.rounds && i < nodes.GetN(); ++i)
        {
            sensed.end = Simulator::Now();
            sensed.states.emplace_back();
            const Ptr<DpdlRadio> radio = nodes.Get(i)->GetObject<DpdlRadio>();
            for (std::size_t state = 0; state < DpdlRadio::STATES; ++state)
            {
                const Time time = radio->TimeIn(static_cast<DpdlRadio::State>(state));
                sensed.states.back().push_back(time);
            }
            sensed.frames.sent += radio->Count().sent;
            sensed.frames.fragments += radio->Count().fragments;
            Simulator::Stop();
        }
    });
    Simulator::Run();
    sensed.complete = helper.Finish();
    Simulator::Destroy();
    const dpdl::TraceReader reader(trace);
    sensed.lost = reader.SummaryNumber("messages_lost").value_or(-1.0);
    sensed.joule = reader.SummaryNumber("energy_total").value_or(-1.0);
    return sensed;
}

/**
 * @ingroup dpdl-tests
 * @brief What sensors send arrives in pieces; their radios sleep as set, and take what they say.
 */
class DpdlSensorsTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const std::string trace = CreateTempDirFilename("run.db");
        for (const bool isGateway : {true, false})
        {
            const Sensed alone = Sense(trace, isGateway, "udp", 1.0);
            CheckEnergy(alone, 1.0);
            const Sensed asleep = Sense(trace, isGateway, "broadcast", 0.75);
            CheckEnergy(asleep, 0.75);
            const Sensed again = Sense(trace, isGateway, "broadcast", 0.75);
            NS_TEST_EXPECT_MSG_EQ((again.states == asleep.states), true, "seed and run decide");
            // Four messages to all, or one to each neighbour: six or twelve.
            const uint64_t links = isGateway ? 6 : 12;
            CheckFragments(alone, links * 3 * 3, 18);
            CheckFragments(asleep, 4 * 3 * 3, 20);
        }
    }

    /// @param messages that were sent @param pieces most frames of one
    void CheckFragments(const Sensed& sensed, uint64_t messages, uint64_t pieces)
    {
        NS_TEST_EXPECT_MSG_EQ(sensed.complete, true, "complete");
        NS_TEST_EXPECT_MSG_EQ(sensed.lost, 0.0, "nothing is lost in slots");
        // 5992 bytes are two chunks of 2000 and one of 1992; a frame holds about a hundred.
        NS_TEST_EXPECT_MSG_GT(sensed.frames.fragments, messages * 2000 / 127, "really cut");
        NS_TEST_EXPECT_MSG_LT(sensed.frames.fragments, messages * (pieces + 10), "and not more");
    }

    void CheckEnergy(const Sensed& sensed, double awake)
    {
        const std::vector<double> currents{20e-6, 18.8e-3, 18.8e-3, 17.4e-3};
        double joule = 0.0;
        for (const std::vector<Time>& states : sensed.states)
        {
            Time all;
            for (std::size_t i = 0; i < states.size(); ++i)
            {
                all += states[i];
                joule += 3.0 * currents[i] * states[i].GetSeconds();
            }
            NS_TEST_EXPECT_MSG_EQ(all, sensed.end, "no second is missing");
            NS_TEST_EXPECT_MSG_EQ_TOL(states[0].GetSeconds(),
                                      (1.0 - awake) * sensed.end.GetSeconds(),
                                      (awake < 1.0 ? 0.5 : 0.001),
                                      "asleep");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sensed.joule, joule, 1e-9, "the trace's energy");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A sender alone is as fast as Latre et al. (Journal of Networks 1(1), 2006) computed it.
 */
class DpdlThroughputTest : public dpdltest::Case
{
    using Case::Case;

    static constexpr uint32_t FRAMES = 400;  ///< sent one behind the other
    static constexpr uint32_t PAYLOAD = 100; ///< bytes of each

    void DoRun() override
    {
        RngSeedManager::SetSeed(1);
        NodeContainer nodes(2);
        DpdlLrWpanNetwork::PlaceOnGrid(nodes, 5.0);
        DpdlLrWpanNetwork network;
        network.Install(nodes);
        const Ptr<NetDevice> radio = nodes.Get(0)->GetDevice(0);
        const Time begin = Seconds(5); // behind what IPv6 sends at first
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            Simulator::Schedule(begin, [radio] {
                radio->Send(Create<Packet>(PAYLOAD), radio->GetBroadcast(), 0);
            });
        }
        const auto counted = nodes.Get(0)->GetObject<DpdlRadio>();
        uint64_t before = 0;
        Simulator::Schedule(begin, [&before, counted] { before = counted->Count().sent; });
        Simulator::Schedule(begin + Seconds(1.5), [&, counted] {
            // No acknowledgement, short addresses: backoff of 3.5 slots of 20 symbols on average,
            // 6 bytes of preamble and length, 11 of header and check sum, 40 symbols of silence.
            const double latre = 3.5 * 320e-6 + 8.0 * (6 + 11 + PAYLOAD) / 250e3 + 640e-6;
            // The formula leaves out that the radio listens and turns round: 8 and 12 symbols.
            const double frame = latre + 20 * 16e-6;
            const double sent = counted->Count().sent - before;
            NS_TEST_EXPECT_MSG_EQ_TOL(sent / 1.5, 1.0 / frame, 0.02 / frame, "frames a second");
        });
        Simulator::Stop(begin + Seconds(2));
        Simulator::Run();
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Networks that cannot work are refused.
 */
class DpdlLrWpanMistakesTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        using Mistake = std::pair<uint32_t, double>;
        for (const auto& [count, awake] : {Mistake{255, 1.0}, {8, 0.1}, {8, 0.0}, {8, 1.5}})
        {
            NodeContainer nodes(count);
            DpdlLrWpanNetwork::PlaceOnGrid(nodes, 5.0);
            DpdlLrWpanNetwork network;
            const auto install = [&network, &nodes, awake = awake] {
                network.SetDutyCycle(Seconds(2), awake);
                network.Install(nodes);
            };
            Refuse(install, std::to_string(count) + " nodes, awake " + std::to_string(awake));
            Simulator::Destroy();
        }
    }
};

const dpdltest::Suite g_dpdlLrWpanTestSuite(
    "dpdl-lr-wpan",
    {new DpdlRadioMeterTest("energy is current, voltage and time"),
     new DpdlPacerSlotTest("datagrams wait for their slot"),
     new DpdlSensorsTest("runs over LR-WPAN, 6LoWPAN and IPv6"),
     new DpdlThroughputTest("throughput of one sender"),
     new DpdlLrWpanMistakesTest("too many nodes, and slots that are too short")},
    ns3::TestSuite::Type::SYSTEM);

} // namespace
