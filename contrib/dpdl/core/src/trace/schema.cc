// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "schema.h"

#include <array>

namespace dpdl
{

const TableDefinition&
DefinitionOf(Table table)
{
    static const std::array<TableDefinition, static_cast<std::size_t>(Table::COUNT)> TABLES{{
        {"evaluation",
         {"round INTEGER",
          "simulated_seconds REAL",
          "accuracy_mean REAL",
          "accuracy_worst REAL",
          "accuracy_of_mean_model REAL",
          "loss_mean REAL",
          "consensus_distance REAL"}},
        {"node_evaluation", {"round INTEGER", "node INTEGER", "accuracy REAL", "loss REAL"}},
        {"node_round",
         {"round INTEGER",
          "node INTEGER",
          "w REAL",
          "examples_drawn INTEGER",
          "loss REAL",
          "gradient_norm REAL",
          "clipped REAL",
          "started_at REAL",
          "finished_at REAL",
          "w_smallest REAL"}},
        {"guarantee",
         {"node INTEGER",
          "claimed REAL",
          "certified REAL",
          "observed REAL",
          "delta REAL",
          "adjacency INTEGER",
          "reason TEXT",
          "accountant INTEGER",
          "claim_reason TEXT",
          "stopped_in_round INTEGER",
          "budget REAL"}},
        {"guarantee_growth", {"round INTEGER", "claimed_max REAL", "certified_max REAL"}},
        {"ledger",
         {"node INTEGER",
          "round INTEGER",
          "mechanism INTEGER",
          "sampler INTEGER",
          "rate REAL",
          "sensitivity REAL",
          "noise REAL",
          "noise_multiplier REAL",
          "flags INTEGER"}},
        {"validity", {"round INTEGER", "node INTEGER", "assumption INTEGER", "detail TEXT"}},
        {"message",
         {"round INTEGER",
          "source INTEGER",
          "target INTEGER",
          "weight REAL",
          "bytes INTEGER",
          "sent_at REAL",
          "arrived_at REAL",
          "used_in_round INTEGER",
          "fate INTEGER",
          "chunk INTEGER"}},
        {"link_total",
         {"source INTEGER",
          "target INTEGER",
          "sent INTEGER",
          "delivered INTEGER",
          "lost INTEGER",
          "bytes INTEGER",
          "delay_mean REAL",
          "delay_p99 REAL"}},
        {"mass",
         {"round INTEGER",
          "w_at_nodes REAL",
          "w_in_flight REAL",
          "w_lost REAL",
          "w_error REAL",
          "x_error REAL"}},
        {"topology_window",
         {"first_round INTEGER",
          "last_round INTEGER",
          "q_bound REAL",
          "q_designed REAL",
          "q_realised REAL",
          "strongly_connected INTEGER",
          "effective_nodes REAL",
          "worst_pair REAL",
          "largest_influence REAL",
          "w_min REAL",
          "w_max REAL",
          "one_minus_q_bound REAL",
          "window_b INTEGER",
          "diameter INTEGER"}},
        {"network_event",
         {"time REAL",
          "event INTEGER",
          "source INTEGER",
          "target INTEGER",
          "node INTEGER",
          "value REAL",
          "sentence INTEGER"}},
        {"sensitivity",
         {"round INTEGER",
          "node INTEGER",
          "estimated REAL",
          "heard_maximum REAL",
          "unheard INTEGER",
          "real REAL"}},
        {"place", {"round INTEGER", "node INTEGER", "x REAL", "y REAL"}},
        {"frame_total",
         {"distance_from REAL",
          "distance_to REAL",
          "sent INTEGER",
          "received INTEGER",
          "collided INTEGER",
          "faded INTEGER"}},
        {"energy",
         {"round INTEGER", "node INTEGER", "state INTEGER", "seconds REAL", "joule REAL"}},
    }};
    return TABLES[static_cast<std::size_t>(table)];
}

const char* const OTHER_TABLES = R"sql(
CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
INSERT INTO word VALUES (1, 'delivered'), (2, 'lost'), (3, 'late'), (4, 'duplicate'),
                        (5, 'corrupt'), (6, 'refunded');
CREATE TABLE setting(position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value TEXT);
CREATE TABLE summary_item(position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value,
                          unit TEXT NOT NULL, meaning TEXT NOT NULL);
CREATE TABLE state(round INTEGER, node INTEGER, w REAL, z BLOB);
CREATE TABLE noise_vector(round INTEGER, node INTEGER, iteration INTEGER, noise BLOB);
CREATE TABLE audit_entry(node INTEGER, observed REAL, confidence REAL, runs INTEGER, game TEXT,
                         audited_by TEXT, audited_at TEXT);
)sql";

const char* const VIEWS = R"sql(
CREATE VIEW summary AS
SELECT name, CASE name WHEN 'epsilon_observed'
                       THEN (SELECT MAX(bound) FROM (SELECT summary_item.value AS bound
                                                     UNION ALL SELECT observed FROM audit_entry))
                       ELSE value END AS value, unit, meaning
FROM summary_item ORDER BY position;
CREATE VIEW settings AS SELECT name, value FROM setting ORDER BY position;
CREATE VIEW accuracy_by_round AS SELECT * FROM evaluation;
CREATE VIEW accuracy_by_node AS SELECT * FROM node_evaluation;
CREATE VIEW round_by_node AS
SELECT round, node, w, examples_drawn AS batch, loss, gradient_norm, clipped, started_at,
       finished_at, w_smallest, examples_drawn
FROM node_round;
CREATE VIEW guarantee_by_node AS
SELECT node, claimed, certified,
       (SELECT MAX(bound) FROM (SELECT guarantee.observed AS bound
                                UNION ALL
                                SELECT observed FROM audit_entry
                                WHERE audit_entry.node = guarantee.node)) AS observed, delta,
       (SELECT text FROM word WHERE id = adjacency) AS adjacency, reason,
       (SELECT text FROM word WHERE id = accountant) AS accountant, claim_reason, stopped_in_round,
       budget
FROM guarantee;
CREATE VIEW guarantee_by_round AS SELECT * FROM guarantee_growth;
CREATE VIEW "release" AS
SELECT node, round, (SELECT text FROM word WHERE id = mechanism) AS mechanism,
       (SELECT text FROM word WHERE id = sampler) AS sampler, rate, sensitivity, noise,
       noise_multiplier, (SELECT text FROM word WHERE id = flags) AS flags
FROM ledger;
CREATE VIEW delivery AS
SELECT round, source, target, weight, bytes, sent_at, arrived_at, used_in_round,
       (SELECT text FROM word WHERE id = fate) AS fate, chunk
FROM message;
CREATE VIEW delivery_by_link AS
SELECT * FROM link_total
UNION ALL
SELECT source, target, SUM(fate <> 4), SUM(fate IN (1, 3)), SUM(fate IN (2, 5, 6)),
       SUM(CASE WHEN fate <> 4 THEN bytes ELSE 0 END), AVG(delay),
       MIN(delay) FILTER (WHERE rank * 100 >= 99 * delays)
FROM (SELECT source, target, bytes, fate, delay,
             COUNT(delay) OVER (PARTITION BY source, target) AS delays,
             ROW_NUMBER() OVER (PARTITION BY source, target ORDER BY delay NULLS LAST) AS rank
      FROM (SELECT source, target, bytes, fate,
                   CASE WHEN fate IN (1, 3) THEN arrived_at - sent_at END AS delay
            FROM message WHERE NOT EXISTS (SELECT 1 FROM link_total)))
GROUP BY source, target;
CREATE VIEW mass_by_round AS SELECT * FROM mass;
CREATE VIEW q_by_window AS SELECT * FROM topology_window;
CREATE VIEW violation AS
SELECT round, node, (SELECT text FROM word WHERE id = assumption) AS assumption, detail
FROM validity;
CREATE VIEW link_event AS
SELECT time, (SELECT text FROM word WHERE id = event) AS event, source, target, node, value,
       (SELECT text FROM word WHERE id = sentence) AS sentence
FROM network_event;
CREATE VIEW sensitivity_by_round AS SELECT * FROM sensitivity;
CREATE VIEW position_by_round AS SELECT * FROM place;
CREATE VIEW frames_by_distance AS SELECT * FROM frame_total;
CREATE VIEW energy_by_node AS
SELECT round, node, (SELECT text FROM word WHERE id = state) AS state, seconds, joule
FROM energy;
CREATE VIEW snapshot AS SELECT round, node, w, z FROM state;
CREATE VIEW noise_by_round AS SELECT round, node, noise, iteration FROM noise_vector;
CREATE VIEW audit AS SELECT * FROM audit_entry ORDER BY rowid;
)sql";

const char* const UPGRADE = R"sql(
ALTER TABLE node_round RENAME COLUMN batch TO examples_drawn;
CREATE TABLE audit_entry(node INTEGER, observed REAL, confidence REAL, runs INTEGER, game TEXT,
                         audited_by TEXT, audited_at TEXT);
)sql";

const char* const INDEXES = R"sql(
CREATE INDEX message_by_round ON message(round);
CREATE INDEX ledger_by_node ON ledger(node, round);
CREATE INDEX node_round_by_node ON node_round(node, round);
CREATE INDEX node_evaluation_by_node ON node_evaluation(node, round);
CREATE INDEX state_by_round ON state(round, node);
CREATE INDEX noise_vector_by_round ON noise_vector(round, node);
)sql";

} // namespace dpdl
