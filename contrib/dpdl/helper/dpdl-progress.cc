// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-progress.h"

#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr int BAR_WIDTH = 24;
constexpr double TERMINAL_INTERVAL = 0.1; // s
constexpr double LINE_INTERVAL = 5.0;     // s

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
    char epsilon[32] = "inf";
    if (std::isfinite(progress.epsilon))
    {
        std::snprintf(epsilon, sizeof(epsilon), "%.3f", progress.epsilon);
    }
    char text[160];
    std::snprintf(text,
                  sizeof(text),
                  "round %u/%u  accuracy %s  epsilon %s  ETA %.0f s",
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

} // namespace ns3
