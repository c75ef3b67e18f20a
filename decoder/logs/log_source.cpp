#include "decoder/logs/log_source.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "common/base/errors.hpp"
#include "common/log/log_bytes.hpp"
#include "common/log/parallel_log_reader.hpp"
#include "common/os/checked.hpp"
#include "common/wire/log_block.hpp"

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

void LogSource::read_by(unsigned threads, LogVisitor& visitor) const {
    if (read_in_parallel and threads > 1) {
        read_in_parallel(visitor, threads);
    } else {
        read(visitor);
    }
}

bool begins_as_log(const std::string& file) {
    try {
        FileBytes bytes(file);
        const auto start = bytes.peek(kLogMagic.size());
        return start.size() >= kLogMagic.size() and std::ranges::equal(start.first(kLogMagic.size()), kLogMagic);
    } catch (const SystemError&) {
        return false;
    }
}

LogSource open_log_source(const std::string& path) {
    if (path == "-") {
        // Shared because a std::function must be copyable, and a log may be large.
        const auto bytes = std::make_shared<const std::vector<std::byte>>(all_of_standard_input());
        const std::string name = "standard input";
        return {name, bytes->size(), [bytes, name](LogVisitor& visitor) { read_log(*bytes, name, visitor); },
                [bytes, name](LogVisitor& visitor, unsigned threads) {
                    read_log_in_parallel(*bytes, name, visitor, threads);
                }};
    }
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path, unknown);
    const std::filesystem::path file = path;
    return {path, unknown ? 0 : size, [file](LogVisitor& visitor) { read_log(file, visitor); },
            [file](LogVisitor& visitor, unsigned threads) { read_log_in_parallel(file, visitor, threads); }};
}

}  // namespace groma
