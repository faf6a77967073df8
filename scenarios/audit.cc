// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * The canary game against the simulator itself: many runs of a small network, in half of which one
 * image of node 0 is the canary and in the other half a black one. The attacker hears every link of
 * node 0, and so knows the model before and after each of its local steps.
 */

#include "dpdl/audit/audit-report.h"
#include "dpdl/base/errors.h"
#include "dpdl/data/dataset.h"
#include "dpdl/training/gradient-engine.h"

#include "ns3/dpdl-scenario.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace
{

using dpdl::RunOptions;

constexpr std::uint32_t SIDE = 28;
constexpr std::uint32_t CLASSES = 10;
/// Examples of a node. The canary is the first example of the first node.
constexpr std::uint32_t LOCAL_EXAMPLES = 20;

/// What the command line asks for, apart from the run.
struct Request
{
    std::uint64_t runs{200};     ///< with the canary, and as many without
    double confidence{0.95};     ///< of the lower bounds
    std::optional<double> claim; ///< epsilon to hold the runs against; empty: the run's own
    bool json{false};            ///< print JSON
};

/// A folder that goes when the scenario does.
class TemporaryFolder
{
  public:
    TemporaryFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "dpdl-audit-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
        {
            throw dpdl::Error("no folder for the audit's data can be made in " + name);
        }
        m_path = name;
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    ~TemporaryFolder()
    {
        std::error_code error;
        std::filesystem::remove_all(m_path, error);
    }

    std::string Path(const std::string& name) const
    {
        return (m_path / name).string();
    }

  private:
    std::filesystem::path m_path;
};

void
WriteIdx(const std::string& path,
         const std::vector<std::uint32_t>& sizes,
         const std::vector<std::uint8_t>& values)
{
    std::ofstream out(path, std::ios::binary);
    out.put(0).put(0).put(8).put(static_cast<char>(sizes.size()));
    for (const std::uint32_t size : sizes)
    {
        for (int shift = 24; shift >= 0; shift -= 8)
        {
            out.put(static_cast<char>(size >> shift & 0xffU));
        }
    }
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size()));
    if (!out)
    {
        throw dpdl::Error("the file " + path + " cannot be written");
    }
}

/// Images that are bright in the left half only; the canary is bright in the right half only.
void
WriteDataset(const std::string& folder, std::uint32_t examples, bool canary)
{
    std::filesystem::create_directories(folder);
    const std::uint32_t pixels = SIDE * SIDE;
    std::vector<std::uint8_t> images(static_cast<std::size_t>(examples) * pixels);
    std::vector<std::uint8_t> labels(examples);
    const dpdl::RandomStream random({1, 1}, dpdl::RandomPurpose::AUDIT, 100, 0);
    for (std::uint32_t i = 0; i < examples; ++i)
    {
        labels[i] = static_cast<std::uint8_t>(i % CLASSES);
        for (std::uint32_t p = 0; p < pixels; ++p)
        {
            const bool left = p % SIDE < SIDE / 2;
            const std::size_t at = static_cast<std::size_t>(i) * pixels + p;
            if (i > 0 && left)
            {
                images[at] = static_cast<std::uint8_t>(random.Integer(at, 256));
            }
            else if (i == 0 && !left && canary)
            {
                images[at] = 255;
            }
        }
    }
    for (const char* split : {"train", "t10k"})
    {
        WriteIdx(folder + "/" + split + "-images-idx3-ubyte", {examples, SIDE, SIDE}, images);
        WriteIdx(folder + "/" + split + "-labels-idx1-ubyte", {examples}, labels);
    }
}

/// Scores what can be computed from the messages of node 0, round by round.
class Eavesdropper
{
  public:
    explicit Eavesdropper(const RunOptions& settings)
        : m_dataset(dpdl::DataOf(settings, 0, 0)),
          m_model(dpdl::MakeModel(settings.model, m_dataset->shape, m_dataset->classes)),
          m_engine(dpdl::MakeGradientEngine("auto", m_model)),
          m_gradient(m_model.ParameterCount())
    {
    }

    /// Listens to a run that is about to start.
    void Attach(dpdl::Experiment& run)
    {
        m_score = 0.0;
        run.Recorder().SetStepCallback([this, &run](const dpdl::NodeJob& job) {
            if (job.node == 0 && job.update.enabled)
            {
                Hear(job, run.Plan().Of(0).Terms().samplingRate);
            }
        });
    }

    /// The logarithm of the likelihood ratio after the run.
    double Score() const
    {
        return m_score;
    }

  private:
    /// The noisy sum along the canary's gradient, which anyone who has the canary can compute.
    void Hear(const dpdl::NodeJob& job, double rate)
    {
        const float* before = job.copy->Data();
        const float* after = job.state->Data();
        const std::uint32_t canary = 0;
        const dpdl::Batch batch{&m_dataset->train, &canary, 1};
        m_engine->ClippedGradientSum(before, batch, job.update.clip, m_gradient.data());
        double square = 0.0;
        double along = 0.0;
        for (std::size_t i = 0; i < m_gradient.size(); ++i)
        {
            const auto gradient = static_cast<double>(m_gradient[i]);
            square += gradient * gradient;
            along += gradient * (static_cast<double>(before[i]) - static_cast<double>(after[i]));
        }
        const double norm = std::sqrt(square);
        // Without noise anything that is small against the gradient serves as the unit.
        const double noise = job.update.noise > 0.0 ? job.update.noise : 0.1 * norm;
        if (norm > 0.0)
        {
            const double sum = along / norm * job.update.divisor / job.update.stepSize;
            const double shift = norm / noise;
            const double exponent = shift * sum / noise - 0.5 * shift * shift;
            m_score += std::log1p(rate * std::expm1(std::min(exponent, 300.0)));
        }
    }

    std::shared_ptr<const dpdl::Dataset> m_dataset;
    dpdl::ModelSpec m_model;
    std::unique_ptr<dpdl::GradientEngine> m_engine;
    std::vector<double> m_gradient;
    double m_score{0.0};
};

/// What node 0 sends, and what is claimed and certified of it.
dpdl::AuditedMechanism
Describe(const dpdl::Experiment& run, const Request& request)
{
    dpdl::AuditedMechanism mechanism;
    mechanism.name = "node 0 of " + std::to_string(run.Settings().nodes) + " in the simulator, " +
                     run.Settings().algorithm + ", " + std::to_string(run.Plan().Rounds()) +
                     " rounds";
    mechanism.adjacency = dpdl::Adjacency::REPLACE;
    mechanism.delta = run.Settings().delta;
    mechanism.claimed = request.claim.value_or(run.Plan().Of(0).Terms().epsilon);
    mechanism.releases = run.Plan().Releases(0);
    const dpdl::Guarantee guarantee = dpdl::Accountants().Get("pld")->Evaluate(
        mechanism.releases,
        {mechanism.delta, mechanism.adjacency, dpdl::Direction::BOTH});
    mechanism.certified = guarantee.epsilon;
    mechanism.reason = guarantee.reason;
    return mechanism;
}

/// Plays and prints; returns the exit status.
int
RunGame(ns3::DpdlScenario& scenario, const Request& request)
{
    const TemporaryFolder folder;
    RunOptions settings = scenario.Settings();
    const auto examples = static_cast<std::uint32_t>(settings.nodes * LOCAL_EXAMPLES);
    WriteDataset(folder.Path("with"), examples, true);
    WriteDataset(folder.Path("without"), examples, false);
    settings.trace = folder.Path("run.db");
    settings.overwrite = true;
    settings.dataDir = folder.Path("with");
    Eavesdropper eavesdropper(settings);
    dpdl::AuditedMechanism mechanism;
    dpdl::ScoreSample scores;
    const std::uint32_t first = settings.seed.run;
    for (std::uint64_t run = 0; run < 2 * request.runs; ++run)
    {
        const bool with = run % 2 == 0;
        settings.dataDir = folder.Path(with ? "with" : "without");
        settings.seed.run = first + static_cast<std::uint32_t>(run);
        scenario.Run(settings, "audit", [&](dpdl::Experiment& experiment) {
            if (run == 0)
            {
                mechanism = Describe(experiment, request);
            }
            eavesdropper.Attach(experiment);
        });
        (with ? scores.with : scores.without).push_back(eavesdropper.Score());
    }
    dpdl::AuditAnswer answer = dpdl::AnswerScores(mechanism, scores, request.confidence);
    answer.game = "canary, in the simulator";
    std::cout << (request.json ? dpdl::AuditAsJson(answer) : dpdl::AuditAsTable(answer));
    return dpdl::ExitStatus(answer.Judge().Finding());
}

void
AddOptions(ns3::DpdlScenario& scenario, Request& request)
{
    scenario
        .AddOption("runs",
                   dpdl::WholeNumber(4, 1000000),
                   request.runs,
                   "runs with the canary, and as many without")
        .Accepts("a whole number from 4");
    scenario.AddOption("confidence",
                       dpdl::InsideUnit(),
                       request.confidence,
                       "probability with which the lower bounds hold");
    scenario.AddOption("claim",
                       dpdl::PositiveNumber(),
                       request.claim,
                       "epsilon to hold the runs against, if it is not their own");
    scenario.AddOption("json", dpdl::Switch(true), request.json, "print JSON").Accepts("nothing");
}

} // namespace

int
main(int argc, char* argv[])
{
    ns3::DpdlScenario scenario("audit", "a membership attack on the simulator itself");
    for (const auto& [name, value] : {std::pair{"model", "softmax-regression"},
                                      {"nodes", "4"},
                                      {"rounds", "5"},
                                      {"batchSize", "10"},
                                      {"epsilon", "10"},
                                      {"partition", "contiguous"},
                                      {"evaluateEvery", "0"},
                                      {"snapshotEvery", "1"},
                                      {"traceLevel", "summary"},
                                      {"progress", "none"},
                                      {"workers", "1"}})
    {
        dpdl::SetOption(scenario.Settings(), name, value);
    }
    Request request;
    AddOptions(scenario, request);
    int status = 0;
    const int failure = scenario.Main(argc, argv, [&request, &status](ns3::DpdlScenario& s) {
        status = RunGame(s, request);
    });
    return failure != 0 ? failure : status;
}
