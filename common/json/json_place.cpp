#include "common/json/json_place.hpp"

namespace groma {

namespace {

std::string path_of(const JsonPlace& place) {
    std::string path = place.in == nullptr ? "" : path_of(*place.in);
    path += path.empty() or place.name.empty() ? "" : ".";
    path += place.name;
    return place.index == JsonPlace::kNone ? path : path + '[' + std::to_string(place.index) + ']';
}

}  // namespace

std::string JsonPlace::last() const {
    return path_of({nullptr, name, index});
}

std::string JsonPlace::where() const {
    const std::string path = in == nullptr ? "" : path_of(*in);
    return path.empty() ? "" : " (in '" + path + "')";
}

}  // namespace groma
