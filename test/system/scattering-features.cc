// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Writes what models see of a dataset: scattering-features DATASET FEATURES WORKERS, then float32
// of the training examples and of the test examples on standard output.

#include "dpdl/data/dataset.h"

#include <cstdlib>
#include <iostream>

int
main(int count, char** words)
{
    if (count != 4)
    {
        std::cerr << "usage: scattering-features DATASET FEATURES WORKERS\n";
        return 2;
    }
    try
    {
        const auto workers = static_cast<unsigned>(std::atoi(words[3]));
        const auto data = dpdl::LoadDataset(words[1], "", 0, 0, {}, {words[2], workers});
        for (const dpdl::Split* split : {&data->train, &data->test})
        {
            std::cout.write(reinterpret_cast<const char*>(split->values.data()),
                            static_cast<std::streamsize>(split->values.size() * sizeof(float)));
        }
        std::cerr << data->shape.Text() << "\n";
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << "\n";
        return 2;
    }
    return 0;
}
