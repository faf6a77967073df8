// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-timing.h"

#include "cuda/cuda-executor.h"
#include "device-round.h"
#include "device-states.h"
#include "dpdl/base/errors.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

// Times a device: TimedRound runs copy, update, mix and step on the initial states of all nodes,
// and keeps the fastest repetition of each.

namespace dpdl
{

namespace
{

/// Launches per measurement, since waiting for the device costs as much as a short kernel.
constexpr std::size_t LAUNCHES = 10;

/// An executor that skips index and row operations, so only matrix products take time.
class ProductsAlone : public cuda::DeviceExecutor
{
  public:
    explicit ProductsAlone(cuda::DeviceExecutor& executor)
        : m_executor(executor)
    {
    }

    std::string Name() const override
    {
        return m_executor.Name();
    }

    std::size_t FreeBytes() const override
    {
        return m_executor.FreeBytes();
    }

    void* Allocate(std::size_t bytes) override
    {
        return m_executor.Allocate(bytes);
    }

    void Free(void* memory) noexcept override
    {
        m_executor.Free(memory);
    }

    void Upload(void* device, const void* host, std::size_t bytes) override
    {
        m_executor.Upload(device, host, bytes);
    }

    void Download(void* host, const void* device, std::size_t bytes) override
    {
        m_executor.Download(host, device, bytes);
    }

    void Copy(void* to, const void* from, std::size_t bytes) override
    {
        m_executor.Copy(to, from, bytes);
    }

    void ForEach(const cuda::IndexOp& /* op */, std::size_t /* count */) override
    {
    }

    void SumRows(const cuda::RowOp& /* op */, std::size_t /* rows */) override
    {
    }

    void Multiply(const cuda::BatchedProduct& product) override
    {
        m_executor.Multiply(product);
    }

    std::unique_ptr<cuda::DeviceRecording> Record(const std::function<void()>& work) override
    {
        return m_executor.Record(work);
    }

  private:
    cuda::DeviceExecutor& m_executor; ///< runs the products
};

/// The states of all nodes, with the operations that are timed.
class TimedRound
{
  public:
    TimedRound(cuda::DeviceExecutor& executor,
               const ModelSpec& model,
               const Dataset& dataset,
               const DeviceLoad& load)
        : m_executor(executor),
          m_parameters(model.ParameterCount()),
          m_load(load),
          m_states(executor, load.nodes * m_parameters),
          m_others(executor, load.nodes * m_parameters),
          m_rules(executor, load.nodes),
          m_round(model, dataset, executor),
          m_steps(load.nodes)
    {
        const std::vector<float> start = InitialParameters(model, "default", {});
        std::vector<cuda::UpdateRule> rules;
        std::uint32_t example = 0;
        for (std::size_t node = 0; node < load.nodes; ++node)
        {
            executor.Upload(m_states.Data() + node * m_parameters, start.data(), RowBytes());
            executor.Upload(m_others.Data() + node * m_parameters, start.data(), RowBytes());
            DeviceStep& step = m_steps[node];
            step.rule = {1e-3F, 0.1F, {{1, 1}, {4, static_cast<std::uint32_t>(node), 0}}};
            rules.push_back(step.rule);
            for (std::size_t i = 0; i < load.batchSize; ++i)
            {
                step.examples.push_back(example++ %
                                        static_cast<std::uint32_t>(dataset.train.Size()));
            }
        }
        executor.Upload(m_rules.Data(), rules.data(), rules.size() * sizeof(cuda::UpdateRule));
        m_atOnce = std::min(load.nodes, m_round.NodesAtOnce(load.batchSize));
        m_round.Prepare(m_atOnce, load.batchSize);
    }

    std::size_t NodesAtOnce() const
    {
        return m_atOnce;
    }

    double Bytes() const
    {
        return static_cast<double>(m_load.nodes) * static_cast<double>(RowBytes());
    }

    /// Bandwidth of a copy, in B/s.
    double Copy() const
    {
        return 2.0 * Bytes() / Best(LAUNCHES, [this] {
                   m_executor.Copy(m_others.Data(), m_states.Data(), m_load.nodes * RowBytes());
               });
    }

    double Update() const
    {
        return 3.0 * Bytes() / Best(LAUNCHES, [this] {
                   m_executor.ForEach(cuda::UpdateStates{m_states.Data(),
                                                         m_others.Data(),
                                                         m_rules.Data(),
                                                         m_parameters},
                                      m_load.nodes *
                                          cuda::UpdateStates::CallsPerNode(m_parameters));
               });
    }

    double Mix() const
    {
        DeviceMix mix;
        for (std::size_t node = 0; node < m_load.nodes; ++node)
        {
            for (std::size_t i = 0; i < m_load.sources; ++i)
            {
                const std::size_t source = (node + i) % m_load.nodes;
                mix.entries.push_back({m_states.Data() + source * m_parameters,
                                       1.0 / static_cast<double>(m_load.sources),
                                       0,
                                       m_parameters});
            }
            mix.EndRow();
        }
        DeviceMixer mixer(m_executor, m_parameters);
        const double sources = static_cast<double>(m_load.sources) + 1.0;
        return sources * Bytes() / Best(LAUNCHES, [&] { mixer.Mix(mix, m_others.Data()); });
    }

    /// Time of a step of all nodes, in s.
    double Step()
    {
        return Best(1, [this] {
            for (std::size_t first = 0; first < m_steps.size(); first += m_atOnce)
            {
                m_round.Step(m_states.Data() + first * m_parameters,
                             m_steps.data() + first,
                             std::min(m_atOnce, m_steps.size() - first));
            }
        });
    }

  private:
    std::size_t RowBytes() const
    {
        return m_parameters * sizeof(float);
    }

    /// Smallest wall time of @p work, in s, including the device's time.
    double Best(std::size_t launches, const std::function<void()>& work) const
    {
        double best = std::numeric_limits<double>::infinity();
        // The first round loads the kernels, and the second one is recorded.
        for (std::size_t repeat = 0; repeat < m_load.repeats + 2; ++repeat)
        {
            float value = 0.0F;
            m_executor.Download(&value, m_states.Data(), sizeof(value));
            const auto begin = std::chrono::steady_clock::now();
            for (std::size_t launch = 0; launch < launches; ++launch)
            {
                work();
            }
            m_executor.Download(&value, m_states.Data(), sizeof(value));
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
            best = repeat < 2 ? best : std::min(best, elapsed.count());
        }
        return best / static_cast<double>(launches);
    }

    cuda::DeviceExecutor& m_executor;
    std::size_t m_parameters;
    DeviceLoad m_load;
    cuda::DeviceArray<float> m_states;
    cuda::DeviceArray<float> m_others;
    cuda::DeviceArray<cuda::UpdateRule> m_rules;
    DeviceRound m_round;
    std::vector<DeviceStep> m_steps;
    std::size_t m_atOnce{0};
};

} // namespace

DeviceTiming
TimeExecutor(cuda::DeviceExecutor& executor,
             const ModelSpec& model,
             const Dataset& dataset,
             const DeviceLoad& load)
{
    DeviceTiming timing;
    timing.device = executor.Name();
    {
        TimedRound round(executor, model, dataset, load);
        timing.nodesAtOnce = round.NodesAtOnce();
        timing.copyBandwidth = round.Copy();
        timing.updateBandwidth = round.Update();
        timing.mixBandwidth = round.Mix();
        timing.stepSeconds = round.Step();
    }
    ProductsAlone products(executor);
    timing.productSeconds = TimedRound(products, model, dataset, load).Step();
    return timing;
}

DeviceTiming
TimeCudaDevice(const ModelSpec& model, const Dataset& dataset, const DeviceLoad& load)
{
    try
    {
        const std::unique_ptr<cuda::DeviceExecutor> executor = cuda::MakeCudaExecutor();
        return TimeExecutor(*executor, model, dataset, load);
    }
    catch (const cuda::DeviceError& error)
    {
        throw Error(std::string("device: ") + error.what());
    }
}

double
RelativeDistance(const ParameterVector& a, const ParameterVector& b)
{
    double difference = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < b.Size(); ++i)
    {
        const auto value = static_cast<double>(b.Data()[i]);
        difference += std::pow(static_cast<double>(a.Data()[i]) - value, 2);
        size += value * value;
    }
    return std::sqrt(difference / size);
}

} // namespace dpdl
