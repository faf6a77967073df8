// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "plain-torch.h"

#include "dpdl/base/errors.h"

#include <torch/torch.h>

namespace dpdl
{

namespace
{

namespace nn = torch::nn;

/// A module from images to logits.
struct PlainNetwork : nn::Module
{
    virtual torch::Tensor forward(torch::Tensor x) = 0;
};

/// u = x + tanh(L2 tanh(L1 x)), tanh(L3 u).
struct PlainMlp : PlainNetwork
{
    PlainMlp()
        : first(register_module("first", nn::Linear(784, 10))),
          second(register_module("second", nn::Linear(10, 784))),
          third(register_module("third", nn::Linear(784, 10)))
    {
    }

    torch::Tensor forward(torch::Tensor x) override
    {
        x = x.flatten(1);
        x = x + torch::tanh(second(torch::tanh(first(x))));
        return torch::tanh(third(x));
    }

    nn::Linear first;
    nn::Linear second;
    nn::Linear third;
};

/// A chain of modules.
struct PlainChain : PlainNetwork
{
    explicit PlainChain(nn::Sequential modules)
        : chain(register_module("chain", std::move(modules)))
    {
    }

    torch::Tensor forward(torch::Tensor x) override
    {
        return chain->forward(x);
    }

    nn::Sequential chain;
};

nn::Conv2d
Conv(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride, std::int64_t pad)
{
    return nn::Conv2d(nn::Conv2dOptions(in, out, kernel).stride(stride).padding(pad));
}

nn::Conv2d
BareConv(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride)
{
    return nn::Conv2d(
        nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).bias(false));
}

nn::MaxPool2d
Pool(std::int64_t stride)
{
    return nn::MaxPool2d(nn::MaxPool2dOptions(2).stride(stride));
}

std::shared_ptr<PlainNetwork>
PlainCnnS()
{
    return std::make_shared<PlainChain>(nn::Sequential(Conv(1, 16, 8, 2, 3),
                                                       nn::ReLU(),
                                                       Pool(1),
                                                       Conv(16, 32, 4, 2, 0),
                                                       nn::ReLU(),
                                                       Pool(1),
                                                       nn::Flatten(),
                                                       nn::Linear(512, 32),
                                                       nn::ReLU(),
                                                       nn::Linear(32, 10)));
}

std::shared_ptr<PlainNetwork>
PlainCnnM()
{
    return std::make_shared<PlainChain>(nn::Sequential(Conv(1, 32, 5, 1, 2),
                                                       nn::ReLU(),
                                                       Pool(2),
                                                       Conv(32, 64, 5, 1, 2),
                                                       nn::ReLU(),
                                                       Pool(2),
                                                       nn::Flatten(),
                                                       nn::Linear(3136, 512),
                                                       nn::ReLU(),
                                                       nn::Linear(512, 10)));
}

/// Two convolutions beside a way around them.
struct PlainBlock : nn::Module
{
    PlainBlock(std::int64_t in, std::int64_t out)
        : main(register_module("main",
                               nn::Sequential(BareConv(in, out, 3, in == out ? 1 : 2),
                                              nn::GroupNorm(32, out),
                                              nn::ReLU(),
                                              BareConv(out, out, 3, 1),
                                              nn::GroupNorm(32, out))))
    {
        if (in != out)
        {
            around =
                register_module("around",
                                nn::Sequential(BareConv(in, out, 1, 2), nn::GroupNorm(32, out)));
        }
    }

    torch::Tensor forward(const torch::Tensor& x)
    {
        const torch::Tensor other = around.is_empty() ? x : around->forward(x);
        return torch::relu(main->forward(x) + other);
    }

    nn::Sequential main;
    nn::Sequential around{nullptr};
};

/// ResNet-18 for small images, with group normalisation.
struct PlainResNet : PlainNetwork
{
    PlainResNet()
        : stem(register_module("stem",
                               nn::Sequential(BareConv(3, 64, 3, 1), nn::GroupNorm(32, 64)))),
          last(register_module("last", nn::Linear(512, 10)))
    {
        std::int64_t in = 64;
        for (const std::int64_t out : {64, 64, 128, 128, 256, 256, 512, 512})
        {
            blocks.push_back(register_module("block" + std::to_string(blocks.size()),
                                             std::make_shared<PlainBlock>(in, out)));
            in = out;
        }
    }

    torch::Tensor forward(torch::Tensor x) override
    {
        x = torch::relu(stem->forward(x));
        for (const auto& block : blocks)
        {
            x = block->forward(x);
        }
        return last(x.mean({2, 3}));
    }

    nn::Sequential stem;
    std::vector<std::shared_ptr<PlainBlock>> blocks;
    nn::Linear last;
};

std::shared_ptr<PlainNetwork>
MakePlainNetwork(const std::string& model)
{
    if (model == "mlp")
    {
        return std::make_shared<PlainMlp>();
    }
    if (model == "cnn-s")
    {
        return PlainCnnS();
    }
    if (model == "cnn-m")
    {
        return PlainCnnM();
    }
    if (model == "resnet-18")
    {
        return std::make_shared<PlainResNet>();
    }
    throw UsageError("model", model, "mlp, cnn-s, cnn-m or resnet-18");
}

torch::Tensor
RandomBatch(const std::string& model, std::size_t batch)
{
    const auto count = static_cast<std::int64_t>(batch);
    return model == "resnet-18" ? torch::rand({count, 3, 32, 32}) : torch::rand({count, 1, 28, 28});
}

} // namespace

struct PlainTorchStep::State
{
    State(const std::string& model, std::size_t batch, const torch::Device& where)
        : device(where),
          network(OnDevice(MakePlainNetwork(model))),
          images(RandomBatch(model, batch).to(device)),
          labels(torch::randint(10, {images.size(0)}, torch::kLong).to(device)),
          optimiser(network->parameters(), torch::optim::SGDOptions(1e-3))
    {
    }

    std::shared_ptr<PlainNetwork> OnDevice(std::shared_ptr<PlainNetwork> made) const
    {
        made->to(device);
        return made;
    }

    torch::Device device;
    std::shared_ptr<PlainNetwork> network;
    torch::Tensor images;
    torch::Tensor labels;
    torch::optim::SGD optimiser;
};

PlainTorchStep::PlainTorchStep(const std::string& model,
                               std::size_t batch,
                               const std::string& device)
    : m_state(std::make_unique<State>(model, batch, torch::Device(device)))
{
    torch::set_num_threads(1);
}

PlainTorchStep::~PlainTorchStep() = default;

bool
PlainTorchStep::HasCuda()
{
    return torch::cuda::is_available();
}

void
PlainTorchStep::Run()
{
    m_state->optimiser.zero_grad();
    const torch::Tensor logits = m_state->network->forward(m_state->images);
    nn::functional::cross_entropy(logits, m_state->labels).backward();
    m_state->optimiser.step();
    if (m_state->device.is_cuda())
    {
        torch::cuda::synchronize();
    }
}

std::size_t
PlainTorchStep::ParameterCount() const
{
    std::int64_t count = 0;
    for (const torch::Tensor& tensor : m_state->network->parameters())
    {
        count += tensor.numel();
    }
    return static_cast<std::size_t>(count);
}

} // namespace dpdl
