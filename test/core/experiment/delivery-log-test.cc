// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../trace/trace-fixture.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/random.h"
#include "dpdl/experiment/delivery-log.h"

#include <memory>

namespace dpdl
{
namespace
{

/// Whether the trace holds a row for each message.
enum TraceLevelOfRows
{
    ROWS,
    TOTALS,
};

class DeliveryLogTest : public TraceTest
{
  protected:
    DeliveryLog& Open(TraceLevelOfRows level = ROWS)
    {
        m_store = std::make_unique<TraceStore>(m_path, TraceStore::Options{});
        m_log = std::make_unique<DeliveryLog>(level == ROWS ? m_store.get() : nullptr);
        return *m_log;
    }

    /// A message of 100 bytes leaves. @return its number
    static std::uint32_t Send(DeliveryLog& log,
                              Round round,
                              NodeId source,
                              NodeId target,
                              double weight,
                              double sentAt)
    {
        Share share{source, target, round, weight, {}, {}};
        share.sentAt = sentAt;
        return log.Open(share, 100);
    }

    /// Ends the run; afterwards the file can be asked.
    void Close()
    {
        m_log->Finish(*m_store);
        m_store->Finish(true);
    }

    std::vector<std::string> Rows() const
    {
        return Query("SELECT round, source, target, arrived_at, used_in_round, fate FROM delivery "
                     "ORDER BY round, source, target");
    }

    std::unique_ptr<TraceStore> m_store;
    std::unique_ptr<DeliveryLog> m_log;
};

TEST(DelayCounts, HaveTheRanksOfAllDelays)
{
    for (const std::uint32_t different : {1, 3, 1000})
    {
        const RandomStream random({1, 1}, RandomPurpose::TEST, different, 0);
        DelayCounts counts;
        std::vector<float> all;
        for (std::uint64_t i = 0; i < 5000; ++i)
        {
            all.push_back(static_cast<float>(random.Integer(i, different)) / 7.0F);
            counts.Add(all.back());
        }
        std::sort(all.begin(), all.end());
        for (const std::size_t rank : {0, 1, 2500, 4949, 4999})
        {
            EXPECT_EQ(counts.AtRank(rank), all[rank]) << different;
        }
        EXPECT_THROW(counts.AtRank(5000), Error);
    }
}

TEST_F(DeliveryLogTest, FatesThatEndWithoutUse)
{
    DeliveryLog& log = Open();
    log.Lose(Send(log, 0, 0, 1, 0.5, 0.0), DeliveryFate::LOST, {}, true);
    log.Lose(Send(log, 1, 0, 1, 0.5, 0.0), DeliveryFate::LOST, {}, false);
    log.Arrive(Send(log, 2, 0, 1, 0.5, 0.0), DeliveryFate::DELIVERED, 1.0);
    Send(log, 3, 0, 1, 0.5, 0.0);
    EXPECT_EQ(log.Sent(), 4u);
    EXPECT_EQ(log.Lost(), 2u);
    Close();
    EXPECT_EQ(Rows(),
              (std::vector<std::string>{"0|0|1|NULL|NULL|lost",
                                        "1|0|1|NULL|NULL|lost",
                                        "2|0|1|1.0|NULL|delivered",
                                        "3|0|1|NULL|NULL|lost"}));
}

TEST_F(DeliveryLogTest, WhatArrivesAfterItWasGivenUpIsLateAndKeepsTheFateOfItsMass)
{
    DeliveryLog& log = Open();
    const std::uint32_t gone = Send(log, 0, 0, 1, 0.5, 0.0);
    const std::uint32_t owed = Send(log, 1, 0, 1, 0.5, 0.0);
    const std::uint32_t back = Send(log, 2, 0, 1, 0.5, 0.0);
    const std::uint32_t silent = Send(log, 3, 0, 1, 0.5, 0.0);
    const std::uint32_t missed = Send(log, 4, 0, 1, 0.5, 0.0);
    log.GiveUp(gone, DeliveryFate::LOST, {}, true);
    log.GiveUp(owed, DeliveryFate::LOST, {}, false);
    log.GiveUp(back, DeliveryFate::REFUNDED, {}, false);
    log.GiveUp(silent, DeliveryFate::LOST, {}, true);
    log.GiveUp(missed, DeliveryFate::REFUNDED, {}, false);
    EXPECT_EQ(log.Lost(), 5u);
    log.Use(owed, 2);
    log.Use(back, 3);
    log.Use(missed, 4);
    log.Arrive(gone, DeliveryFate::LATE, 11.0);
    log.Arrive(owed, DeliveryFate::LATE, 12.0);
    log.Arrive(back, DeliveryFate::LATE, 13.0);
    EXPECT_EQ(log.Lost(), 3u);
    Close();
    EXPECT_EQ(Rows(),
              (std::vector<std::string>{"0|0|1|11.0|NULL|late",
                                        "1|0|1|12.0|2|late",
                                        "2|0|1|13.0|3|refunded",
                                        "3|0|1|NULL|NULL|lost",
                                        "4|0|1|NULL|4|refunded"}));
    EXPECT_EQ(Query("SELECT COUNT(cause) FROM delivery WHERE fate = 'late'").front(), "0");
}

TEST_F(DeliveryLogTest, LossesSayWhyAndWhere)
{
    DeliveryLog& log = Open();
    const auto lose = [&](Round round, const MessageLoss& loss) {
        log.Lose(Send(log, round, 0, 1, 0.5, 0.0), DeliveryFate::LOST, loss, true);
    };
    lose(0, {DropReason::QUEUE_DISC, 4, 1});
    lose(1, {DropReason::QUEUE_DISC, 9, MessageLoss::NOWHERE, true});
    lose(2, {DropReason::DEADLINE});
    log.Arrive(Send(log, 3, 0, 1, 0.5, 0.0), DeliveryFate::DELIVERED, 1.0);
    EXPECT_EQ(log.Warning(), "") << "three of four are not more than nine of ten";
    for (Round round = 4; round < 11; ++round)
    {
        lose(round, {DropReason::TTL, 2});
    }
    Send(log, 11, 0, 1, 0.5, 0.0);
    Close();
    EXPECT_EQ(Query("SELECT cause, place FROM delivery WHERE round IN (0, 1, 2, 3, 11) "
                    "ORDER BY round"),
              (std::vector<std::string>{"queue disc|node 4, device 1",
                                        "queue disc|ns-3 node 9",
                                        "deadline|NULL",
                                        "NULL|NULL",
                                        "end of run|NULL"}));
}

TEST_F(DeliveryLogTest, WarnsOfMostlyLostMessages)
{
    DeliveryLog& log = Open();
    for (Round round = 0; round < 12; ++round)
    {
        const DropReason reason = round < 7    ? DropReason::ARP
                                  : round < 11 ? DropReason::TTL
                                               : DropReason::PHY;
        log.Lose(Send(log, round, 0, 1, 0.5, 0.0), DeliveryFate::LOST, {reason}, true);
    }
    EXPECT_EQ(log.Warning().rfind("12 of 12 messages were lost: 7 by ARP (try ", 0), 0U);
    EXPECT_NE(log.Warning().find("; 4 by TTL (try routes without loops)"), std::string::npos);
    EXPECT_EQ(log.Warning().find("PHY"), std::string::npos) << "the two commonest";
    log.Arrive(Send(log, 12, 0, 1, 0.5, 0.0), DeliveryFate::DELIVERED, 1.0);
    Send(log, 13, 0, 1, 0.5, 0.0);
    Close();
    EXPECT_EQ(log.Losses(),
              "Of 14 messages 13 were lost (93 %): 7 by ARP; 4 by TTL; 1 by PHY; 1 by end of run.");
}

TEST_F(DeliveryLogTest, MassThatIsRepairedIsUsedThoughItsMessageIsLost)
{
    DeliveryLog& log = Open();
    const std::uint32_t lost = Send(log, 0, 0, 1, 0.5, 0.0);
    const std::uint32_t overtaken = Send(log, 1, 0, 1, 0.5, 0.0);
    const std::uint32_t bringer = Send(log, 2, 0, 1, 0.5, 0.0);
    log.Lose(lost, DeliveryFate::LOST, {}, false);
    log.Arrive(bringer, DeliveryFate::DELIVERED, 2.0);
    for (const std::uint32_t number : {lost, overtaken, bringer})
    {
        log.Use(number, 2);
    }
    log.Arrive(overtaken, DeliveryFate::LATE, 3.0);
    Close();
    EXPECT_EQ(Rows(),
              (std::vector<std::string>{"0|0|1|NULL|2|lost",
                                        "1|0|1|3.0|2|late",
                                        "2|0|1|2.0|2|delivered"}));
}

TEST_F(DeliveryLogTest, DamagedRefundedAndSecondCopies)
{
    DeliveryLog& log = Open();
    const std::uint32_t gone = Send(log, 0, 0, 1, 0.5, 0.0);
    const std::uint32_t back = Send(log, 1, 0, 1, 0.5, 0.0);
    const std::uint32_t damagedAndBack = Send(log, 2, 0, 1, 0.5, 0.0);
    log.Lose(gone, DeliveryFate::CORRUPT, {DropReason::CORRUPT}, true, 1.5);
    log.Lose(back, DeliveryFate::REFUNDED, {}, false);
    log.Lose(damagedAndBack, DeliveryFate::CORRUPT, {DropReason::CORRUPT}, false, 2.5);
    log.Use(back, 2);
    log.Use(damagedAndBack, 3);
    Share share{0, 1, 3, 0.5, {}, {}};
    share.sentAt = 3.0;
    share.chunk = 7;
    const std::uint32_t first = log.Open(share, 60);
    log.Arrive(first, DeliveryFate::DELIVERED, 3.25);
    log.Duplicate(share, 60, 3.5);
    log.Use(first, 3);
    EXPECT_EQ(log.Sent(), 4u);
    EXPECT_EQ(log.Lost(), 3u);
    EXPECT_EQ(log.Corrupt(), 2u);
    EXPECT_EQ(log.Duplicates(), 1u);
    Close();
    EXPECT_EQ(Query("SELECT * FROM delivery ORDER BY round, arrived_at"),
              (std::vector<std::string>{"0|0|1|0.5|100|0.0|1.5|NULL|corrupt|0|damaged|NULL",
                                        "1|0|1|0.5|100|0.0|NULL|2|refunded|0|link|NULL",
                                        "2|0|1|0.5|100|0.0|2.5|3|corrupt|0|damaged|NULL",
                                        "3|0|1|0.5|60|3.0|3.25|3|delivered|7|NULL|NULL",
                                        "3|0|1|0.5|60|3.0|3.5|NULL|duplicate|7|NULL|NULL"}));
    EXPECT_EQ(Query("SELECT sent, delivered, lost, bytes FROM delivery_by_link"),
              (std::vector<std::string>{"4|1|3|360"}));
}

TEST_F(DeliveryLogTest, NumbersAreUsedAgainOnceTheirRowIsWritten)
{
    DeliveryLog& log = Open();
    const std::uint32_t first = Send(log, 0, 0, 1, 0.5, 0.0);
    const std::uint32_t second = Send(log, 0, 1, 0, 0.5, 0.0);
    EXPECT_NE(first, second);
    log.Arrive(first, DeliveryFate::DELIVERED, 1.0);
    EXPECT_NE(Send(log, 1, 2, 0, 0.5, 0.0), first) << "its mass is not mixed yet";
    log.Use(first, 0);
    EXPECT_EQ(Send(log, 1, 0, 1, 0.5, 1.0), first);
    log.Lose(second, DeliveryFate::LOST, {}, true);
    EXPECT_EQ(Send(log, 1, 1, 0, 0.5, 1.0), second);
    Close();
    EXPECT_EQ(Rows().size(), 5u);
}

TEST_F(DeliveryLogTest, TotalsWithoutRowsAreThoseOfTheRows)
{
    std::vector<std::string> totals[2];
    for (const TraceLevelOfRows level : {ROWS, TOTALS})
    {
        std::filesystem::remove(m_path);
        DeliveryLog& log = Open(level);
        const RandomStream stream({1, 1}, RandomPurpose::TEST, 1, 0);
        for (Round round = 0; round < 500; ++round)
        {
            const std::uint32_t number = Send(log, round, round % 2, 2, 0.5, 1.0);
            if (stream.Uniform(round) < 0.2)
            {
                log.Lose(number, DeliveryFate::LOST, {}, true);
                continue;
            }
            // Delays that float32 holds exactly.
            log.Arrive(number, DeliveryFate::DELIVERED, 1.0 + (1 + round % 128) / 1024.0);
            log.Use(number, round);
        }
        Close();
        totals[level] = Query("SELECT * FROM delivery_by_link ORDER BY source");
        EXPECT_EQ(Value("SELECT COUNT(*) FROM delivery"), level == ROWS ? "500" : "0");
    }
    EXPECT_EQ(totals[ROWS].size(), 2u);
    EXPECT_EQ(totals[ROWS], totals[TOTALS]);
}

} // namespace
} // namespace dpdl
