// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "learn-run.h"

#include "dpdl/base/errors.h"
#include "dpdl/trace/trace-reader.h"
#include "temporary-file.h"

#include <chrono>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace dpdl
{

namespace
{

constexpr std::size_t FEW_ROUNDS = 2;

std::filesystem::path
LearnProgram()
{
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    return program.parent_path().parent_path() / "scenarios" / "learn";
}

/// Runs a program without its output and gives what it used.
rusage
RunSilently(const std::vector<std::string>& command)
{
    std::vector<char*> words;
    for (const std::string& word : command)
    {
        words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int failed = posix_spawn(&child, words.front(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    rusage usage{};
    if (failed != 0 || wait4(child, &status, 0, &usage) != child || status != 0)
    {
        throw Error(command.front() + " failed; try it with the options of this benchmark");
    }
    return usage;
}

double
Seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

} // namespace

LearnFigures
RunLearnOnce(const std::vector<std::string>& arguments, std::size_t rounds)
{
    const TemporaryFile trace("learn.db");
    std::vector<std::string> command{LearnProgram().string(),
                                     "--trace=" + trace.Path(),
                                     "--overwrite",
                                     "--progress=none",
                                     "--testSamples=1",
                                     "--evaluateEvery=0",
                                     "--rounds=" + std::to_string(rounds)};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto begin = std::chrono::steady_clock::now();
    const rusage usage = RunSilently(command);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    const TraceReader reader(trace.Path());
    const auto seconds = [&reader](const char* item) {
        return reader.SummaryNumber(item).value_or(0.0);
    };
    LearnFigures figures;
    figures.rounds = seconds("wall_seconds") - seconds("wall_setup") - seconds("wall_evaluation");
    figures.steps = seconds("wall_compute");
    figures.mixing = seconds("wall_mixing");
    figures.simulator = seconds("wall_simulator");
    figures.privacy = seconds("wall_privacy");
    figures.trace = seconds("wall_trace");
    figures.processor = Seconds(usage.ru_utime) + Seconds(usage.ru_stime);
    figures.peakMebibytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
    figures.wall = wall.count();
    figures.traceMebibytes =
        static_cast<double>(std::filesystem::file_size(trace.Path())) / (1024.0 * 1024.0);
    return figures;
}

bool
HasLearn()
{
    return std::filesystem::exists(LearnProgram());
}

LearnFigures
RunLearn(const std::vector<std::string>& arguments, std::size_t rounds)
{
    const LearnFigures few = RunLearnOnce(arguments, FEW_ROUNDS);
    LearnFigures more = RunLearnOnce(arguments, FEW_ROUNDS + rounds);
    more.rounds -= few.rounds;
    more.steps -= few.steps;
    more.mixing -= few.mixing;
    more.simulator -= few.simulator;
    more.privacy -= few.privacy;
    more.trace -= few.trace;
    more.processor -= few.processor;
    return more;
}

} // namespace dpdl
