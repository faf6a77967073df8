// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_PLAIN_TORCH_H
#define DPDL_BENCH_PLAIN_TORCH_H

#include <cstddef>
#include <memory>
#include <string>

namespace dpdl
{

/**
 * @brief The loop that a tutorial of LibTorch has: modules, cross-entropy, backward(), SGD. It
 *        gives no privacy, and its batch is a tensor that is ready beforehand.
 */
class PlainTorchStep
{
  public:
    /**
     * @param model mlp, cnn-s, cnn-m or resnet-18, the same networks as the project's
     * @param batch examples
     * @param device cpu or cuda
     */
    PlainTorchStep(const std::string& model, std::size_t batch, const std::string& device = "cpu");
    ~PlainTorchStep();

    /// True if LibTorch has CUDA and finds a device.
    static bool HasCuda();

    /// One step; waits for the device.
    void Run();

    /// d, the number of parameters.
    std::size_t ParameterCount() const;

  private:
    struct State;

    std::unique_ptr<State> m_state; ///< network, batch, optimiser
};

} // namespace dpdl

#endif // DPDL_BENCH_PLAIN_TORCH_H
