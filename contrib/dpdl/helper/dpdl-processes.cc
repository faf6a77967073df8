// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-processes.h"

#include "dpdl/base/errors.h"

#include <chrono>
#include <csignal>
#include <iostream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ns3
{

namespace
{

constexpr std::chrono::milliseconds POLL_INTERVAL{50};

void
Terminate(const std::vector<pid_t>& children)
{
    for (const pid_t child : children)
    {
        kill(child, SIGTERM);
    }
}

pid_t
Start(unsigned number, const std::function<int(unsigned)>& work)
{
    const pid_t child = fork();
    if (child == 0)
    {
        const int status = work(number);
        std::cout.flush();
        std::cerr.flush();
        // What the parent would do at its end, such as deleting its files, is not the child's.
        _exit(status);
    }
    return child;
}

int
Wait(pid_t child, const std::function<bool()>& stop, const std::function<void()>& terminate)
{
    int status = 0;
    bool told = false;
    while (waitpid(child, &status, WNOHANG) == 0)
    {
        if (!told && stop())
        {
            terminate();
            told = true;
        }
        std::this_thread::sleep_for(POLL_INTERVAL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

} // namespace

int
RunProcesses(unsigned processes,
             const std::function<int(unsigned)>& work,
             const std::function<bool()>& stop)
{
    // What stands in a buffer would be written by every process.
    std::cout.flush();
    std::cerr.flush();
    std::vector<pid_t> children;
    bool failed = false;
    for (unsigned number = 0; number < processes && !failed; ++number)
    {
        const pid_t child = Start(number, work);
        failed = child < 0;
        if (!failed)
        {
            children.push_back(child);
        }
    }
    if (failed)
    {
        Terminate(children);
    }
    int first = 0;
    for (const pid_t child : children)
    {
        const int status = Wait(child, stop, [&children] { Terminate(children); });
        first = first != 0 ? first : status;
    }
    if (failed)
    {
        throw ::dpdl::Error("the system starts no further process");
    }
    return first;
}

} // namespace ns3
