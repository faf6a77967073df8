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
 * @brief Shows the progress of a run on standard error.
 *
 * On a terminal, a progress bar is redrawn at most every 0.1 s. Otherwise a line is printed at most
 * every 5 s. Bar and line show the round, the mean accuracy over the nodes at the last evaluation,
 * an upper bound on every node's epsilon if the run has a privacy budget, and the estimated
 * remaining wall-clock time.
 */
class DpdlProgress
{
  public:
    /// @param title name of the run, at the start of each line
    explicit DpdlProgress(const std::string& title);

    /**
     * @brief Shows the progress if the display interval has passed, or if the run is complete.
     * @param progress completed rounds, mean accuracy and upper bound on epsilon
     */
    void Show(const ::dpdl::Progress& progress);

    /// Ends the line of the progress bar, so other output starts on a new line.
    void End();

  private:
    using Clock = std::chrono::steady_clock;

    std::string Describe(const ::dpdl::Progress& progress) const;

    std::string m_title;       //!< name of the run
    bool m_terminal;           //!< true: standard error is a terminal
    bool m_open{false};        //!< true: the current line of the terminal shows a progress bar
    Clock::time_point m_start; //!< wall-clock time at which the run started
    Clock::time_point m_shown; //!< wall-clock time of the last display
};

/**
 * @ingroup dpdl
 *
 * @brief Reports the current step of a run's preparation (DpdlHelper::Install()) if the
 *        preparation takes longer than 2 s. A separate thread prints one line after 2 s, then one
 *        line every 5 s.
 */
class DpdlSetupProgress
{
  public:
    /// @param tell prints a line; the separate thread calls it, until the destructor returns. Must
    ///        not call Begin(), which would deadlock
    explicit DpdlSetupProgress(std::function<void(const std::string&)> tell);
    ~DpdlSetupProgress();

    /// Sets the current step of the preparation.
    /// @param part name of the step, such as "the data"
    void Begin(const std::string& part);

  private:
    void Watch();

    std::function<void(const std::string&)> m_tell; //!< prints a line
    std::mutex m_mutex;                             //!< protects m_end, m_part and m_isOver
    std::condition_variable m_end;                  //!< signals a change of m_isOver
    std::string m_part;                             //!< step in progress, such as "the data"
    bool m_isOver{false};                           //!< true: the destructor has begun
    std::thread m_thread;                           //!< prints the lines
};

/**
 * @ingroup dpdl
 *
 * @brief Installs a terminate handler: an uncaught error of dpdl ends the program with one line on
 * standard error and status 2. Other exceptions go to the previous handler.
 */
void EndWithOneLineAtDpdlErrors();

} // namespace ns3

#endif // DPDL_PROGRESS_H
