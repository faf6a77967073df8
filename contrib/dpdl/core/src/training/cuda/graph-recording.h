// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_GRAPH_RECORDING_H
#define DPDL_TRAINING_CUDA_GRAPH_RECORDING_H

#include "device-executor.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>

namespace dpdl
{

namespace cuda
{

/// Throws a DeviceError unless the call succeeded.
inline void
Check(cudaError_t error)
{
    if (error != cudaSuccess)
    {
        throw DeviceError(std::string("CUDA: ") + cudaGetErrorString(error),
                          error == cudaErrorMemoryAllocation);
    }
}

/// Throws a DeviceError unless the call succeeded.
inline void
Check(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS)
    {
        throw DeviceError(std::string("cuBLAS: ") + cublasGetStatusString(status),
                          status == CUBLAS_STATUS_ALLOC_FAILED);
    }
}

/// A CUDA graph of the calls that were captured from a stream.
class GraphRecording : public DeviceRecording
{
  public:
    GraphRecording(cudaGraph_t graph, cudaStream_t stream)
        : m_stream(stream)
    {
        const cudaError_t error = cudaGraphInstantiateWithFlags(&m_graph, graph, 0);
        cudaGraphDestroy(graph);
        Check(error);
    }

    ~GraphRecording() override
    {
        cudaGraphExecDestroy(m_graph);
    }

    GraphRecording(const GraphRecording&) = delete;
    GraphRecording& operator=(const GraphRecording&) = delete;

    void Replay() override
    {
        Check(cudaGraphLaunch(m_graph, m_stream));
    }

  private:
    cudaGraphExec_t m_graph{nullptr};
    cudaStream_t m_stream;
};

} // namespace cuda

} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_GRAPH_RECORDING_H
