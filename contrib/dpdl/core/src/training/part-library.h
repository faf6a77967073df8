// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_PART_LIBRARY_H
#define DPDL_TRAINING_PART_LIBRARY_H

#include <dlfcn.h>
#include <string>

namespace dpdl
{

/**
 * @brief Loads a part of dpdl on demand and returns its entry point; the part stays loaded.
 *
 * Uses the full path in the folder of this library: a search by name fails with sanitizers, which
 * wrap dlopen().
 * @param library file name of the part
 * @param function name of its entry point
 * @return nullptr if it cannot be loaded; see dlerror()
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
