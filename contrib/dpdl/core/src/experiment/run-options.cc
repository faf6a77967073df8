// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-options.h"

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

// Helpers that derive links, data, trace names, algorithm presets and chunks from the options of a
// run.

namespace dpdl
{

LinkParameters
AskedLink(const RunOptions& settings)
{
    LinkParameters link;
    link.dataRate = settings.dataRate.value_or(link.dataRate);
    link.delay = settings.delay.value_or(link.delay);
    link.drop = settings.drop.value_or(link.drop);
    return link;
}

std::shared_ptr<const LinkTable>
ReadLinks(const RunOptions& settings, const LinkParameters& defaults)
{
    if (settings.linkFiles.empty())
    {
        return nullptr;
    }
    std::set<LinkColumn> claimed;
    for (const auto& [column, isAsked] :
         {std::pair(LinkColumn::DATA_RATE, settings.dataRate.has_value()),
          {LinkColumn::DELAY, settings.delay.has_value()},
          {LinkColumn::DROP, settings.drop.has_value()}})
    {
        if (isAsked || settings.linkFiles.count(column) > 0)
        {
            claimed.insert(column);
        }
    }
    auto table = std::make_shared<LinkTable>(settings.nodes, defaults);
    for (const auto& [column, path] : settings.linkFiles)
    {
        table->ReadFile(path, column, claimed);
    }
    return table;
}

std::shared_ptr<const Dataset>
DataOf(const LearningSettings& settings, std::size_t samples, std::size_t testSamples)
{
    return LoadDataset(settings.dataset,
                       settings.dataDir,
                       samples,
                       testSamples,
                       {settings.label, settings.testFraction, settings.seed, settings.classes},
                       {settings.features, std::max(1U, settings.workers)});
}

Round
FirstAveraged(const LearningSettings& settings)
{
    if (settings.average <= 0.0)
    {
        return std::numeric_limits<Round>::max();
    }
    const double share = std::round(settings.average * static_cast<double>(settings.rounds));
    return settings.rounds + 1 - static_cast<Round>(std::max(1.0, share));
}

std::string
TraceName(const std::string& name, RandomSeed seed)
{
    return name + "-" + std::to_string(seed.seed) + "-" + std::to_string(seed.run) + ".db";
}

std::string
FreeTraceName(const std::string& name, RandomSeed seed)
{
    const std::string first = TraceName(name, seed);
    const std::string stem = first.substr(0, first.rfind('.'));
    std::string free = first;
    std::error_code ignored;
    for (int number = 2; std::filesystem::exists(free, ignored); ++number)
    {
        free = stem + "-" + std::to_string(number) + ".db";
    }
    return free;
}

AlgorithmPreset
ResolvePreset(const RunOptions& settings)
{
    AlgorithmPreset preset = MakeAlgorithm(settings.algorithm, settings.hyper);
    if (!settings.scheduleFile.empty())
    {
        DPDL_REFUSE_IF(!preset.readSchedule,
                       "option 'scheduleFile'",
                       settings.scheduleFile,
                       "no file: " + settings.algorithm + " has its own schedule");
        preset.schedule = preset.readSchedule(settings.scheduleFile);
    }
    preset.stepSize = settings.stepSize.value_or(preset.stepSize);
    preset.compress = settings.compress.value_or(preset.compress);
    if (preset.clip > 0.0)
    {
        preset.clip = settings.clip.value_or(preset.clip);
    }
    return preset;
}

void
WriteFactor(RunOptions& asked, const std::string& attribute, const std::string& name, double factor)
{
    if (factor == 0.0 || !Algorithms().Get(asked.algorithm).hyperParameters.Has(name))
    {
        return;
    }
    DPDL_REFUSE_IF(!(factor >= 1.0),
                   "attribute '" + attribute + "'",
                   ShowNumber(factor),
                   "a number >= 1");
    asked.hyper = WithHyperParameter(asked.hyper, name, factor);
}

ChunkLayout
ResolveChunks(const NetworkSettings& settings, std::size_t parameters)
{
    constexpr std::size_t most = ChunkLayout::MOST_CHUNKS;
    const ChunkLayout chunks(parameters, settings.chunkBytes / sizeof(float));
    if (chunks.Count() > most)
    {
        const std::size_t least = (parameters + most - 1) / most;
        throw UsageError("option 'chunk'",
                         std::to_string(settings.chunkBytes),
                         "none or at least " + std::to_string(sizeof(float) * least) +
                             ": a model is cut into " + std::to_string(most) + " chunks at most");
    }
    return chunks;
}

StepScale
ResolveStepScale(const RunOptions& settings)
{
    if (settings.stepScale.has_value())
    {
        return *settings.stepScale;
    }
    const bool isPlain =
        settings.mode == Mode::PAPER || settings.lossPolicy == LossPolicy::RELIABLE;
    return isPlain ? StepScale::PLAIN : StepScale::BY_WEIGHT;
}

const Registry<NetworkKind>&
Networks()
{
    static const auto registry =
        Registry<NetworkKind>("option 'network'")
            .Add({"message",
                  "one event a message: serialisation, queue, latency, loss",
                  "",
                  {{"dataRate", "10Mbps", "rate of a directed link"},
                   {"delay", "5ms", "latency of a directed link"},
                   {"drop", "0", "probability of loss, [0, 1)"}}},
                 NetworkKind::MESSAGE)
            .Add({"ideal", "every message arrives at the instant it is sent"}, NetworkKind::IDEAL)
            .Add({"packet",
                  "datagrams or segments through the whole ns-3 stack",
                  "",
                  {{"transport", "udp", "a name of `list transports`"},
                   {"dataRate", "10Mbps", "rate of a directed link, unless the nodes have a stack"},
                   {"delay", "5ms", "its latency"},
                   {"drop", "0", "probability that it loses a packet, [0, 1)"}}},
                 NetworkKind::PACKET);
    return registry;
}

const Registry<TransportKind>&
Transports()
{
    static const auto registry =
        Registry<TransportKind>("option 'transport'")
            .Add({"udp",
                  "datagrams below the MTU; one lost packet loses its message",
                  "",
                  {{"assumes", "", "nothing; what is lost stays lost unless a loss policy repairs"},
                   {"ns3::DpdlUdpTransport::SilenceTimeout",
                    "10s",
                    "silence after which an incomplete message is lost"}}},
                 TransportKind::UDP)
            .Add({"tcp",
                  "one connection for each directed link; every message arrives in the end",
                  "",
                  {{"assumes", "", "a way back for acknowledgements, and outages that end"},
                   {"ns3::DpdlTcpTransport::BufferSize",
                    "0",
                    "bytes of a socket's buffers; 0: of the link's bandwidth-delay product"}}},
                 TransportKind::TCP)
            .Add({"broadcast",
                  "one UDP broadcast for all out-neighbours of a node; losses differ by receiver",
                  "",
                  {{"assumes", "", "that one device reaches them all: CSMA, WiFi, LR-WPAN"}}},
                 TransportKind::BROADCAST);
    return registry;
}

} // namespace dpdl
