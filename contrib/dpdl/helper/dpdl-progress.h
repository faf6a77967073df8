// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PROGRESS_H
#define DPDL_PROGRESS_H

#include "dpdl/experiment/run-recorder.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Shows on standard error how far a run is.
 *
 * On a terminal a bar that is drawn over itself, elsewhere a line every few seconds: round,
 * accuracy when last evaluated, certified epsilon so far, and the time that is probably left.
 */
class DpdlProgress
{
  public:
    /// @param title what is running, at the start of each line
    explicit DpdlProgress(const std::string& title);

    /**
     * @brief Shows a state, if it is time to.
     * @param progress the state
     */
    void Show(const ::dpdl::Progress& progress);

    /// Ends the bar's line.
    void End();

  private:
    using Clock = std::chrono::steady_clock;

    std::string Describe(const ::dpdl::Progress& progress) const;

    std::string m_title;       //!< what is running
    bool m_terminal;           //!< standard error is a terminal
    bool m_open{false};        //!< a bar stands on the current line
    Clock::time_point m_start; //!< when the run began
    Clock::time_point m_shown; //!< when a state was last shown
};

/**
 * @ingroup dpdl
 *
 * @brief Says what a run is preparing, if that takes longer than 2 s: a line then, and one every
 *        5 s more. A thread of its own says it, whatever the others do.
 */
class DpdlSetupProgress
{
  public:
    /// @param tell prints a line; called by the other thread, and not after this has gone
    explicit DpdlSetupProgress(std::function<void(const std::string&)> tell);
    ~DpdlSetupProgress();
    DpdlSetupProgress(const DpdlSetupProgress&) = delete;
    DpdlSetupProgress& operator=(const DpdlSetupProgress&) = delete;

    /// @param part what is being prepared from now on, such as "the data"
    void Begin(const std::string& part);

  private:
    void Watch();

    std::function<void(const std::string&)> m_tell; //!< see DpdlSetupProgress()
    std::mutex m_mutex;                             //!< of the next three
    std::condition_variable m_end;                  //!< the run is prepared
    std::string m_part;                             //!< see Begin()
    bool m_isOver{false};                           //!< the run is prepared
    std::thread m_thread;                           //!< says it
};

} // namespace ns3

#endif // DPDL_PROGRESS_H
