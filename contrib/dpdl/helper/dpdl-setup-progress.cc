// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-setup-progress.h"

#include <chrono>
#include <utility>

namespace ns3
{

namespace
{

constexpr std::chrono::seconds SETUP_PATIENCE{2};
constexpr std::chrono::seconds SETUP_INTERVAL{5};

} // namespace

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

} // namespace ns3
