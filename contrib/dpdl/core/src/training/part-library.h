// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_PART_LIBRARY_H
#define DPDL_TRAINING_PART_LIBRARY_H

#include <dlfcn.h>
#include <string>

namespace dpdl
{

/**
 * @brief Loads a shared library of dpdl on demand, permanently, and returns its entry point.
 *
 * The library is loaded by its full path, in the folder of the calling library, because sanitizers
 * wrap dlopen() and break the search by name.
 * @param library file name of the shared library
 * @param function name of its entry point
 * @return the entry point; nullptr if the library or the function cannot be loaded. dlerror() then
 *        describes the reason
 */
inline void*
LoadPart(const std::string& library, const char* function)
{
    static const char here = 0;
    Dl_info info{};
    const std::string path = dladdr(&here, &info) != 0 ? info.dli_fname : "";
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    void* const handle = dlopen((folder + library).c_str(), RTLD_NOW | RTLD_LOCAL);
    return handle == nullptr ? nullptr : dlsym(handle, function);
}

} // namespace dpdl

#endif // DPDL_TRAINING_PART_LIBRARY_H
