// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// A custom model: a LibTorch module, and one call that registers it.

#include "dpdl/training/torch-model.h"

#include "ns3/core-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/network-module.h"

#include <torch/nn/functional/activation.h>
#include <torch/nn/functional/pooling.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

using namespace ns3;

namespace
{

/// A model that is not sequential: it adds the pooled outputs of two convolutions, and applies a
/// linear layer.
class OwnModel : public ::dpdl::TorchModule
{
  public:
    OwnModel(::dpdl::ImageShape image, std::uint32_t classes)
    {
        namespace nn = torch::nn;
        m_wide = register_module("wide", nn::Conv2d(nn::Conv2dOptions(image.channels, 4, 7)));
        m_narrow = register_module("narrow", nn::Conv2d(nn::Conv2dOptions(image.channels, 4, 3)));
        m_linear = register_module("linear", nn::Linear(4 * 4 * 4, classes));
    }

    at::Tensor Forward(const at::Tensor& images) override
    {
        namespace functional = torch::nn::functional;
        const auto size = functional::AdaptiveAvgPool2dFuncOptions(4);
        const at::Tensor wide = functional::adaptive_avg_pool2d(m_wide(images).relu(), size);
        const at::Tensor narrow = functional::adaptive_avg_pool2d(m_narrow(images).relu(), size);
        return m_linear(wide.add(narrow).flatten(1));
    }

  private:
    torch::nn::Conv2d m_wide{nullptr};
    torch::nn::Conv2d m_narrow{nullptr};
    torch::nn::Linear m_linear{nullptr};
};

} // namespace

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Usage("A model of the program's own: a module of LibTorch.");
    cmd.Parse(argc, argv);

    ::dpdl::RegisterTorchModel<OwnModel>("own-model", "two convolutions side by side");

    NodeContainer nodes(4);

    DpdlHelper dpdl;
    dpdl.Set("model", "own-model");
    dpdl.Set("samples", "800");
    dpdl.Set("testSamples", "200");
    dpdl.Set("batchSize", "10");
    dpdl.Set("rounds", "20");
    dpdl.Set("epsilon", "8");
    dpdl.Set("trace", "dpdl-own-model.db");
    dpdl.Set("overwrite", "true");
    dpdl.Install(nodes);

    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    Simulator::Destroy();
    return complete ? 0 : 1;
}
