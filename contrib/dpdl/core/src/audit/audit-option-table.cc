// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "audit-option-table.h"

#include "audit-option-setters.h"
#include "dpdl/privacy/sampler-names.h"

#include <limits>

namespace dpdl
{

namespace
{

using Forms = std::set<AuditForm>;
using Table = std::vector<AuditOptionTable::Option>;

const Forms GAMES{AuditForm::STEPS, AuditForm::SCHEDULE, AuditForm::CLAIM, AuditForm::TRACE};
const Forms PLANS{AuditForm::STEPS, AuditForm::SCHEDULE, AuditForm::CLAIM};
const Forms ALL{AuditForm::STEPS,
                AuditForm::SCHEDULE,
                AuditForm::CLAIM,
                AuditForm::TRACE,
                AuditForm::ZERO_GRADIENT,
                AuditForm::NORM_RATIO,
                AuditForm::DPPS_SCALAR};
const Forms NOT_TRACE{AuditForm::STEPS,
                      AuditForm::SCHEDULE,
                      AuditForm::CLAIM,
                      AuditForm::ZERO_GRADIENT,
                      AuditForm::NORM_RATIO,
                      AuditForm::DPPS_SCALAR};
const Forms CLAIM{AuditForm::CLAIM};
const Forms RUNS_OF_NODE{AuditForm::CLAIM, AuditForm::ZERO_GRADIENT};

/// Beyond so many, a step takes part in no audit that ends.
constexpr std::uint64_t MOST_STEPS_PLAYED = 10000000;
/// Runs are numbered in 32 bits.
constexpr std::uint64_t MOST_RUNS = std::numeric_limits<std::uint32_t>::max();

bool
IsPositive(double value)
{
    return value > 0.0;
}

bool
IsRate(double value)
{
    return value > 0.0 && value <= 1.0;
}

bool
IsInsideUnit(double value)
{
    return value > 0.0 && value < 1.0;
}

bool
IsAboveOne(double value)
{
    return value > 1.0;
}

void
AddMechanism(Table& table)
{
    const std::string positive = "a finite number > 0";
    const Forms steps{AuditForm::STEPS};
    table.push_back({"noise",
                     positive,
                     "noise standard deviation divided by sensitivity",
                     "",
                     steps,
                     steps,
                     RealSetter("noise", positive, IsPositive, &AuditRequest::noise)});
    table.push_back({"rate",
                     "a number in (0, 1]",
                     "probability that one example is in a batch",
                     "1",
                     steps,
                     {},
                     RealSetter("rate", "a number in (0, 1]", IsRate, &AuditRequest::rate)});
    table.push_back({"steps",
                     "a whole number from 1",
                     "number of steps",
                     "1",
                     steps,
                     {},
                     CountSetter("steps", 1, MOST_STEPS_PLAYED, &AuditRequest::steps)});
    table.push_back({"sampler",
                     "poisson, without-replacement, shuffle, none",
                     "how a batch is drawn",
                     "poisson",
                     PLANS,
                     {},
                     Choice("sampler", SamplerNames(), &AuditRequest::sampler)});
    const std::vector<std::pair<std::string, std::string>> shifts{{"1", "poisson"}, {"2", "fixed"}};
    table.push_back({"shift",
                     "1, 2",
                     "2: the other examples pull the other way, as with sampler "
                     "without-replacement",
                     "1",
                     PLANS,
                     {},
                     Choice("shift", shifts, &AuditRequest::sampler)});
    const std::vector<std::pair<std::string, Adjacency>> adjacencies{
        {"add-remove", Adjacency::ADD_REMOVE},
        {"replace", Adjacency::REPLACE}};
    table.push_back({"adjacency",
                     "add-remove, replace",
                     "what two neighbouring datasets differ in",
                     "add-remove",
                     PLANS,
                     {},
                     Choice("adjacency", adjacencies, &AuditRequest::adjacency)});
}

void
AddTarget(Table& table)
{
    table.push_back({"schedule",
                     "a file with the header noise,rate,steps",
                     "steps that differ, one row per distinct step",
                     "",
                     {AuditForm::SCHEDULE},
                     {},
                     Text(&AuditRequest::schedule)});
    table.push_back({"trace",
                     "a trace",
                     "audit the releases that a run has recorded, and store the result in it",
                     "",
                     {AuditForm::TRACE},
                     {},
                     Text(&AuditRequest::trace)});
    table.push_back({"node",
                     "a node of the trace",
                     "whose releases are audited",
                     "the one that spent most",
                     {AuditForm::TRACE},
                     {},
                     [](AuditRequest& request, const std::string& text) {
                         request.node =
                             static_cast<NodeId>(ParseInteger("option 'node'", text, 0, MOST_RUNS));
                     }});
    table.push_back({"algorithm",
                     "a name of `list algorithms`",
                     "the steps that an algorithm takes, against its paper's claim",
                     "",
                     CLAIM,
                     {},
                     Text(&AuditRequest::algorithm)});
    table.push_back({"localSamples",
                     "a whole number from 1",
                     "examples that the node owns",
                     "",
                     RUNS_OF_NODE,
                     RUNS_OF_NODE,
                     CountSetter("localSamples", 1, MOST_RUNS, &AuditRequest::localSamples)});
    table.push_back({"rounds",
                     "a whole number from 1",
                     "rounds of the algorithm",
                     "",
                     RUNS_OF_NODE,
                     RUNS_OF_NODE,
                     CountSetter("rounds", 1, MOST_STEPS_PLAYED, &AuditRequest::rounds)});
    const std::vector<std::pair<std::string, std::string>> modes{{"sound", "sound"},
                                                                 {"paper", "paper"}};
    table.push_back({"mode",
                     "sound, paper",
                     "noise from a rigorous accountant, or from the paper's own formula",
                     "sound",
                     CLAIM,
                     {},
                     Choice("mode", modes, &AuditRequest::mode)});
    table.push_back({"literal",
                     "",
                     "one uniformly drawn example a round, and neighbours that replace one",
                     "",
                     CLAIM,
                     {},
                     [](AuditRequest& request, const std::string& /* text */) {
                         request.sampler = "fixed";
                         request.adjacency = Adjacency::REPLACE;
                     }});
}

void
AddParameters(Table& table)
{
    const std::string positive = "a finite number > 0";
    const std::pair<const char*, const char*> parameters[] = {
        {"batchSize", "examples in a batch"},
        {"noiseGrowth", "factor by which mu grows over the run"},
        {"c2", "constant of the moments accountant's formula"},
        {"tau", "rounds of a block of equal noise"},
        {"noisePower", "exponent of the noise schedule"}};
    for (const auto& [name, meaning] : parameters)
    {
        table.push_back(
            {name, positive, meaning, "of the algorithm", CLAIM, {}, AlgorithmParameter(name)});
    }
    table.push_back({"ratio",
                     "a finite number > 1",
                     "ratio of the gradient norms of two neighbouring datasets",
                     "1.01",
                     {AuditForm::NORM_RATIO},
                     {},
                     RealSetter("ratio", "a finite number > 1", IsAboveOne, &AuditRequest::ratio)});
    table.push_back({"parameters",
                     "a whole number from 1",
                     "parameters of the model",
                     "7850",
                     {AuditForm::NORM_RATIO, AuditForm::ZERO_GRADIENT, AuditForm::DPPS_SCALAR},
                     {},
                     CountSetter("parameters", 1, 1000000000, &AuditRequest::parameterCount)});
}

void
AddStatistics(Table& table)
{
    const std::string unit = "a number in (0, 1)";
    const std::string positive = "a finite number > 0";
    table.push_back({"epsilon",
                     positive,
                     "what is claimed",
                     "",
                     NOT_TRACE,
                     CLAIM,
                     RealSetter("epsilon", positive, IsPositive, &AuditRequest::epsilon)});
    Forms withDelta = NOT_TRACE;
    withDelta.erase(AuditForm::DPPS_SCALAR);
    table.push_back({"delta",
                     unit,
                     "the delta of (epsilon, delta)",
                     "",
                     withDelta,
                     withDelta,
                     RealSetter("delta", unit, IsInsideUnit, &AuditRequest::delta)});
    table.push_back({"game",
                     "canary, one-run, zero-gradient, norm-ratio, dpps-scalar",
                     "what the attacker does",
                     "canary",
                     ALL,
                     {},
                     [](AuditRequest& request, const std::string& text) {
                         request.oneRun = text == "one-run";
                     }});
    table.push_back({"runs",
                     "a whole number from 4",
                     "runs with the canary, and as many without",
                     "10000",
                     ALL,
                     {},
                     CountSetter("runs", 4, MOST_RUNS, &AuditRequest::runs)});
    table.push_back({"confidence",
                     unit,
                     "probability with which the lower bounds hold",
                     "0.95",
                     ALL,
                     {},
                     RealSetter("confidence", unit, IsInsideUnit, &AuditRequest::confidence)});
    table.push_back({"canaries",
                     "a whole number from 1",
                     "one-run: how many canaries",
                     "2000",
                     GAMES,
                     {},
                     CountSetter("canaries", 1, 100000000, &AuditRequest::canaries)});
    table.push_back({"guesses",
                     "a whole number from 1",
                     "one-run: how many canaries are guessed to be in",
                     "a fiftieth of the canaries",
                     GAMES,
                     {},
                     CountSetter("guesses", 1, 100000000, &AuditRequest::guesses)});
}

void
AddOutput(Table& table)
{
    table.push_back({"seed",
                     "a whole number from 1",
                     "seed of the attack's own random numbers",
                     "1",
                     ALL,
                     {},
                     SeedWord("seed", &RandomSeed::seed)});
    table.push_back({"run",
                     "a whole number from 1",
                     "number of the audit among those with the same seed",
                     "1",
                     ALL,
                     {},
                     SeedWord("run", &RandomSeed::run)});
    table.push_back({"threads",
                     "a whole number from 1 to 1024",
                     "threads to play with; the result does not depend on it",
                     "1",
                     GAMES,
                     {},
                     CountSetter("threads", 1, 1024, &AuditRequest::threads)});
    table.push_back(
        {"json",
         "",
         "print JSON",
         "",
         ALL,
         {},
         [](AuditRequest& request, const std::string& /* text */) { request.json = true; }});
    table.push_back(
        {"help",
         "",
         "print this",
         "",
         ALL,
         {},
         [](AuditRequest& request, const std::string& /* text */) { request.help = true; }});
}

} // namespace

const AuditOptionTable&
AuditOptions()
{
    static const AuditOptionTable OPTIONS = [] {
        Table table;
        AddMechanism(table);
        AddTarget(table);
        AddParameters(table);
        AddStatistics(table);
        AddOutput(table);
        return AuditOptionTable(table);
    }();
    return OPTIONS;
}

} // namespace dpdl
