// Whether an object that holds a secret leaves nothing of it.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>

namespace groma {

/// The bytes in which the object was, after its end.
template <typename Object>
std::array<std::byte, sizeof(Object)> left_by(const Object& object) {
    alignas(Object) std::array<std::byte, sizeof(Object)> place{};
    std::destroy_at(new (place.data()) Object(object));
    std::array<std::byte, sizeof(Object)> left{};
    for (std::size_t i = 0; i < left.size(); ++i) {
        left[i] = static_cast<const volatile std::byte&>(place[i]);
    }
    return left;
}

}  // namespace groma
