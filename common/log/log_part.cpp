#include "common/log/log_part.hpp"

#include <string_view>

namespace groma {

namespace {

constexpr std::string_view kPart = ".part";

}  // namespace

std::string part_of_log(const std::string& log) {
    return log + std::string(kPart);
}

bool is_part_of_log(const std::string& file) {
    return file.ends_with(kPart);
}

std::string log_of_part(const std::string& file) {
    return is_part_of_log(file) ? file.substr(0, file.size() - kPart.size()) : file;
}

}  // namespace groma
