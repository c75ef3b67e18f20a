// A column of numbers that grows, possibly to gigabytes. Unlike a vector it neither fills what it reserves nor copies
// when it grows, where the kernel can move its pages (mremap(2), by realloc(3)).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace groma {

struct FreedMemory {
    void operator()(void* memory) const noexcept { std::free(memory); }
};

template <typename T>
class GrowingColumn {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    using Memory = std::unique_ptr<T, FreedMemory>;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::span<const T> values() const noexcept { return {memory_.get(), size_}; }
    [[nodiscard]] T operator[](std::size_t i) const noexcept { return memory_.get()[i]; }

    /// Room for `count` more values, which the caller writes. Throws: std::bad_alloc.
    [[nodiscard]] std::span<T> extend(std::size_t count) {
        if (count > capacity_ - size_) {
            resize_memory(std::max({2 * capacity_, size_ + count, kLeast}));
        }
        const std::span<T> fresh(memory_.get() + size_, count);
        size_ += count;
        return fresh;
    }

    /// Keeps the first values. Requires: count <= size().
    void shorten(std::size_t count) noexcept { size_ = count; }

    /// Each of them as a T. Throws: as extend().
    template <typename U>
    void append(std::span<const U> values) {
        std::ranges::transform(values, extend(values.size()).begin(), [](U value) { return static_cast<T>(value); });
    }

    void append(std::size_t count, T value) { std::ranges::fill(extend(count), value); }

    /// The values, which the caller owns from now on; null if there is none. The column is empty then.
    [[nodiscard]] Memory release() {
        if (size_ < capacity_ and size_ > 0) {
            resize_memory(size_);
        }
        size_ = capacity_ = 0;
        return std::move(memory_);
    }

private:
    static constexpr std::size_t kLeast = 4096;

    void resize_memory(std::size_t count) {
        void* moved = count > static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(T)
                          ? nullptr
                          : std::realloc(memory_.get(), count * sizeof(T));
        if (moved == nullptr) {
            throw std::bad_alloc();
        }
        (void)memory_.release();
        memory_.reset(static_cast<T*>(moved));
        capacity_ = count;
    }

    Memory memory_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace groma
