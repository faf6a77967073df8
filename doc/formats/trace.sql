PRAGMA application_id = 1685087340;
PRAGMA user_version = 2;
CREATE TABLE evaluation(round INTEGER, simulated_seconds REAL, accuracy_mean REAL, accuracy_worst REAL, accuracy_of_mean_model REAL, loss_mean REAL, consensus_distance REAL, test_examples INTEGER);
CREATE TABLE node_evaluation(round INTEGER, node INTEGER, accuracy REAL, loss REAL, test_examples INTEGER);
CREATE TABLE node_round(round INTEGER, node INTEGER, w REAL, examples_drawn INTEGER, loss REAL, gradient_norm REAL, clipped REAL, started_at REAL, finished_at REAL, w_smallest REAL);
CREATE TABLE guarantee(node INTEGER, claimed REAL, certified REAL, observed REAL, delta REAL, adjacency INTEGER, reason TEXT, accountant INTEGER, claim_reason TEXT, stopped_in_round INTEGER, budget REAL, as_sent REAL);
CREATE TABLE guarantee_growth(round INTEGER, claimed_max REAL, certified_max REAL);
CREATE TABLE ledger(node INTEGER, round INTEGER, mechanism INTEGER, sampler INTEGER, rate REAL, sensitivity REAL, noise REAL, noise_multiplier REAL, flags INTEGER, epoch INTEGER);
CREATE TABLE message(round INTEGER, source INTEGER, target INTEGER, weight REAL, bytes INTEGER, sent_at REAL, arrived_at REAL, used_in_round INTEGER, fate INTEGER, chunk INTEGER, cause TEXT, place TEXT);
CREATE TABLE link_total(source INTEGER, target INTEGER, sent INTEGER, delivered INTEGER, lost INTEGER, bytes INTEGER, delay_mean REAL, delay_p99 REAL);
CREATE TABLE mass(round INTEGER, w_at_nodes REAL, w_in_flight REAL, w_lost REAL, w_error REAL, x_error REAL);
CREATE TABLE topology_window(first_round INTEGER, last_round INTEGER, q_bound REAL, q_designed REAL, q_realised REAL, strongly_connected INTEGER, effective_nodes REAL, worst_pair REAL, largest_influence REAL, w_min REAL, w_max REAL, one_minus_q_bound REAL, window_b INTEGER, diameter INTEGER, q_error REAL);
CREATE TABLE network_event(time REAL, event INTEGER, source INTEGER, target INTEGER, node INTEGER, value REAL, sentence INTEGER);
CREATE TABLE validity(round INTEGER, node INTEGER, assumption INTEGER, detail TEXT);
CREATE TABLE sensitivity(round INTEGER, node INTEGER, estimated REAL, heard_maximum REAL, unheard INTEGER, real REAL);
CREATE TABLE place(round INTEGER, node INTEGER, x REAL, y REAL);
CREATE TABLE frame_total(distance_from REAL, distance_to REAL, sent INTEGER, received INTEGER, collided INTEGER, faded INTEGER, line_of_sight INTEGER);
CREATE TABLE building_box(x_min REAL, x_max REAL, y_min REAL, y_max REAL, height REAL);
CREATE TABLE energy(round INTEGER, node INTEGER, state INTEGER, seconds REAL, joule REAL);
CREATE TABLE state(round INTEGER, node INTEGER, w REAL, z BLOB);
CREATE TABLE noise_vector(round INTEGER, node INTEGER, iteration INTEGER, noise BLOB);
CREATE TABLE audit_entry(node INTEGER, observed REAL, confidence REAL, runs INTEGER, game TEXT, audited_by TEXT, audited_at TEXT);
CREATE TABLE resumption_entry(round INTEGER, resumed_by TEXT, resumed_at TEXT);
CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE setting(position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value TEXT);
CREATE TABLE summary_item(position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value,
                          unit TEXT NOT NULL, meaning TEXT NOT NULL);
CREATE TABLE origin(position INTEGER PRIMARY KEY, name TEXT NOT NULL, value TEXT NOT NULL);
CREATE TABLE settled(name TEXT PRIMARY KEY, rows INTEGER NOT NULL, value INTEGER NOT NULL);
CREATE TABLE checkpoint(position INTEGER PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE checksum(name TEXT PRIMARY KEY, rows INTEGER, value INTEGER);
CREATE VIEW summary AS
SELECT name, CASE name WHEN 'epsilon_observed'
                       THEN (SELECT MAX(bound) FROM (SELECT summary_item.value AS bound
                                                     UNION ALL SELECT observed FROM audit_entry))
                       ELSE value END AS value, unit, meaning
FROM summary_item ORDER BY position;
CREATE VIEW settings AS SELECT name, value FROM setting ORDER BY position;
CREATE VIEW "accuracy_by_round" AS SELECT round, simulated_seconds, accuracy_mean, accuracy_worst, accuracy_of_mean_model, loss_mean, consensus_distance, test_examples FROM evaluation;
CREATE VIEW "accuracy_by_node" AS SELECT round, node, accuracy, loss, test_examples FROM node_evaluation;
CREATE VIEW "round_by_node" AS SELECT round, node, w, examples_drawn AS batch, loss, gradient_norm, clipped, started_at, finished_at, w_smallest, examples_drawn FROM node_round;
CREATE VIEW "guarantee_by_node" AS SELECT node, claimed, certified, (SELECT MAX(bound) FROM (SELECT guarantee.observed AS bound UNION ALL SELECT observed FROM audit_entry WHERE audit_entry.node = guarantee.node)) AS observed, delta, (SELECT text FROM word WHERE id = adjacency) AS adjacency, reason, (SELECT text FROM word WHERE id = accountant) AS accountant, claim_reason, stopped_in_round, budget, as_sent FROM guarantee;
CREATE VIEW "guarantee_by_round" AS SELECT round, claimed_max, certified_max FROM guarantee_growth;
CREATE VIEW "release" AS SELECT node, round, (SELECT text FROM word WHERE id = mechanism) AS mechanism, (SELECT text FROM word WHERE id = sampler) AS sampler, rate, sensitivity, noise, noise_multiplier, (SELECT text FROM word WHERE id = flags) AS flags, epoch FROM ledger;
CREATE VIEW "delivery" AS SELECT round, source, target, weight, bytes, sent_at, arrived_at, used_in_round, (SELECT text FROM word WHERE id = fate) AS fate, chunk, cause, place FROM message;
CREATE VIEW "delivery_by_link" AS SELECT source, target, sent, delivered, lost, bytes, delay_mean, delay_p99 FROM link_total
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
CREATE VIEW "mass_by_round" AS SELECT round, w_at_nodes, w_in_flight, w_lost, w_error, x_error FROM mass;
CREATE VIEW "q_by_window" AS SELECT first_round, last_round, q_bound, q_designed, q_realised, strongly_connected, effective_nodes, worst_pair, largest_influence, w_min, w_max, one_minus_q_bound, window_b, diameter, q_error FROM topology_window;
CREATE VIEW "link_event" AS SELECT time, (SELECT text FROM word WHERE id = event) AS event, source, target, node, value, (SELECT text FROM word WHERE id = sentence) AS sentence FROM network_event;
CREATE VIEW "violation" AS SELECT round, node, (SELECT text FROM word WHERE id = assumption) AS assumption, detail FROM validity;
CREATE VIEW "sensitivity_by_round" AS SELECT round, node, estimated, heard_maximum, unheard, real FROM sensitivity;
CREATE VIEW "position_by_round" AS SELECT round, node, x, y FROM place;
CREATE VIEW "frames_by_distance" AS SELECT distance_from, distance_to, sent, received, collided, faded, line_of_sight FROM frame_total;
CREATE VIEW "building" AS SELECT x_min, x_max, y_min, y_max, height FROM building_box;
CREATE VIEW "energy_by_node" AS SELECT round, node, (SELECT text FROM word WHERE id = state) AS state, seconds, joule FROM energy;
CREATE VIEW "snapshot" AS SELECT round, node, w, z FROM state;
CREATE VIEW "noise_by_round" AS SELECT round, node, noise, iteration FROM noise_vector;
CREATE VIEW "audit" AS SELECT node, observed, confidence, runs, game, audited_by, audited_at FROM audit_entry ORDER BY rowid;
CREATE VIEW "resumption" AS SELECT round, resumed_by, resumed_at FROM resumption_entry ORDER BY rowid;
CREATE VIEW column_privacy AS
WITH rule("view", "column", item, standing, reason) AS (VALUES
('summary', 'name', NULL, 'public', NULL), ('summary', 'value', NULL, 'public', NULL),
('summary', 'unit', NULL, 'public', NULL), ('summary', 'meaning', NULL, 'public', NULL),
('settings', 'name', NULL, 'public', NULL), ('settings', 'value', NULL, 'public', NULL),
('settings', 'value', 'seed', 'private', 'gives batches and noise away'),
('settings', 'value', 'run', 'private', 'gives batches and noise away'),
('settings', 'value', 'trace', 'private', 'may hold seed and run'),
('settings', 'value', 'commandLine', 'private', 'may hold seed and run'),
('settings', 'value', 'datasetDigest', 'private', 'tells whether a guess of all examples is right'),
('column_privacy', 'view', NULL, 'public', NULL),
('column_privacy', 'column', NULL, 'public', NULL),
('column_privacy', 'item', NULL, 'public', NULL),
('column_privacy', 'standing', NULL, 'public', NULL),
('column_privacy', 'reason', NULL, 'public', NULL),
('summary', 'value', 'rounds', 'time', NULL),
('summary', 'value', 'accuracy_mean', 'model', NULL),
('summary', 'value', 'accuracy_worst', 'model', NULL),
('summary', 'value', 'accuracy_of_mean_model', 'model', NULL),
('summary', 'value', 'loss_mean', 'model', NULL),
('summary', 'value', 'diverged_in_round', 'model', NULL),
('summary', 'value', 'consensus_distance', 'shared', NULL),
('summary', 'value', 'noise_in_state', 'model', NULL),
('summary', 'value', 'largest_state', 'model', NULL),
('summary', 'value', 'nodes_stopped', 'time', NULL),
('summary', 'value', 'messages_sent', 'time', NULL),
('summary', 'value', 'messages_delivered', 'time', NULL),
('summary', 'value', 'messages_lost', 'time', NULL),
('summary', 'value', 'messages_corrupt', 'time', NULL),
('summary', 'value', 'messages_duplicate', 'time', NULL),
('summary', 'value', 'bytes_sent', 'time', NULL),
('summary', 'value', 'bytes_repair', 'time', NULL),
('summary', 'value', 'bytes_announced', 'time', NULL),
('summary', 'value', 'socket_bytes', 'time', NULL),
('summary', 'value', 'packets_corrupt', 'time', NULL),
('summary', 'value', 'frames_sent', 'time', NULL),
('summary', 'value', 'frames_given_up', 'time', NULL),
('summary', 'value', 'fragments_sent', 'time', NULL),
('summary', 'value', 'energy_total', 'time', NULL),
('summary', 'value', 'energy_worst', 'time', NULL),
('summary', 'value', 'batteries_empty', 'time', NULL),
('summary', 'value', 'lifetime_first', 'time', NULL),
('summary', 'value', 'lifetime_half', 'time', NULL),
('summary', 'value', 'mass_error', 'time', NULL),
('summary', 'value', 'mass_lied', 'time', NULL),
('summary', 'value', 'q_bound', 'time', NULL),
('summary', 'value', 'q_designed', 'time', NULL),
('summary', 'value', 'q_realised', 'time', NULL),
('summary', 'value', 'q_long_run', 'time', NULL),
('summary', 'value', 'one_minus_q_bound', 'time', NULL),
('summary', 'value', 'window_b', 'time', NULL),
('summary', 'value', 'diameter', 'time', NULL),
('summary', 'value', 'effective_nodes', 'time', NULL),
('summary', 'value', 'largest_influence', 'time', NULL),
('summary', 'value', 'w_min', 'time', NULL),
('summary', 'value', 'w_max', 'time', NULL),
('summary', 'value', 'simulated_seconds', 'time', NULL),
('summary', 'value', 'wall_seconds', 'private', 'grows with the examples that were drawn'),
('summary', 'value', 'wall_setup', 'private', 'grows with the examples that nodes own'),
('summary', 'value', 'wall_compute', 'private', 'grows with the examples that were drawn'),
('summary', 'value', 'wall_mixing', 'private', 'is part of wall_seconds'),
('summary', 'value', 'wall_evaluation', 'private', 'is part of wall_seconds'),
('summary', 'value', 'wall_simulator', 'private', 'is part of wall_seconds'),
('summary', 'value', 'wall_privacy', 'private', 'is part of wall_seconds'),
('summary', 'value', 'wall_trace', 'private', 'is part of wall_seconds'),
('accuracy_by_round', 'round', NULL, 'time', NULL),
('accuracy_by_round', 'simulated_seconds', NULL, 'time', NULL),
('accuracy_by_round', 'accuracy_mean', NULL, 'model', NULL),
('accuracy_by_round', 'accuracy_worst', NULL, 'model', NULL),
('accuracy_by_round', 'accuracy_of_mean_model', NULL, 'model', NULL),
('accuracy_by_round', 'loss_mean', NULL, 'model', NULL),
('accuracy_by_round', 'consensus_distance', NULL, 'shared', NULL),
('accuracy_by_round', 'test_examples', NULL, 'time', NULL),
('accuracy_by_node', 'round', NULL, 'time', NULL),
('accuracy_by_node', 'node', NULL, 'time', NULL),
('accuracy_by_node', 'accuracy', NULL, 'model', NULL),
('accuracy_by_node', 'loss', NULL, 'model', NULL),
('accuracy_by_node', 'test_examples', NULL, 'time', NULL),
('round_by_node', 'round', NULL, 'time', NULL),
('round_by_node', 'node', NULL, 'time', NULL),
('round_by_node', 'w', NULL, 'time', NULL),
('round_by_node', 'batch', NULL, 'private', 'exact count of private examples'),
('round_by_node', 'loss', NULL, 'private', 'computed from training data without noise'),
('round_by_node', 'gradient_norm', NULL, 'private', 'computed from training data without noise'),
('round_by_node', 'clipped', NULL, 'private', 'computed from training data without noise'),
('round_by_node', 'started_at', NULL, 'time', NULL),
('round_by_node', 'finished_at', NULL, 'time', NULL),
('round_by_node', 'w_smallest', NULL, 'time', NULL),
('round_by_node', 'examples_drawn', NULL, 'private', 'exact count of private examples'),
('guarantee_by_node', 'node', NULL, 'public', NULL),
('guarantee_by_node', 'claimed', NULL, 'public', NULL),
('guarantee_by_node', 'certified', NULL, 'public', NULL),
('guarantee_by_node', 'observed', NULL, 'public', NULL),
('guarantee_by_node', 'delta', NULL, 'public', NULL),
('guarantee_by_node', 'adjacency', NULL, 'public', NULL),
('guarantee_by_node', 'reason', NULL, 'public', NULL),
('guarantee_by_node', 'accountant', NULL, 'public', NULL),
('guarantee_by_node', 'claim_reason', NULL, 'public', NULL),
('guarantee_by_node', 'stopped_in_round', NULL, 'public', NULL),
('guarantee_by_node', 'budget', NULL, 'public', NULL),
('guarantee_by_node', 'as_sent', NULL, 'public', NULL),
('guarantee_by_round', 'round', NULL, 'public', NULL),
('guarantee_by_round', 'claimed_max', NULL, 'public', NULL),
('guarantee_by_round', 'certified_max', NULL, 'public', NULL),
('release', 'node', NULL, 'public', NULL),
('release', 'round', NULL, 'public', NULL),
('release', 'mechanism', NULL, 'public', NULL),
('release', 'sampler', NULL, 'public', NULL),
('release', 'rate', NULL, 'public', NULL),
('release', 'sensitivity', NULL, 'ledger', NULL),
('release', 'noise', NULL, 'ledger', NULL),
('release', 'noise_multiplier', NULL, 'ledger', NULL),
('release', 'flags', NULL, 'public', NULL),
('release', 'epoch', NULL, 'public', NULL),
('delivery', 'round', NULL, 'time', NULL),
('delivery', 'source', NULL, 'time', NULL),
('delivery', 'target', NULL, 'time', NULL),
('delivery', 'weight', NULL, 'time', NULL),
('delivery', 'bytes', NULL, 'time', NULL),
('delivery', 'sent_at', NULL, 'time', NULL),
('delivery', 'arrived_at', NULL, 'time', NULL),
('delivery', 'used_in_round', NULL, 'time', NULL),
('delivery', 'fate', NULL, 'time', NULL),
('delivery', 'chunk', NULL, 'time', NULL),
('delivery', 'cause', NULL, 'time', NULL),
('delivery', 'place', NULL, 'time', NULL),
('delivery_by_link', 'source', NULL, 'time', NULL),
('delivery_by_link', 'target', NULL, 'time', NULL),
('delivery_by_link', 'sent', NULL, 'time', NULL),
('delivery_by_link', 'delivered', NULL, 'time', NULL),
('delivery_by_link', 'lost', NULL, 'time', NULL),
('delivery_by_link', 'bytes', NULL, 'time', NULL),
('delivery_by_link', 'delay_mean', NULL, 'time', NULL),
('delivery_by_link', 'delay_p99', NULL, 'time', NULL),
('mass_by_round', 'round', NULL, 'time', NULL),
('mass_by_round', 'w_at_nodes', NULL, 'time', NULL),
('mass_by_round', 'w_in_flight', NULL, 'time', NULL),
('mass_by_round', 'w_lost', NULL, 'time', NULL),
('mass_by_round', 'w_error', NULL, 'time', NULL),
('mass_by_round', 'x_error', NULL, 'model', NULL),
('q_by_window', 'first_round', NULL, 'time', NULL),
('q_by_window', 'last_round', NULL, 'time', NULL),
('q_by_window', 'q_bound', NULL, 'time', NULL),
('q_by_window', 'q_designed', NULL, 'time', NULL),
('q_by_window', 'q_realised', NULL, 'time', NULL),
('q_by_window', 'strongly_connected', NULL, 'time', NULL),
('q_by_window', 'effective_nodes', NULL, 'time', NULL),
('q_by_window', 'worst_pair', NULL, 'time', NULL),
('q_by_window', 'largest_influence', NULL, 'time', NULL),
('q_by_window', 'w_min', NULL, 'time', NULL),
('q_by_window', 'w_max', NULL, 'time', NULL),
('q_by_window', 'one_minus_q_bound', NULL, 'time', NULL),
('q_by_window', 'window_b', NULL, 'time', NULL),
('q_by_window', 'diameter', NULL, 'time', NULL),
('q_by_window', 'q_error', NULL, 'time', NULL),
('link_event', 'time', NULL, 'time', NULL),
('link_event', 'event', NULL, 'time', NULL),
('link_event', 'source', NULL, 'time', NULL),
('link_event', 'target', NULL, 'time', NULL),
('link_event', 'node', NULL, 'private', 'who is within a region or a jam tells where'),
('link_event', 'value', NULL, 'time', NULL),
('link_event', 'sentence', NULL, 'time', NULL),
('violation', 'round', NULL, 'time', NULL),
('violation', 'node', NULL, 'time', NULL),
('violation', 'assumption', NULL, 'time', NULL),
('violation', 'detail', NULL, 'time', NULL),
('sensitivity_by_round', 'round', NULL, 'time', NULL),
('sensitivity_by_round', 'node', NULL, 'time', NULL),
('sensitivity_by_round', 'estimated', NULL, 'private', 'computed from gradients without noise'),
('sensitivity_by_round', 'heard_maximum', NULL, 'private', 'computed from gradients without noise'),
('sensitivity_by_round', 'unheard', NULL, 'time', NULL),
('sensitivity_by_round', 'real', NULL, 'private', 'distance of models before their noise'),
('position_by_round', 'round', NULL, 'private', 'tells when a node moved'),
('position_by_round', 'node', NULL, 'private', 'tells who moved'),
('position_by_round', 'x', NULL, 'private', 'place of a device'),
('position_by_round', 'y', NULL, 'private', 'place of a device'),
('frames_by_distance', 'distance_from', NULL, 'private', 'computed from places of devices'),
('frames_by_distance', 'distance_to', NULL, 'private', 'computed from places of devices'),
('frames_by_distance', 'sent', NULL, 'private', 'computed from places of devices'),
('frames_by_distance', 'received', NULL, 'private', 'computed from places of devices'),
('frames_by_distance', 'collided', NULL, 'private', 'computed from places of devices'),
('frames_by_distance', 'faded', NULL, 'private', 'computed from places of devices'),
('frames_by_distance', 'line_of_sight', NULL, 'private', 'computed from places of devices'),
('building', 'x_min', NULL, 'public', NULL),
('building', 'x_max', NULL, 'public', NULL),
('building', 'y_min', NULL, 'public', NULL),
('building', 'y_max', NULL, 'public', NULL),
('building', 'height', NULL, 'public', NULL),
('energy_by_node', 'round', NULL, 'time', NULL),
('energy_by_node', 'node', NULL, 'time', NULL),
('energy_by_node', 'state', NULL, 'time', NULL),
('energy_by_node', 'seconds', NULL, 'time', NULL),
('energy_by_node', 'joule', NULL, 'time', NULL),
('snapshot', 'round', NULL, 'time', NULL),
('snapshot', 'node', NULL, 'time', NULL),
('snapshot', 'w', NULL, 'time', NULL),
('snapshot', 'z', NULL, 'model', NULL),
('noise_by_round', 'round', NULL, 'private', 'goes with the noise'),
('noise_by_round', 'node', NULL, 'private', 'goes with the noise'),
('noise_by_round', 'noise', NULL, 'private', 'takes the noise off the messages'),
('noise_by_round', 'iteration', NULL, 'private', 'goes with the noise'),
('audit', 'node', NULL, 'public', NULL),
('audit', 'observed', NULL, 'public', NULL),
('audit', 'confidence', NULL, 'public', NULL),
('audit', 'runs', NULL, 'public', NULL),
('audit', 'game', NULL, 'public', NULL),
('audit', 'audited_by', NULL, 'public', NULL),
('audit', 'audited_at', NULL, 'public', NULL),
('resumption', 'round', NULL, 'public', NULL),
('resumption', 'resumed_by', NULL, 'public', NULL),
('resumption', 'resumed_at', NULL, 'public', NULL)),
known(certified, part, time) AS (SELECT
  IFNULL((SELECT value < 9e999 FROM summary_item WHERE name = 'epsilon_certified'), 0),
  IFNULL((SELECT value FROM setting WHERE name = 'certifiedPart'), ''),
  IFNULL((SELECT value NOT LIKE 'measured%' FROM setting WHERE name = 'compute'), 0)),
-- Why a standing is private in this run; NULL if it is public.
run(standing, why) AS (
SELECT 'public', NULL UNION ALL
SELECT 'ledger', CASE WHEN NOT certified THEN 'no finite epsilon is certified' END
FROM known UNION ALL
SELECT 'time', CASE WHEN NOT time THEN 'not known to be independent of the data' END
FROM known UNION ALL
SELECT column1, CASE WHEN NOT time THEN 'not known to be independent of the data'
                     WHEN NOT certified THEN 'no finite epsilon is certified'
                     WHEN part NOT IN ('whole', column2)
                     THEN 'not known to follow from the releases' END
FROM (VALUES ('model', 'whole'), ('shared', 'shared')), known)
SELECT "view", "column", item,
       CASE WHEN run.standing IS NULL OR why IS NOT NULL THEN 'private' ELSE 'public' END
       AS standing, IFNULL(reason, why) AS reason
FROM rule LEFT JOIN run USING (standing);
CREATE INDEX message_by_round ON message(round);
CREATE INDEX ledger_by_node ON ledger(node, round);
CREATE INDEX node_round_by_node ON node_round(node, round);
CREATE INDEX node_evaluation_by_node ON node_evaluation(node, round);
CREATE INDEX state_by_round ON state(round, node);
CREATE INDEX noise_vector_by_round ON noise_vector(round, node);
