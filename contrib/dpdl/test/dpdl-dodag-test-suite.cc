// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-dodag-run.h"
#include "dpdl-test-case.h"

#include "ns3/rng-seed-manager.h"

using namespace ns3;
using dpdltest::CheckingScheduler;
using dpdltest::DodagField;
using dpdltest::DodagRun;
using dpdltest::DodagSettings;
using dpdltest::PropertyDraws;

namespace
{

/**
 * @ingroup dpdl-tests
 * @brief Messages are read as they were written, and what is none is refused.
 */
class DpdlDodagMessageTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        DpdlDodagMessage dio;
        dio.version = 0x01020304;
        dio.rank = 0x0506;
        dio.requests = 7;
        dio.root = Ipv6Address("fd00:db8::1");
        const auto read = DpdlDodagMessage::Read(dio.Write());
        NS_TEST_ASSERT_MSG_EQ(read.has_value(), true, "DIO");
        NS_TEST_EXPECT_MSG_EQ(dio.Write()->GetSize(), 1 + 24, "the base object of RFC 6550, 6.3.1");
        const bool isSame = read->version == dio.version && read->rank == dio.rank &&
                            read->requests == 7 && read->root == dio.root;
        NS_TEST_EXPECT_MSG_EQ(isSame, true, "the same DIO");
        DpdlDodagMessage dao;
        dao.code = DpdlDodagMessage::Code::DAO;
        dao.targets = {{Ipv6Address("fd00:db8::2"), 5}, {Ipv6Address("fd00:db8::3"), 1U << 31}};
        const auto targets = DpdlDodagMessage::Read(dao.Write());
        NS_TEST_ASSERT_MSG_EQ(targets.has_value(), true, "DAO");
        NS_TEST_ASSERT_MSG_EQ(targets->targets.size(), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(targets->targets[1].address, Ipv6Address("fd00:db8::3"), "address");
        NS_TEST_EXPECT_MSG_EQ(targets->targets[1].sequence, 1U << 31, "sequence");
        for (const uint32_t size : {0, 1, 4, 24, 26, 30, 56, 58})
        {
            NS_TEST_EXPECT_MSG_EQ(DpdlDodagMessage::Read(Create<Packet>(size)).has_value(),
                                  false,
                                  size << " zeros");
            const Ptr<Packet> part = dao.Write()->CreateFragment(0, std::min(56U, size));
            NS_TEST_EXPECT_MSG_EQ(DpdlDodagMessage::Read(part).has_value(),
                                  false,
                                  "cut at " << size);
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief On random places every sensor finds a parent, by the fewest hops, and never in a loop.
 */
class DpdlDodagTreeTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 8; ++seed)
        {
            PropertyDraws draws(seed);
            DodagField field(draws, 15);
            ObjectFactory factory;
            factory.SetTypeId(CheckingScheduler::GetTypeId());
            Simulator::SetScheduler(factory);
            RngSeedManager::SetSeed(seed);
            field.Install(true, DodagSettings("", 15, 1));
            std::string fault;
            CheckingScheduler::s_check = [&]() { fault = fault.empty() ? field.Fault() : fault; };
            Simulator::Stop(field.SettlingTime());
            Simulator::Run();
            CheckSettled(field, "first, seed " + std::to_string(seed));
            for (int versions = 2; versions < 5; ++versions)
            {
                // Another version begins every 60 s, in the root's next turn.
                Simulator::Stop(Seconds(58 * versions) - Simulator::Now());
                Simulator::Run();
                CheckSettled(field, "then, seed " + std::to_string(seed));
            }
            for (uint32_t i = 1; i < 15; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(field.At(i).Rank(), field.HopsOf(i) + 1, "rank of " << i);
            }
            CheckingScheduler::s_check = nullptr;
            NS_TEST_EXPECT_MSG_EQ(fault, "", "seed " << seed);
            Simulator::Destroy();
        }
    }

    void CheckSettled(const DodagField& field, const std::string& when)
    {
        for (uint32_t i = 1; i < field.Nodes().GetN(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(field.HasParent(i), true, "parent of " << i << " " << when);
        }
        NS_TEST_EXPECT_MSG_EQ(field.At(0).Targets().size(),
                              field.Nodes().GetN() - 1,
                              "ways " << when);
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A leaf with two relays in reach keeps talking when one of them is gone.
 */
class DpdlDodagRepairTest : public dpdltest::Case
{
    using Case::Case;

    static constexpr double GONE = 70.0;    ///< when the relay fails, s
    static constexpr double MENDED = 140.0; ///< two versions later, s

    /// The root, two relays beside each other, and a leaf which only they reach.
    static std::vector<std::pair<double, double>> Diamond()
    {
        return {{0.0, 0.0}, {60.0, 30.0}, {60.0, -30.0}, {120.0, 0.0}};
    }

    void DoRun() override
    {
        const std::string trace = CreateTempDirFilename("run.db");
        dpdl::RunOptions settings = DodagSettings(trace, 4, 40);
        dpdl::SetOption(settings, "deadline", "20s");
        DodagField dark(Diamond());
        DodagRun powerless(dark, settings, true);
        powerless.outages[1] = {GONE, 0.0};
        Check(powerless, dark, "a relay without power");
        // Its radio acknowledges no frame any more, so that no version has to pass.
        NS_TEST_EXPECT_MSG_LT(powerless.FatesOf(3, 0, GONE).second, 3, "mended at once");
        settings.fail = {"node 1 crash at 70s"};
        DodagField dead(Diamond());
        DodagRun crashed(dead, settings, true);
        Check(crashed, dead, "a relay that has crashed");
        DodagField fixed(Diamond());
        DodagRun still(fixed, settings, false);
        still.Run();
        NS_TEST_EXPECT_MSG_EQ(still.FatesOf(3, 0, MENDED).first, 0, "a tree that is not mended");
        settings.fail = {"node 1 crash at 70s for 60s"};
        DodagField back(Diamond());
        DodagRun again(back, settings, true);
        again.Run([&]() { NS_TEST_EXPECT_MSG_EQ(back.HasParent(1), true, "the relay is back"); });
        NS_TEST_EXPECT_MSG_GT(again.FatesOf(1, 0, 131.0).first, 1, "and talks");
        NS_TEST_EXPECT_MSG_EQ(again.FatesOf(1, 0, 150.0).second, 0, "without loss");
        NS_TEST_EXPECT_MSG_EQ(again.fault, "", "laws");
    }

    void Check(DodagRun& run, const DodagField& field, const std::string& what)
    {
        run.Run([&]() { NS_TEST_EXPECT_MSG_EQ(field.ParentOf(3), 2, "parent, " << what); });
        NS_TEST_EXPECT_MSG_EQ(run.isComplete, true, "complete, " << what);
        NS_TEST_EXPECT_MSG_EQ(run.fault, "", "laws, " << what);
        for (const auto& [source, target] : {std::pair{3, 0}, {0, 3}, {2, 0}, {0, 2}})
        {
            const auto fates = run.FatesOf(source, target, MENDED);
            NS_TEST_EXPECT_MSG_GT(fates.first, 5, source << " to " << target << ", " << what);
            NS_TEST_EXPECT_MSG_EQ(fates.second, 0, source << " to " << target << ", " << what);
        }
    }
};

/// One run with random failures of nodes, or none.
class DodagCase
{
  public:
    /// @param number decides everything @param trace path
    DodagCase(uint32_t number, const std::string& trace)
        : m_draws(number),
          m_nodes(3 + m_draws.Below(6)),
          m_settings(DodagSettings(trace, m_nodes, 1 + m_draws.Below(8))),
          m_field(m_draws, m_nodes)
    {
        m_settings.lossPolicy =
            m_draws.Pick({dpdl::LossPolicy::NONE, dpdl::LossPolicy::RUNNING_SUM});
        m_settings.topology = m_draws.Pick<std::string>({"star", "ring"});
        m_isWhole = m_draws.Chance(0.1);
        dpdl::SetOption(m_settings, "deadline", m_isWhole ? "60s" : "10s");
    }

    /// @return what is violated; "" if nothing
    std::string Judge()
    {
        std::map<uint32_t, std::pair<double, double>> outages;
        m_isWhole ? void() : DrawFailures(outages);
        DodagRun run(m_field, m_settings, true);
        run.outages = outages;
        s_failures += outages.size() + m_settings.fail.size();
        run.Run();
        const auto lost = dpdl::TraceReader(m_settings.trace).SummaryNumber("messages_lost");
        if (run.fault.empty() && m_isWhole && lost.value_or(0.0) == 0.0)
        {
            ++s_whole;
            dpdl::SetOption(m_settings, "deadline", "none");
            return dpdltest::ModelsOf(m_settings) == run.outcome ? ""
                                                                 : "differs from a run in lockstep";
        }
        return run.fault;
    }

    /// Nodes that fail, over all cases.
    inline static std::size_t s_failures = 0;
    /// Cases in which nothing was lost.
    inline static uint32_t s_whole = 0;

  private:
    void DrawFailures(std::map<uint32_t, std::pair<double, double>>& outages)
    {
        for (uint32_t node = 0; node < m_nodes; ++node)
        {
            const std::string name = "node " + std::to_string(node);
            const uint32_t at = m_draws.Below(100);
            const uint32_t length = 1 + m_draws.Below(40);
            const std::string when = " at " + std::to_string(at) + "s";
            const std::string ends = " for " + std::to_string(length) + "s";
            const uint32_t kind = m_draws.Below(7);
            // A run without nodes has no end, as the root waits for power.
            switch (node == 0 && (kind == 1 || kind == 5) ? 6 : kind)
            {
            case 0:
                m_settings.fail.push_back(name + " crash" + when + ends);
                break;
            case 1:
                m_settings.fail.push_back(name + " crash with state" + when);
                break;
            case 2:
                m_settings.fail.push_back(name + " pause" + when + ends);
                break;
            case 3:
                m_settings.fail.push_back("random " + name + " crash mean-up=20s mean-down=8s");
                break;
            case 4:
                outages[node] = {1 + at, 1 + at + length};
                break;
            case 5:
                outages[node] = {1 + at, 0.0};
                break;
            default:
                break;
            }
        }
    }

    PropertyDraws m_draws;       ///< random numbers
    uint32_t m_nodes;            ///< how many
    dpdl::RunOptions m_settings; ///< of the run
    DodagField m_field;          ///< where the nodes are
    bool m_isWhole{false};       ///< nothing fails
};

/**
 * @ingroup dpdl-tests
 * @brief Mass and ranks under random failures; lossless equality without any.
 */
class DpdlDodagLawsTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const uint32_t first = dpdltest::FromEnvironment("DPDL_PROPERTY_FIRST", 0);
        const uint32_t cases = dpdltest::FromEnvironment("DPDL_PROPERTY_CASES", 100);
        for (uint32_t number = first; number < first + cases; ++number)
        {
            const std::string fault = DodagCase(number, CreateTempDirFilename("d.db")).Judge();
            NS_TEST_EXPECT_MSG_EQ(fault, "", "case " << number);
        }
        NS_TEST_EXPECT_MSG_GT(DodagCase::s_failures, 2 * cases, "many nodes fail");
        NS_TEST_EXPECT_MSG_GT(DodagCase::s_whole, cases / 25, "many cases lose nothing");
    }
};

const dpdltest::Suite g_dpdlDodagTestSuite(
    "dpdl-dodag",
    {new DpdlDodagMessageTest("messages of the tree"),
     new DpdlDodagTreeTest("the tree of fewest hops, without loops"),
     new DpdlDodagRepairTest("another parent for the children of a relay that is gone"),
     new DpdlDodagLawsTest("laws under random failures of nodes")},
    ns3::TestSuite::Type::SYSTEM);

} // namespace
