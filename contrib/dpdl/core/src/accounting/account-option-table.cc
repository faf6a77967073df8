// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "account-option-table.h"

#include "dpdl/privacy/sampler-names.h"

#include <cmath>
#include <utility>

namespace dpdl
{

namespace
{

using Forms = std::set<AccountForm>;
using Setter = std::function<void(AccountRequest&, const std::string&)>;

const Forms ALL{AccountForm::CONSTANT,
                AccountForm::SCHEDULE,
                AccountForm::CALIBRATION,
                AccountForm::CLAIM};
const Forms EQUAL_STEPS{AccountForm::CONSTANT, AccountForm::CALIBRATION};
const Forms CLAIM{AccountForm::CLAIM};

bool
IsPositive(double value)
{
    return value > 0.0;
}

/// Builds the table, one kind of option a method.
class TableBuilder
{
  public:
    /// An option that takes a number.
    template <typename Fits>
    void Real(const std::string& name,
              const std::string& accepted,
              const std::string& meaning,
              const std::pair<Forms, Forms>& forms,
              Fits fits,
              std::function<double&(AccountRequest&)> member)
    {
        const Setter set = RealSetter(name, accepted, fits, member);
        m_table.push_back({name, accepted, meaning, "", forms.first, forms.second, set});
    }

    /// An option that takes a whole number from 1.
    void Count(const std::string& name,
               const std::string& meaning,
               const std::pair<Forms, Forms>& forms,
               std::uint64_t most,
               std::function<std::uint64_t&(AccountRequest&)> member)
    {
        const Setter set = CountSetter(name, 1, most, std::move(member));
        m_table.push_back({name,
                           "a whole number from 1 to " + std::to_string(most),
                           meaning,
                           "",
                           forms.first,
                           forms.second,
                           set});
    }

    /// An option that takes one of some words; the first is the default.
    template <typename T>
    void Choice(const std::string& name,
                const std::string& meaning,
                const Forms& forms,
                const std::vector<std::pair<std::string, T>>& choices,
                std::function<void(AccountRequest&, const T&)> assign)
    {
        std::vector<std::string> words;
        words.reserve(choices.size());
        for (const auto& choice : choices)
        {
            words.push_back(choice.first);
        }
        const std::string accepted = JoinNames(words);
        const Setter set = [=](AccountRequest& request, const std::string& text) {
            assign(request, ChoiceOf(name, text, choices));
        };
        m_table.push_back({name, accepted, meaning, words.front(), forms, {}, set});
    }

    /// An option that takes any text, checked later.
    void Text(const std::string& name,
              const std::string& accepted,
              const std::string& meaning,
              const std::string& defaultValue,
              const Forms& forms,
              std::string AccountRequest::*member)
    {
        const Setter set = [=](AccountRequest& request, const std::string& text) {
            request.*member = text;
        };
        m_table.push_back({name, accepted, meaning, defaultValue, forms, {}, set});
    }

    /// An option that stands alone.
    void Flag(const std::string& name,
              const std::string& meaning,
              const Forms& forms,
              const std::function<void(AccountRequest&)>& assign)
    {
        const Setter set = [assign](AccountRequest& request, const std::string& /* text */) {
            assign(request);
        };
        m_table.push_back({name, "", meaning, "", forms, {}, set});
    }

    /// A parameter of some algorithms.
    void Parameter(const std::string& name, const std::string& meaning)
    {
        const auto member = [name](AccountRequest& request) -> double& {
            return request.parameters[name];
        };
        const Setter set = RealSetter(name, "a finite number > 0", IsPositive, member);
        m_table.push_back({name, "a number > 0", meaning, "of the algorithm", CLAIM, {}, set});
    }

    std::vector<AccountOptionTable::Option> Take()
    {
        return std::move(m_table);
    }

  private:
    std::vector<AccountOptionTable::Option> m_table;
};

void
AddSteps(TableBuilder& add)
{
    add.Real(
        "noise",
        "a finite number > 0",
        "noise divided by sensitivity; Laplace: scale by L1 sensitivity",
        {{AccountForm::CONSTANT, AccountForm::CLAIM}, {AccountForm::CONSTANT}},
        [](double noise) { return noise > 0.0 && std::isfinite(4.0 / noise); },
        [](AccountRequest& request) -> double& { return request.group.noise; });
    add.Real(
        "rate",
        "a number in (0, 1]",
        "probability that one example is in a batch",
        {EQUAL_STEPS, {}},
        [](double rate) { return rate > 0.0 && rate <= 1.0; },
        [](AccountRequest& request) -> double& { return request.group.rate; });
    add.Count("batch",
              "examples in a batch: with localSamples the same as rate = batch / localSamples",
              {EQUAL_STEPS, {}},
              MOST_STEPS,
              [](AccountRequest& request) -> std::uint64_t& { return request.batch; });
    add.Count("steps",
              "number of steps",
              {EQUAL_STEPS, EQUAL_STEPS},
              MOST_STEPS,
              [](AccountRequest& request) -> std::uint64_t& { return request.group.steps; });
    add.Text("schedule",
             "a file with the header noise,rate,steps",
             "steps that differ: one row per distinct step, in the order of execution",
             "",
             {AccountForm::SCHEDULE},
             &AccountRequest::schedule);
}

void
AddPrivacy(TableBuilder& add)
{
    add.Real("epsilon",
             "a finite number > 0",
             "the target of calibrate and of an algorithm",
             {{AccountForm::CALIBRATION, AccountForm::CLAIM}, {AccountForm::CALIBRATION}},
             IsPositive,
             [](AccountRequest& request) -> double& { return request.epsilon; });
    add.Real(
        "delta",
        "a number in (0, 1)",
        "the delta of (epsilon, delta)",
        {ALL, ALL},
        [](double delta) { return delta > 0.0 && delta < 1.0; },
        [](AccountRequest& request) -> double& { return request.question.delta; });
    add.Flag("calibrate",
             "find the noise that meets epsilon",
             {AccountForm::CALIBRATION},
             [](AccountRequest& /* request */) {});
    add.Choice<std::string>("sampler",
                            "how a batch is drawn; shuffle: one batch of an epoch, not amplified",
                            ALL,
                            SamplerNames(),
                            [](AccountRequest& request, const std::string& sampler) {
                                request.group.sampler = sampler;
                            });
    add.Choice<Adjacency>("adjacency",
                          "what two neighbouring datasets differ in",
                          ALL,
                          {{"add-remove", Adjacency::ADD_REMOVE}, {"replace", Adjacency::REPLACE}},
                          [](AccountRequest& request, const Adjacency& adjacency) {
                              request.question.adjacency = adjacency;
                          });
    add.Choice<std::string>(
        "mechanism",
        "distribution of the noise",
        {AccountForm::CONSTANT, AccountForm::SCHEDULE, AccountForm::CALIBRATION},
        {{"gaussian", "gaussian"}, {"laplace", "laplace"}},
        [](AccountRequest& request, const std::string& mechanism) {
            request.group.mechanism = mechanism;
        });
    add.Text("accountant",
             JoinNames(Accountants().Names()),
             "what computes epsilon: `list accountants`",
             "pld",
             ALL,
             &AccountRequest::accountant);
}

void
AddAlgorithm(TableBuilder& add)
{
    add.Text("algorithm",
             "a name of `list algorithms`",
             "show what its paper claims next to what can be certified",
             "",
             CLAIM,
             &AccountRequest::algorithm);
    add.Count("localSamples",
              "examples that the node owns",
              {{AccountForm::CONSTANT, AccountForm::CALIBRATION, AccountForm::CLAIM}, CLAIM},
              MOST_STEPS,
              [](AccountRequest& request) -> std::uint64_t& { return request.localSamples; });
    add.Count("rounds",
              "rounds of the algorithm",
              {CLAIM, CLAIM},
              ClaimSettings::MOST_ROUNDS,
              [](AccountRequest& request) -> std::uint64_t& { return request.rounds; });
    add.Choice<Mode>("mode",
                     "noise from the accountant, or from the paper's own formula",
                     CLAIM,
                     {{"sound", Mode::SOUND}, {"paper", Mode::PAPER}},
                     [](AccountRequest& request, const Mode& mode) { request.mode = mode; });
    add.Parameter("batchSize", "examples in a batch");
    add.Parameter("noiseGrowth", "factor by which mu grows over the run");
    add.Parameter("c2", "constant of the moments accountant's formula");
    add.Parameter("tau", "rounds of a block of equal noise");
    add.Parameter("noisePower", "exponent of the noise schedule");
    add.Parameter("noiseRate", "factor on Laplace noise");
    add.Flag("batchClip",
             "the gradient of the batch is clipped as a whole",
             CLAIM,
             [](AccountRequest& request) { request.parameters["batchClip"] = 1.0; });
}

void
AddOutput(TableBuilder& add)
{
    const Forms once{AccountForm::CONSTANT, AccountForm::SCHEDULE};
    add.Flag("remove-only",
             "one direction alone: the data hold the example; no guarantee",
             once,
             [](AccountRequest& request) { request.question.direction = Direction::REMOVE; });
    add.Flag("add-only",
             "one direction alone: the data lack the example; no guarantee",
             once,
             [](AccountRequest& request) { request.question.direction = Direction::ADD; });
    add.Flag("json", "print JSON", ALL, [](AccountRequest& request) { request.json = true; });
    add.Flag("help", "print this", ALL, [](AccountRequest& request) { request.help = true; });
}

} // namespace

const AccountOptionTable&
AccountOptions()
{
    static const AccountOptionTable OPTIONS = [] {
        TableBuilder add;
        AddSteps(add);
        AddPrivacy(add);
        AddAlgorithm(add);
        AddOutput(add);
        return AccountOptionTable(add.Take());
    }();
    return OPTIONS;
}

} // namespace dpdl
