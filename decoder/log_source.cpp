#include "decoder/log_source.hpp"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "common/os/checked.hpp"

namespace groma {

namespace {

std::vector<std::byte> all_of_standard_input() {
    std::vector<std::byte> bytes;
    std::array<std::byte, 65536> piece;
    while (true) {
        const ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
        if (got < 0 and errno == EINTR) {
            continue;
        }
        if (checked("read standard input", got) == 0) {
            return bytes;
        }
        bytes.insert(bytes.end(), piece.begin(), piece.begin() + got);
    }
}

}  // namespace

LogSource open_log_source(const std::string& path) {
    if (path == "-") {
        // Shared because a std::function must be copyable, and a log may be large.
        const auto bytes = std::make_shared<const std::vector<std::byte>>(all_of_standard_input());
        const std::string name = "standard input";
        return {name, bytes->size(), [bytes, name](LogVisitor& visitor) { read_log(*bytes, name, visitor); }};
    }
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path, unknown);
    return {path, unknown ? 0 : size, [path](LogVisitor& visitor) { read_log(std::filesystem::path(path), visitor); }};
}

}  // namespace groma
