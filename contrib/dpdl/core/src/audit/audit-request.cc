// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/audit-request.h"

#include "dpdl/audit/event-probability.h"
#include "dpdl/base/options.h"
#include "dpdl/base/release.h"

#include <algorithm>
#include <limits>
#include <utility>

// Option table of `audit`. The parser infers the form of the request (AuditForm) from the given
// options, and checks their combination.

namespace dpdl
{

namespace
{

using Request = AuditRequest;

constexpr OptionForms STEPS = FormsOf(AuditForm::STEPS);
constexpr OptionForms SCHEDULE = FormsOf(AuditForm::SCHEDULE);
constexpr OptionForms CLAIM = FormsOf(AuditForm::CLAIM);
constexpr OptionForms TRACE = FormsOf(AuditForm::TRACE);
constexpr OptionForms ZERO_GRADIENT = FormsOf(AuditForm::ZERO_GRADIENT);
constexpr OptionForms NORM_RATIO = FormsOf(AuditForm::NORM_RATIO);
constexpr OptionForms DPPS_SCALAR = FormsOf(AuditForm::DPPS_SCALAR);
constexpr OptionForms PLANS = STEPS | SCHEDULE | CLAIM;
constexpr OptionForms GAMES = PLANS | TRACE;
constexpr OptionForms NOT_TRACE = PLANS | ZERO_GRADIENT | NORM_RATIO | DPPS_SCALAR;

/// Largest accepted number of steps or rounds of the audited mechanism. Every run of the audit
/// simulates all of them.
constexpr std::uint64_t MOST_STEPS_PLAYED = 10000000;
/// Largest number of runs, because the index of a run has 32 bits.
constexpr std::uint64_t MOST_RUNS = std::numeric_limits<std::uint32_t>::max();

/// Codec for an integer in [low, high]. The help text names only the lower limit, because the upper
/// limit is large.
template <typename V = std::uint64_t>
Codec<V>
CountFrom(std::uint64_t low, std::uint64_t high)
{
    Codec<V> codec = WholeNumber<V>(low, high);
    codec.accepted = "a whole number from " + std::to_string(low);
    return codec;
}

void
AddMechanism(OptionTable<Request>& table)
{
    const auto isRate = [](double value) { return value > 0.0 && value <= 1.0; };
    const Choices<std::string> shifts{{"1", "poisson"}, {"2", "fixed"}};
    const Choices<Adjacency> adjacencies{{"add-remove", Adjacency::ADD_REMOVE},
                                         {"replace", Adjacency::REPLACE}};
    table
        .Add("noise",
             PositiveNumber(),
             Within(&Request::group, &StepGroup::noise),
             "noise standard deviation divided by sensitivity")
        .For(STEPS)
        .Needed(STEPS);
    table
        .Add("rate",
             Number("a number in (0, 1]", isRate),
             Within(&Request::group, &StepGroup::rate),
             "probability that one example is in a batch")
        .For(STEPS);
    table
        .Add("steps",
             CountFrom(1, MOST_STEPS_PLAYED),
             Within(&Request::group, &StepGroup::steps),
             "number of steps")
        .For(STEPS);
    table.Add("sampler", OneOf(SamplerNames()), &Request::sampler, "how a batch is drawn")
        .For(PLANS);
    table
        .Add("shift",
             OneOf(shifts),
             &Request::sampler,
             "2: the other examples pull the other way, as with sampler without-replacement")
        .For(PLANS);
    table
        .Add("adjacency",
             OneOf(adjacencies),
             Within(&Request::question, &AccountingQuery::adjacency),
             "what two neighbouring datasets differ in")
        .For(PLANS);
}

void
AddTarget(OptionTable<Request>& table)
{
    const Choices<Mode> modes{{"sound", Mode::SOUND}, {"paper", Mode::PAPER}};
    table
        .Add("schedule",
             AnyText("a file with the header noise,rate,steps"),
             &Request::schedule,
             "steps that differ, one row per distinct step")
        .For(SCHEDULE);
    table
        .Add("trace",
             AnyText("a trace"),
             &Request::trace,
             "audit the releases that a run has recorded, and store the result in it")
        .For(TRACE);
    table
        .Add("node",
             WholeNumber<NodeId>(0, MOST_RUNS),
             &Request::node,
             "whose releases are audited")
        .Accepts("a node of the trace")
        .Default("the one that spent most")
        .For(TRACE);
    table
        .Add("algorithm",
             AnyText("a name of `list algorithms`"),
             &Request::algorithm,
             "the steps that an algorithm takes, against its paper's claim")
        .For(CLAIM);
    table
        .Add("localSamples",
             CountFrom(1, MOST_RUNS),
             &Request::localSamples,
             "examples that the node owns")
        .For(CLAIM | ZERO_GRADIENT)
        .Needed(CLAIM | ZERO_GRADIENT);
    table
        .Add("rounds", CountFrom(1, MOST_STEPS_PLAYED), &Request::rounds, "rounds of the algorithm")
        .For(CLAIM | ZERO_GRADIENT)
        .Needed(CLAIM | ZERO_GRADIENT);
    table
        .Add("mode",
             OneOf(modes),
             &Request::mode,
             "noise from a rigorous accountant, or from the paper's own formula")
        .For(CLAIM);
    table
        .Add("literal",
             Switch(std::string("fixed")),
             &Request::sampler,
             "one uniformly drawn example a round, and neighbours that replace one")
        .For(CLAIM);
}

void
AddParameters(OptionTable<Request>& table)
{
    for (const auto& [name, meaning] : {std::pair{"batchSize", "examples in a batch"},
                                        {"muGrowth", "factor by which mu grows over the run"},
                                        {"c2", "constant of the moments accountant's formula"},
                                        {"tau", "rounds of a block of equal noise"},
                                        {"noisePower", "exponent of the noise schedule"}})
    {
        const auto parameter = [name = std::string(name)](Request& request) -> double& {
            return request.parameters[name];
        };
        table.Add(name, PositiveNumber(), parameter, meaning)
            .Default("of the algorithm")
            .For(CLAIM)
            .Formerly(name == std::string("muGrowth") ? "noiseGrowth" : "");
    }
    table
        .Add("ratio",
             Number(NORM_RATIOS, IsNormRatio),
             &Request::ratio,
             "ratio of the gradient norms of two neighbouring datasets")
        .For(NORM_RATIO);
    table
        .Add("parameters",
             CountFrom(1, 1000000000),
             &Request::parameterCount,
             "parameters of the model")
        .For(NORM_RATIO | ZERO_GRADIENT | DPPS_SCALAR);
}

void
AddStatistics(OptionTable<Request>& table)
{
    const Choices<bool> games{{"canary", false},
                              {"one-run", true},
                              {"zero-gradient", false},
                              {"norm-ratio", false},
                              {"dpps-scalar", false}};
    constexpr std::uint64_t mostCanaries = 100000000;
    table.Add("epsilon", PositiveNumber(), &Request::claimed, "what is claimed")
        .For(NOT_TRACE)
        .Needed(CLAIM);
    table
        .Add("delta",
             Delta(),
             Within(&Request::question, &AccountingQuery::delta),
             "the delta of (epsilon, delta)")
        .For(NOT_TRACE & ~DPPS_SCALAR)
        .Needed(NOT_TRACE & ~DPPS_SCALAR);
    table.Add("game", OneOf(games), &Request::oneRun, "what the attacker does");
    table.Add("runs",
              CountFrom(4, MOST_RUNS),
              &Request::runs,
              "runs with the canary, and as many without");
    table.Add("confidence",
              InsideUnit(),
              &Request::confidence,
              "probability with which the lower bounds hold");
    table
        .Add("canaries",
             CountFrom(1, mostCanaries),
             &Request::canaries,
             "one-run: how many canaries")
        .For(GAMES);
    table
        .Add("guesses",
             CountFrom(1, mostCanaries),
             &Request::guesses,
             "one-run: how many canaries are guessed to be in")
        .Default("a fiftieth of the canaries")
        .For(GAMES);
}

void
AddOutput(OptionTable<Request>& table)
{
    const auto word = CountFrom<std::uint32_t>(1, MOST_RUNS);
    table.Add("seed",
              word,
              Within(&Request::seed, &RandomSeed::seed),
              "seed of the attack's own random numbers");
    table.Add("run",
              word,
              Within(&Request::seed, &RandomSeed::run),
              "number of the audit among those with the same seed");
    table
        .Add("threads",
             WholeNumber(1, 1024),
             &Request::threads,
             "threads to play with; the result does not depend on it")
        .For(GAMES);
    table.Add("json", Switch(true), &Request::json, "print JSON");
    table.Add("help", Switch(true), &Request::help, "print this");
}

/// Options of `audit`, in the order of the help text.
const OptionTable<Request>&
AuditOptions()
{
    static const OptionTable<Request> OPTIONS = [] {
        OptionTable<Request> table;
        AddMechanism(table);
        AddTarget(table);
        AddParameters(table);
        AddStatistics(table);
        AddOutput(table);
        return table;
    }();
    return OPTIONS;
}

/// Infers the form of the request from the given options.
/// @return the form, and a phrase for errors that names the option which determines the form
std::pair<AuditForm, std::string>
FormOf(const GivenOptions& given)
{
    if (const auto game = given.find("game"); game != given.end())
    {
        static const Choices<AuditForm> FORMS{{"canary", AuditForm::STEPS},
                                              {"one-run", AuditForm::STEPS},
                                              {"zero-gradient", AuditForm::ZERO_GRADIENT},
                                              {"norm-ratio", AuditForm::NORM_RATIO},
                                              {"dpps-scalar", AuditForm::DPPS_SCALAR}};
        const AuditForm form = ChoiceOf("game", game->second, FORMS);
        if (form != AuditForm::STEPS)
        {
            return {form, "with --game=" + game->second};
        }
    }
    const std::pair<const char*, AuditForm> targets[] = {{"trace", AuditForm::TRACE},
                                                         {"schedule", AuditForm::SCHEDULE},
                                                         {"algorithm", AuditForm::CLAIM},
                                                         {"noise", AuditForm::STEPS}};
    for (const auto& [name, form] : targets)
    {
        if (given.count(name) != 0)
        {
            return {form, "with --" + std::string(name)};
        }
    }
    throw UsageError("audit needs one of --noise, --schedule, --algorithm, --trace, or a --game "
                     "that needs none (zero-gradient, norm-ratio, dpps-scalar)");
}

/// Rejects combinations of options that exclude each other.
void
CheckExclusive(const GivenOptions& given)
{
    const char* exclusive[] = {"sampler", "shift", "literal"};
    if (std::count_if(std::begin(exclusive), std::end(exclusive), [&](const char* name) {
            return given.count(name) != 0;
        }) > 1)
    {
        throw UsageError("options 'sampler', 'shift' and 'literal' exclude one another");
    }
    DPDL_REFUSE_IF(given.count("literal") != 0 && given.count("adjacency") != 0,
                   "options 'literal' and 'adjacency' exclude one another");
}

} // namespace

AuditRequest
ParseAuditArguments(const std::vector<std::string>& arguments)
{
    AuditRequest request;
    const GivenOptions given = AuditOptions().Split(arguments);
    if (given.count("help") != 0)
    {
        request.help = true;
        return request;
    }
    const auto [form, because] = FormOf(given);
    request.form = form;
    AuditOptions().Check(given, form, because);
    CheckExclusive(given);
    AuditOptions().Read(given, request);
    request.group.sampler = request.sampler;
    if (given.count("literal") != 0)
    {
        request.question.adjacency = Adjacency::REPLACE;
    }
    DPDL_REFUSE_IF(request.sampler == "full" && request.group.rate != 1.0,
                   "option 'rate'",
                   given.at("rate"),
                   "1 with --sampler=none");
    return request;
}

std::string
AuditHelp()
{
    return std::string(
               "audit: what an attacker can measure, as a lower bound of epsilon\n\n"
               "  audit --noise=S --rate=Q --steps=K --delta=D [--epsilon=CLAIM]\n"
               "  audit --schedule=FILE.csv --delta=D [--epsilon=CLAIM]\n"
               "  audit --algorithm=NAME --localSamples=J --rounds=K --epsilon=E --delta=D\n"
               "  audit --trace=RUN.db\n"
               "  audit --game=zero-gradient --localSamples=J --rounds=K --delta=D\n"
               "  audit --game=norm-ratio --ratio=R --parameters=N --delta=D\n"
               "  audit --game=dpps-scalar\n\noptions:\n") +
           AuditOptions().Help();
}

} // namespace dpdl
