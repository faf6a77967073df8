// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-progress.h"

#include "dpdl/base/errors.h"

#include "ns3/fatal-impl.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <unistd.h>
#include <utility>

namespace ns3
{

namespace
{

constexpr int BAR_WIDTH = 24;
constexpr double TERMINAL_INTERVAL = 0.1; // minimum time between updates of the progress bar, s
constexpr double LINE_INTERVAL = 5.0;     // minimum time between lines if there is no terminal, s

constexpr std::chrono::seconds SETUP_PATIENCE{2};
constexpr std::chrono::seconds SETUP_INTERVAL{5};

/// Previous terminate handler, called for exceptions other than dpdl::Error.
std::terminate_handler g_before;

[[noreturn]] void
EndWithOneLine()
{
    try
    {
        if (const std::exception_ptr error = std::current_exception())
        {
            std::rethrow_exception(error);
        }
    }
    catch (const ::dpdl::Error& error)
    {
        FatalImpl::FlushStreams();
        std::cerr << "dpdl: " << ::dpdl::LineOf(error) << std::endl;
        std::_Exit(2);
    }
    catch (...)
    {
    }
    g_before();
    std::abort();
}

} // namespace

DpdlProgress::DpdlProgress(const std::string& title)
    : m_title(title),
      m_terminal(isatty(STDERR_FILENO) == 1),
      m_start(Clock::now()),
      m_shown(m_start)
{
}

std::string
DpdlProgress::Describe(const ::dpdl::Progress& progress) const
{
    const std::chrono::duration<double> elapsed = Clock::now() - m_start;
    const double left =
        elapsed.count() * (progress.rounds - progress.round) / std::max(1U, progress.round);
    char accuracy[32] = "-";
    if (progress.accuracy >= 0.0)
    {
        std::snprintf(accuracy, sizeof(accuracy), "%.1f %%", 100.0 * progress.accuracy);
    }
    char epsilon[48] = "";
    if (progress.epsilon)
    {
        std::snprintf(epsilon, sizeof(epsilon), "  epsilon at most %.3f", *progress.epsilon);
    }
    char text[160];
    std::snprintf(text,
                  sizeof(text),
                  "round %u/%u  accuracy %s%s  ETA %.0f s",
                  progress.round,
                  progress.rounds,
                  accuracy,
                  epsilon,
                  left);
    return text;
}

void
DpdlProgress::Show(const ::dpdl::Progress& progress)
{
    const Clock::time_point now = Clock::now();
    const std::chrono::duration<double> since = now - m_shown;
    const bool last = progress.round == progress.rounds;
    if (since.count() < (m_terminal ? TERMINAL_INTERVAL : LINE_INTERVAL) && !last)
    {
        return;
    }
    m_shown = now;
    const std::string text = Describe(progress);
    if (!m_terminal)
    {
        std::fprintf(stderr, "%s: %s\n", m_title.c_str(), text.c_str());
        return;
    }
    const auto filled = static_cast<int>(BAR_WIDTH * static_cast<int64_t>(progress.round) /
                                         std::max(1U, progress.rounds));
    const std::string bar = std::string(filled, '#') + std::string(BAR_WIDTH - filled, '.');
    std::fprintf(stderr, "\r%-14s [%s] %s\033[K", m_title.c_str(), bar.c_str(), text.c_str());
    std::fflush(stderr);
    m_open = true;
}

void
DpdlProgress::End()
{
    if (m_open)
    {
        std::fputc('\n', stderr);
        m_open = false;
    }
}

DpdlSetupProgress::DpdlSetupProgress(std::function<void(const std::string&)> tell)
    : m_tell(std::move(tell)),
      m_thread([this] { Watch(); })
{
}

DpdlSetupProgress::~DpdlSetupProgress()
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_isOver = true;
    }
    m_end.notify_one();
    m_thread.join();
}

void
DpdlSetupProgress::Begin(const std::string& part)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_part = part;
}

void
DpdlSetupProgress::Watch()
{
    std::chrono::seconds waited = SETUP_PATIENCE;
    std::unique_lock<std::mutex> lock(m_mutex);
    const auto begin = std::chrono::steady_clock::now();
    while (!m_end.wait_until(lock, begin + waited, [this] { return m_isOver; }))
    {
        m_tell("preparing the run for " + std::to_string(waited.count()) + " s: " + m_part);
        waited += SETUP_INTERVAL;
    }
}

void
EndWithOneLineAtDpdlErrors()
{
    if (std::get_terminate() != EndWithOneLine)
    {
        g_before = std::set_terminate(EndWithOneLine);
    }
}

} // namespace ns3
