// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/parameters.h"

#include <cstring>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <vector>

// ParameterPool: allocates vectors in large memory blocks (arenas) on huge pages. A handle's
// reference counts are stored beside its vector, so reusing a vector allocates nothing.

namespace dpdl
{

namespace
{

/// Alignment of vectors, in bytes.
constexpr std::size_t ALIGNMENT = 64;
/// Mixing is slow if the distance between vectors is a multiple of this number of bytes. The same
/// column of all vectors then maps to the same cache sets.
constexpr std::size_t SAME_PLACE = 4096;
/// Padding in bytes between vectors whose distance would be a multiple of SAME_PLACE: one block of
/// columns of RoundMix and one cache line.
constexpr std::size_t APART = 1024 + ALIGNMENT;
/// Number of vectors in an arena. Vectors that were never used take no physical memory.
constexpr std::size_t VECTORS_OF_ARENA = 16;
/// Number of bytes for the reference counts of a handle, stored beside the vector.
constexpr std::size_t CONTROL_BYTES = 128;
/// Size of a huge page, in bytes; arenas are allocated in multiples of it.
constexpr std::size_t HUGE_PAGE = std::size_t{2} << 20;

/// Memory block for several vectors, on huge pages if the system has them. Mixing reads the vectors
/// of all nodes at once. With small pages, address translation would take longer than mixing.
class Arena
{
  public:
    explicit Arena(std::size_t bytes)
        : m_memory(::operator new (bytes, std::align_val_t{HUGE_PAGE})),
          m_left(bytes),
          m_next(static_cast<unsigned char*>(m_memory))
    {
#ifdef MADV_HUGEPAGE
        madvise(m_memory, bytes, MADV_HUGEPAGE);
#endif
    }

    ~Arena()
    {
        ::operator delete (m_memory, std::align_val_t{HUGE_PAGE});
    }

    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// Returns the next @p bytes bytes of the arena, or nullptr if fewer bytes are left.
    float* Cut(std::size_t bytes)
    {
        if (bytes > m_left)
        {
            return nullptr;
        }
        auto* const piece = reinterpret_cast<float*>(m_next);
        m_next += bytes;
        m_left -= bytes;
        return piece;
    }

  private:
    void* m_memory;        ///< memory of the arena
    std::size_t m_left;    ///< number of bytes after m_next
    unsigned char* m_next; ///< first byte that is not in use
};

std::size_t
RoundUp(std::size_t value, std::size_t step)
{
    return (value + step - 1) / step * step;
}

} // namespace

void
ParameterVector::SetRemote(std::shared_ptr<const RemoteValues> remote)
{
    m_remote = std::move(remote);
    m_fetched = false;
}

void
ParameterVector::Fetch() const
{
    m_remote->Fetch(m_data);
    m_fetched = true;
}

void
ParameterVector::TakeFromBackend()
{
    if (!m_fetched)
    {
        Fetch();
    }
    m_remote.reset();
}

/// A slot of the pool: a vector, and memory for the reference counts of its handles.
struct ParameterPool::Slot
{
    Slot(float* memory, std::size_t dimension)
        : vector(memory, dimension)
    {
    }

    ParameterVector vector;
    alignas(std::max_align_t) unsigned char control[CONTROL_BYTES];
};

/// State of the pool. All handles share it, so it exists until the pool and all handles are
/// destroyed.
struct ParameterPool::State
{
    explicit State(std::size_t length)
        : dimension(length)
    {
    }

    /// Returns memory for one more vector.
    float* Allocate()
    {
        std::size_t bytes = RoundUp(std::max<std::size_t>(1, dimension) * sizeof(float), ALIGNMENT);
        bytes += bytes % SAME_PLACE == 0 ? APART : 0;
        float* memory = arenas.empty() ? nullptr : arenas.back()->Cut(bytes);
        if (memory == nullptr)
        {
            arenas.push_back(std::make_unique<Arena>(RoundUp(VECTORS_OF_ARENA * bytes, HUGE_PAGE)));
            memory = arenas.back()->Cut(bytes);
        }
        return memory;
    }

    const std::size_t dimension;
    std::mutex mutex;
    std::vector<std::unique_ptr<Arena>> arenas; ///< memory of all vectors
    std::vector<std::unique_ptr<Slot>> slots;   ///< all slots, in the order of allocation
    std::vector<Slot*> free;                    ///< slots of vectors that have no handle
};

/// Allocator for the control block (reference counts) that std::shared_ptr allocates for a handle.
/// The control block is placed in the vector's slot. std::shared_ptr frees it after the last handle
/// to the vector is destroyed; deallocate() then returns the slot to the pool.
template <typename T>
class ParameterPool::SlotAllocator
{
  public:
    using value_type = T; // NOLINT: the standard library prescribes this name

    SlotAllocator(Slot* slot, std::shared_ptr<State> state)
        : m_slot(slot),
          m_state(std::move(state))
    {
    }

    template <typename U>
    SlotAllocator(const SlotAllocator<U>& other) // NOLINT: allocators convert into each other
        : m_slot(other.m_slot),
          m_state(other.m_state)
    {
    }

    T* allocate(std::size_t /* count */) // NOLINT: the standard library prescribes this name
    {
        static_assert(sizeof(T) <= CONTROL_BYTES, "the reference counts need more room");
        return reinterpret_cast<T*>(m_slot->control);
    }

    void deallocate(T* /* memory */,
                    std::size_t /* count */) // NOLINT: the standard library prescribes this name
    {
        const std::lock_guard<std::mutex> lock(m_state->mutex);
        m_state->free.push_back(m_slot);
    }

    template <typename U>
    friend bool operator==(const SlotAllocator& a, const SlotAllocator<U>& b)
    {
        return a.m_slot == b.m_slot;
    }

    template <typename U>
    friend bool operator!=(const SlotAllocator& a, const SlotAllocator<U>& b)
    {
        return !(a == b);
    }

  private:
    template <typename U>
    friend class SlotAllocator;

    Slot* m_slot;
    std::shared_ptr<State> m_state;
};

ParameterPool::ParameterPool(std::size_t dimension)
    : m_state(std::make_shared<State>(dimension))
{
}

ParameterPool::~ParameterPool() = default;

ParameterHandle
ParameterPool::Acquire()
{
    Slot* slot = nullptr;
    {
        const std::lock_guard<std::mutex> lock(m_state->mutex);
        if (m_state->free.empty())
        {
            m_state->slots.push_back(
                std::make_unique<Slot>(m_state->Allocate(), m_state->dimension));
            m_state->free.reserve(m_state->slots.size());
            slot = m_state->slots.back().get();
        }
        else
        {
            slot = m_state->free.back();
            m_state->free.pop_back();
        }
    }
    const auto keep = [](ParameterVector* vector) {
        vector->SetRemote(nullptr);
        vector->SetName(0);
    };
    return ParameterHandle(&slot->vector, keep, SlotAllocator<ParameterVector>(slot, m_state));
}

ParameterHandle
ParameterPool::AcquireCopy(const float* values)
{
    ParameterHandle handle = Acquire();
    std::copy_n(values, Dimension(), handle->Data());
    return handle;
}

std::size_t
ParameterPool::Dimension() const
{
    return m_state->dimension;
}

void
ParameterPool::ForEachNamed(const std::function<void(ParameterVector&)>& visit) const
{
    const std::lock_guard<std::mutex> lock(m_state->mutex);
    for (const std::unique_ptr<Slot>& slot : m_state->slots)
    {
        if (slot->vector.Name() != 0)
        {
            visit(slot->vector);
        }
    }
}

std::size_t
ParameterPool::Allocated() const
{
    const std::lock_guard<std::mutex> lock(m_state->mutex);
    return m_state->slots.size();
}

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "messages are little-endian");

void
EncodeParameters(const float* values, std::size_t count, std::uint8_t* out)
{
    std::memcpy(out, values, count * sizeof(float));
}

void
DecodeParameters(const std::uint8_t* in, std::size_t count, float* values)
{
    std::memcpy(values, in, count * sizeof(float));
}

} // namespace dpdl
