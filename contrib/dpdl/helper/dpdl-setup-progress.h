// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SETUP_PROGRESS_H
#define DPDL_SETUP_PROGRESS_H

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

#endif // DPDL_SETUP_PROGRESS_H
