// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-round.h"

#include "dpdl/base/errors.h"
#include "job-runner.h"

#include <algorithm>
#include <cmath>
#include <numeric>

// DeviceRound uploads batches and update rules, then launches or replays gradients, clipping, noise
// and update of all nodes. It downloads only each node's sums of objectives, gradient norms and
// counts.

namespace dpdl
{

namespace
{

/// Padded batch sizes are multiples of this number of examples.
constexpr std::size_t PLACES = 8;
/// Largest number of examples of each node that are evaluated at once.
constexpr std::size_t EVALUATED = 512;

/// Largest memory for one step, in bytes: 2^32 floats, because kernels index with 32 bits.
constexpr std::size_t MOST_BYTES = sizeof(float) << 32;

std::size_t
RoundUpExamples(std::size_t value)
{
    return std::max(PLACES, (value + PLACES - 1) / PLACES * PLACES);
}

std::size_t
LargestBatch(const DeviceStep* steps, std::size_t nodes)
{
    std::size_t largest = 0;
    for (std::size_t node = 0; node < nodes; ++node)
    {
        largest = std::max(largest, steps[node].examples.size());
    }
    return largest;
}

} // namespace

DeviceRound::DeviceRound(const ModelSpec& model,
                         const Dataset& dataset,
                         cuda::DeviceExecutor& executor,
                         std::unique_ptr<GradientEngine> engine)
    : m_dataset(dataset),
      m_executor(executor),
      m_engine(std::move(engine)),
      m_network(model),
      m_image(model.Shapes().front()),
      m_parameters(model.ParameterCount()),
      m_classes(model.Classes()),
      m_tolerance(model.TrainingLoss() == Loss::SQUARED_ERROR ? TARGET_TOLERANCE : -1.0),
      m_train(Send(dataset.train)),
      m_test(Send(dataset.test)),
      m_exact(executor, m_engine ? m_parameters : 0),
      m_whole(executor, 1)
{
}

DeviceRound::ResidentSplit
DeviceRound::Send(const Split& split)
{
    if (m_engine)
    {
        return {}; // the engine loads the examples
    }
    DPDL_REFUSE_IF(!split.values.empty(),
                   "device",
                   "cuda",
                   "cpu for a dataset whose features are not bytes");
    ResidentSplit resident{{m_executor, split.pixels.size()}, {m_executor, split.labels.size()}};
    if (split.Size() > 0)
    {
        m_executor.Upload(resident.pixels.Data(), split.pixels.data(), split.pixels.size());
        m_executor.Upload(resident.labels.Data(),
                          split.labels.data(),
                          split.labels.size() * sizeof(double));
    }
    return resident;
}

std::size_t
DeviceRound::NodesAtOnce(std::size_t examples) const
{
    // A node needs memory for its examples, state, sum and reordered weights. Half of the free
    // memory is left for other states.
    const std::size_t node =
        RoundUpExamples(examples) * m_network.BytesPerExample() + 3 * m_parameters * sizeof(float);
    const std::size_t taken =
        m_room * m_network.BytesPerExample() + m_nodes * 3 * m_parameters * sizeof(float);
    const std::size_t room = std::min(MOST_BYTES, taken + m_executor.FreeBytes() / 2);
    return std::max<std::size_t>(1, room / node);
}

void
DeviceRound::Prepare(std::size_t nodes, std::size_t batch)
{
    if (batch > m_places || m_places == 0)
    {
        // The largest batch of Poisson sampling grows slowly. Additional padding avoids most new
        // recordings.
        m_places = RoundUpExamples(m_places == 0 ? batch : batch + batch / 8);
        m_recorded.clear();
    }
    Reserve(nodes, nodes * m_places);
}

void
DeviceRound::Reserve(std::size_t nodes, std::size_t examples)
{
    if (nodes <= m_nodes && examples <= m_room)
    {
        return;
    }
    m_recorded.clear();
    m_nodes = std::max(nodes, m_nodes);
    m_room = std::max(examples, m_room);
    examples = m_room;
    m_network.Reserve(m_executor, m_nodes, m_engine ? 0 : examples);
    m_examples = {m_executor, examples};
    m_clip = {m_executor, m_nodes};
    m_rules = {m_executor, m_nodes};
    m_factors = {m_executor, examples};
    m_sums = {};
    m_sums = {m_executor, m_engine ? 0 : m_nodes * m_parameters};
    m_figures = {m_executor, cuda::ExampleFigures::ARRAYS * examples};
    m_totals = {m_executor, cuda::ExampleFigures::ARRAYS * m_nodes};
}

DevicePass
DeviceRound::Pass(const float* states, std::size_t nodes, std::size_t places)
{
    return {&m_executor,
            states,
            m_parameters,
            nodes,
            places,
            m_network.Scratch(),
            m_factors.Data(),
            m_sums.Data()};
}

cuda::ExampleFigures
DeviceRound::Figures(const DevicePass& pass) const
{
    return cuda::ExampleFigures::In(m_figures.Data(), pass.Examples());
}

void
DeviceRound::SendSteps(const DeviceStep* steps, std::size_t nodes)
{
    m_hostExamples.assign(nodes * m_places, cuda::NO_EXAMPLE);
    m_hostClip.clear();
    m_hostRules.clear();
    for (std::size_t node = 0; node < nodes; ++node)
    {
        const std::vector<std::uint32_t>& examples = steps[node].examples;
        std::copy(examples.begin(),
                  examples.end(),
                  m_hostExamples.begin() + static_cast<std::ptrdiff_t>(node * m_places));
        m_hostClip.push_back(steps[node].clip);
        m_hostRules.push_back(steps[node].rule);
    }
    m_executor.Upload(m_examples.Data(),
                      m_hostExamples.data(),
                      m_hostExamples.size() * sizeof(std::uint32_t));
    m_executor.Upload(m_clip.Data(), m_hostClip.data(), m_hostClip.size() * sizeof(double));
    m_executor.Upload(m_rules.Data(),
                      m_hostRules.data(),
                      m_hostRules.size() * sizeof(cuda::UpdateRule));
}

void
DeviceRound::Score(const DevicePass& pass, const ResidentSplit& split, float* gradients)
{
    m_executor.ForEach(cuda::LoadImages{split.pixels.Data(),
                                        m_examples.Data(),
                                        m_network.Images(),
                                        m_image.channels,
                                        m_image.height * m_image.width},
                       pass.Examples() * m_image.Size());
    m_network.Forward(pass);
    m_executor.ForEach(cuda::ScoreExamples{m_network.Logits(),
                                           m_examples.Data(),
                                           split.labels.Data(),
                                           gradients,
                                           Figures(pass),
                                           m_classes,
                                           m_tolerance},
                       pass.Examples());
}

void
DeviceRound::Launch(float* states, std::size_t nodes)
{
    const DevicePass pass = Pass(states, nodes, m_places);
    Score(pass, m_train, m_network.LogitGradients());
    m_network.Backward(pass);
    m_executor.ForEach(cuda::ClipExamples{m_network.Norms(),
                                          m_examples.Data(),
                                          m_clip.Data(),
                                          m_factors.Data(),
                                          Figures(pass),
                                          m_places},
                       pass.Examples());
    m_network.SumClipped(pass);
    m_executor.ForEach(cuda::UpdateStates{states, m_sums.Data(), m_rules.Data(), m_parameters},
                       nodes * cuda::UpdateStates::CallsPerNode(m_parameters));
    m_executor.SumRows(cuda::RowSums{m_figures.Data(), m_places, m_totals.Data(), false},
                       cuda::ExampleFigures::ARRAYS * nodes);
}

void
DeviceRound::DoOrReplay(float* states, std::size_t nodes)
{
    RecordedStep& step = m_recorded[{states, nodes}];
    if (!step.warm)
    {
        Launch(states, nodes);
        step.warm = true;
        return;
    }
    if (!step.recording)
    {
        step.recording = m_executor.Record([this, states, nodes] { Launch(states, nodes); });
    }
    step.recording->Replay();
}

std::vector<BatchResult>
DeviceRound::Step(float* states, const DeviceStep* steps, std::size_t nodes)
{
    Prepare(nodes, LargestBatch(steps, nodes));
    SendSteps(steps, nodes);
    if (m_engine)
    {
        return StepByEngine(states, steps, nodes);
    }
    DoOrReplay(states, nodes);
    const std::vector<double> totals = Totals(cuda::ExampleFigures::ARRAYS, nodes);
    std::vector<BatchResult> results(nodes);
    for (std::size_t node = 0; node < nodes; ++node)
    {
        results[node].lossSum = totals[node];
        results[node].normSum = totals[2 * nodes + node];
        results[node].clipped = static_cast<std::uint32_t>(totals[3 * nodes + node]);
        results[node].size = static_cast<std::uint32_t>(steps[node].examples.size());
    }
    return results;
}

std::vector<BatchResult>
DeviceRound::StepByEngine(float* states, const DeviceStep* steps, std::size_t nodes)
{
    std::vector<BatchResult> results(nodes);
    for (std::size_t node = 0; node < nodes; ++node)
    {
        const DeviceStep& step = steps[node];
        if (step.rule.scale != 0.0F)
        {
            const Batch batch{&m_dataset.train, step.examples.data(), step.examples.size()};
            float* const z = states + node * m_parameters;
            double* const sum = m_exact.Data();
            results[node] = m_engine->ClippedGradientSum(z, batch, step.clip, sum);
            m_executor.ForEach(
                cuda::UpdateStates{z, nullptr, m_rules.Data() + node, m_parameters, sum},
                cuda::UpdateStates::CallsPerNode(m_parameters));
        }
    }
    return results;
}

std::vector<double>
DeviceRound::Totals(std::size_t arrays, std::size_t nodes) const
{
    std::vector<double> totals(arrays * nodes);
    m_executor.Download(totals.data(), m_totals.Data(), totals.size() * sizeof(double));
    return totals;
}

void
DeviceRound::SendTestImages(const DevicePass& pass, std::size_t first, std::size_t end)
{
    const std::size_t count = std::min(pass.places, end - first);
    m_hostExamples.assign(pass.Examples(), cuda::NO_EXAMPLE);
    for (std::size_t node = 0; node < pass.nodes; ++node)
    {
        const auto begin = m_hostExamples.begin() + static_cast<std::ptrdiff_t>(node * pass.places);
        std::iota(begin,
                  begin + static_cast<std::ptrdiff_t>(count),
                  static_cast<std::uint32_t>(first));
    }
    m_executor.Upload(m_examples.Data(),
                      m_hostExamples.data(),
                      m_hostExamples.size() * sizeof(std::uint32_t));
}

std::vector<Evaluation>
DeviceRound::Evaluate(const float* states, std::size_t nodes, std::size_t examples)
{
    constexpr std::size_t ARRAYS = cuda::ExampleFigures::SCORED;
    const std::size_t used = std::min(examples, m_dataset.test.Size());
    const std::size_t places = std::max(PLACES, std::min(EVALUATED, m_room / nodes));
    Reserve(nodes, nodes * places);
    const DevicePass pass = Pass(states, nodes, places);
    const std::vector<double> zeros(ARRAYS * nodes);
    m_executor.Upload(m_totals.Data(), zeros.data(), zeros.size() * sizeof(double));
    for (std::size_t first = 0; first < used && !m_engine; first += places)
    {
        SendTestImages(pass, first, used);
        Score(pass, m_test, nullptr);
        m_executor.SumRows(cuda::RowSums{m_figures.Data(), places, m_totals.Data(), true},
                           ARRAYS * nodes);
    }
    // A state's squared norm in double precision is finite if and only if all of its floats are.
    const cuda::GradientPart whole{states, m_parameters, false};
    m_executor.Upload(m_whole.Data(), &whole, sizeof(whole));
    double* const norms = m_totals.Data() + ARRAYS * nodes;
    m_executor.SumRows(cuda::PartNorms{m_whole.Data(), 1, norms}, nodes);
    const std::vector<double> totals = Totals(ARRAYS + 1, nodes);
    std::vector<Evaluation> evaluations(nodes);
    for (std::size_t node = 0; node < nodes; ++node)
    {
        Evaluation& evaluation = evaluations[node];
        evaluation = {static_cast<std::uint64_t>(totals[nodes + node]),
                      totals[node],
                      m_engine ? 0 : used};
        for (std::size_t first = 0; first < used && m_engine; first += EVALUATION_BLOCK)
        {
            evaluation += m_engine->Evaluate(states + node * m_parameters,
                                             m_dataset.test,
                                             first,
                                             std::min(EVALUATION_BLOCK, used - first));
        }
        if (!std::isfinite(totals[ARRAYS * nodes + node]))
        {
            evaluation.lossSum = std::nan("");
        }
    }
    return evaluations;
}

} // namespace dpdl
