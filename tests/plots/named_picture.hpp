// One of several pictures.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "plots/gnuplot/picture.hpp"

namespace groma {

/// Throws: runtime_error when there is none of that name.
inline const Picture& named(const std::vector<Picture>& pictures, const std::string& stem) {
    const auto found = std::ranges::find(pictures, stem, &Picture::stem);
    if (found == pictures.end()) {
        throw std::runtime_error("there is no picture " + stem);
    }
    return *found;
}

}  // namespace groma
