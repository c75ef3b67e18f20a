// Whether an object that holds a secret leaves nothing of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace groma {

/// The bytes in which the object was, after its end.
template <typename Object>
std::array<std::byte, sizeof(Object)> left_by(const Object& object) {
    alignas(Object) std::array<std::byte, sizeof(Object)> place{};
    std::byte* const volatile unknown = place.data();  // to the compiler, which may leave out what nobody reads
    std::destroy_at(new (unknown) Object(object));
    std::array<std::byte, sizeof(Object)> left{};
    std::memcpy(left.data(), unknown, left.size());
    return left;
}

}  // namespace groma
