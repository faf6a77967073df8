// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CONV_SHAPE_H
#define DPDL_TRAINING_CONV_SHAPE_H

#include <cstddef>

namespace dpdl
{

/// Sizes of a convolution on [row, column, channel] images.
struct ConvShape
{
    std::size_t channels;    ///< of the input
    std::size_t height;      ///< rows of the input
    std::size_t width;       ///< columns of the input
    std::size_t kernel;      ///< side of the window
    std::size_t stride;      ///< step of the window
    std::size_t padding;     ///< zeros on each side
    std::size_t outHeight;   ///< rows of the output
    std::size_t outWidth;    ///< columns of the output
    std::size_t outChannels; ///< of the output

    /// Values of the input.
    std::size_t InSize() const
    {
        return height * width * channels;
    }

    /// Values of the output.
    std::size_t OutSize() const
    {
        return outHeight * outWidth * outChannels;
    }

    /// Values of one window.
    std::size_t WindowSize() const
    {
        return kernel * kernel * channels;
    }
};

} // namespace dpdl

#endif // DPDL_TRAINING_CONV_SHAPE_H
