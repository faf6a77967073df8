// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "cuda-executor.h"
#include "graph-recording.h"

#include <algorithm>
#include <cublas_v2.h>
#include <cuda_runtime.h>

// The executor of a CUDA device. Templates turn the operations of device-ops.h into kernels, cuBLAS
// computes matrix products, and CUDA graphs record calls.

namespace dpdl
{
namespace cuda
{

namespace
{

constexpr unsigned THREADS = 256;
constexpr std::size_t MOST_GROUPS = std::size_t{1} << 20;
/// Largest number of matrix products per call. Some cuBLAS kernels index the products with 16 bits.
constexpr std::size_t MOST_PRODUCTS = 65535;
/// Size in bytes of the workspace of cuBLAS. The workspace is allocated in advance, because cuBLAS
/// must not allocate while a graph is recorded.
constexpr std::size_t WORKSPACE = std::size_t{32} << 20;

template <typename Body>
__global__ void
CallBody(Body body, std::size_t count)
{
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t index = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         index < count;
         index += stride)
    {
        body(index);
    }
}

/// Sums the terms of each row with one thread block. The order of the additions depends only on the
/// width.
template <typename Body>
__global__ void
SumRow(Body body, std::size_t rows)
{
    __shared__ double parts[THREADS];
    for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x)
    {
        const std::size_t width = body.Width(row);
        double sum = 0.0;
        for (std::size_t i = threadIdx.x; i < width; i += THREADS)
        {
            sum += body.Term(row, i);
        }
        parts[threadIdx.x] = sum;
        __syncthreads();
        for (unsigned half = THREADS / 2; half > 0; half /= 2)
        {
            if (threadIdx.x < half)
            {
                parts[threadIdx.x] += parts[threadIdx.x + half];
            }
            __syncthreads();
        }
        if (threadIdx.x == 0)
        {
            body.Store(row, parts[0]);
        }
        __syncthreads();
    }
}

unsigned
Groups(std::size_t wanted)
{
    return static_cast<unsigned>(std::min(wanted, MOST_GROUPS));
}

/// Transposition flag of cuBLAS for a matrix. cuBLAS is column-major, so it reads a row-major
/// matrix as its transpose.
cublasOperation_t
Seen(const MatrixBatch& matrix)
{
    return matrix.transpose ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/// Executor with one stream on the first CUDA device.
class CudaExecutor : public DeviceExecutor
{
  public:
    /// Delegates, so that the destructor also runs if the device fails here.
    CudaExecutor()
        : CudaExecutor(nullptr)
    {
        Check(cudaSetDevice(0));
        // A blocking stream: it waits for LibTorch's work on the default stream, and LibTorch for
        // it.
        Check(cudaStreamCreate(&m_stream));
        Check(cublasCreate(&m_blas));
        Check(cublasSetStream(m_blas, m_stream));
        Check(cudaMalloc(&m_workspace, WORKSPACE));
        Check(cublasSetWorkspace(m_blas, m_workspace, WORKSPACE));
        // Use float32, as the host does. TF32 results would differ from those of the host by more
        // than 1e-5.
        Check(cublasSetMathMode(m_blas, CUBLAS_DEFAULT_MATH));
    }

    ~CudaExecutor() override
    {
        if (m_blas != nullptr)
        {
            cublasDestroy(m_blas);
        }
        cudaFree(m_workspace);
        if (m_stream != nullptr)
        {
            cudaStreamDestroy(m_stream);
        }
    }

    CudaExecutor(const CudaExecutor&) = delete;
    CudaExecutor& operator=(const CudaExecutor&) = delete;

    std::string Name() const override
    {
        cudaDeviceProp properties{};
        Check(cudaGetDeviceProperties(&properties, 0));
        return properties.name;
    }

    std::size_t FreeBytes() const override
    {
        std::size_t free = 0;
        std::size_t total = 0;
        Check(cudaMemGetInfo(&free, &total));
        return free;
    }

    void* Allocate(std::size_t bytes) override
    {
        void* memory = nullptr;
        const cudaError_t error = cudaMalloc(&memory, bytes);
        if (error != cudaSuccess)
        {
            cudaGetLastError(); // clears the error, which the next launch would report again
            Check(error);
        }
        return memory;
    }

    void Free(void* memory) noexcept override
    {
        cudaFree(memory);
    }

    void Upload(void* device, const void* host, std::size_t bytes) override
    {
        Check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, m_stream));
    }

    void Download(void* host, const void* device, std::size_t bytes) override
    {
        Check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, m_stream));
        Check(cudaStreamSynchronize(m_stream));
    }

    void Copy(void* to, const void* from, std::size_t bytes) override
    {
        Check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, m_stream));
    }

    void ForEach(const IndexOp& op, std::size_t count) override
    {
        if (count == 0)
        {
            return;
        }
        const unsigned groups = Groups((count + THREADS - 1) / THREADS);
        std::visit(
            [&](const auto& body) { CallBody<<<groups, THREADS, 0, m_stream>>>(body, count); },
            op);
        Check(cudaGetLastError());
    }

    void SumRows(const RowOp& op, std::size_t rows) override
    {
        if (rows == 0)
        {
            return;
        }
        std::visit(
            [&](const auto& body) { SumRow<<<Groups(rows), THREADS, 0, m_stream>>>(body, rows); },
            op);
        Check(cudaGetLastError());
    }

    void Multiply(const BatchedProduct& product) override
    {
        // cuBLAS is column-major and reads row-major matrices as their transposes, so it computes
        // C' = B' A'.
        const float one = 1.0F;
        for (std::size_t first = 0; first < product.batch; first += MOST_PRODUCTS)
        {
            Check(cublasSgemmStridedBatched(
                m_blas,
                Seen(product.b),
                Seen(product.a),
                static_cast<int>(product.columns),
                static_cast<int>(product.rows),
                static_cast<int>(product.inner),
                &one,
                product.b.data + first * product.b.batchStride,
                static_cast<int>(product.b.stride),
                static_cast<long long>(product.b.batchStride),
                product.a.data + first * product.a.batchStride,
                static_cast<int>(product.a.stride),
                static_cast<long long>(product.a.batchStride),
                &product.beta,
                product.c + first * product.cBatchStride,
                static_cast<int>(product.columns),
                static_cast<long long>(product.cBatchStride),
                static_cast<int>(std::min(MOST_PRODUCTS, product.batch - first))));
        }
    }

    std::unique_ptr<DeviceRecording> Record(const std::function<void()>& work) override
    {
        cudaGraph_t graph = nullptr;
        Check(cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeThreadLocal));
        try
        {
            work();
        }
        catch (...)
        {
            cudaStreamEndCapture(m_stream, &graph);
            cudaGraphDestroy(graph);
            throw;
        }
        Check(cudaStreamEndCapture(m_stream, &graph));
        return std::make_unique<GraphRecording>(graph, m_stream);
    }

  private:
    explicit CudaExecutor(std::nullptr_t)
    {
    }

    cudaStream_t m_stream{nullptr};
    cublasHandle_t m_blas{nullptr};
    void* m_workspace{nullptr};
};

std::string
WhyNoCudaDevice()
{
    int devices = 0;
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess)
    {
        return std::string("CUDA: ") + cudaGetErrorString(error);
    }
    if (devices == 0)
    {
        return "CUDA: no device";
    }
    // Check the device now: if its architecture is not supported, the first launch would fail in
    // the middle of a run.
    cudaFuncAttributes attributes{};
    const cudaError_t missing = cudaFuncGetAttributes(&attributes, CallBody<AddValues>);
    if (missing != cudaSuccess)
    {
        cudaGetLastError(); // clears the error, which the next launch would report again
        return std::string("CUDA: ") + cudaGetErrorString(missing) +
               "; -DDPDL_CUDA_ARCHITECTURES names the devices to compile for";
    }
    return "";
}

std::unique_ptr<DeviceExecutor>
MakeExecutor()
{
    return std::make_unique<CudaExecutor>();
}

} // namespace

} // namespace cuda
} // namespace dpdl

const dpdl::cuda::CudaLibrary*
DpdlCudaLibrary()
{
    static const dpdl::cuda::CudaLibrary library{dpdl::cuda::WhyNoCudaDevice,
                                                 dpdl::cuda::MakeExecutor};
    return &library;
}
