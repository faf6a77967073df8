// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "torch-library.h"

#include "dpdl/base/errors.h"
#include "part-library.h"

#include <string>

namespace dpdl
{

namespace
{

/// Loads the library permanently, because models and engines are objects of its classes.
const TorchLibrary*
LoadTorchLibrary()
{
    void* const symbol = LoadPart("libdpdl-core-torch.so", "DpdlTorchLibrary");
    if (symbol == nullptr)
    {
        throw Error(
            std::string(
                "LibTorch's part of dpdl, which a wheel does not have, cannot be loaded: ") +
            dlerror());
    }
    return reinterpret_cast<decltype(&DpdlTorchLibrary)>(symbol)();
}

} // namespace

const TorchLibrary&
Torch()
{
    static const TorchLibrary* const library = LoadTorchLibrary();
    return *library;
}

} // namespace dpdl
