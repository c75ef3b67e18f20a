#include "common/os/own_program.hpp"

#include <filesystem>
#include <system_error>

namespace groma {

std::string own_program(const std::string& name) {
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto beside = self.parent_path() / name;
    return not error and std::filesystem::exists(beside, error) ? beside.string() : name;
}

}  // namespace groma
