// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-uncaught-error.h"

#include "dpdl/base/errors.h"

#include "ns3/fatal-impl.h"

#include <cstdlib>
#include <exception>
#include <iostream>

namespace ns3
{

namespace
{

std::terminate_handler g_before; //!< previous handler, for other exceptions

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

void
EndWithOneLineAtDpdlErrors()
{
    if (std::get_terminate() != EndWithOneLine)
    {
        g_before = std::set_terminate(EndWithOneLine);
    }
}

} // namespace ns3
