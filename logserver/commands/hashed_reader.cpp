#include "logserver/commands/hashed_reader.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "common/log/running_hash.hpp"
#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

constexpr std::size_t kReadBytes = 1U << 20U;

}  // namespace

HashedBytes read_hashed(const std::filesystem::path& file, std::uint64_t bytes,
                        const std::function<void(std::span<const std::byte>)>& take) {
    const FileDescriptor fd(checked("open " + file.string(), ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)));
    std::vector<std::byte> buffer(kReadBytes);
    RunningHash hash;
    std::uint64_t done = 0;
    while (done < bytes) {
        const std::size_t wanted = std::min<std::uint64_t>(bytes - done, buffer.size());
        const ssize_t got = checked("read " + file.string(), ::read(fd.get(), buffer.data(), wanted));
        if (got == 0) {
            break;
        }
        const auto piece = std::span(buffer).first(static_cast<std::size_t>(got));
        hash.add(piece);
        take(piece);
        done += piece.size();
    }
    return {done, hash.value()};
}

}  // namespace groma
