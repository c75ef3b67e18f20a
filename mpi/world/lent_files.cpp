#include "mpi/world/lent_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/log_name.hpp"
#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

constexpr std::ptrdiff_t kMostParts = 3;  ///< "log-server/EXPERIMENT/LOG.glog"
constexpr std::size_t kLongestName = 1000;

bool is_lent(const std::filesystem::path& name) {
    const std::string last = name.filename().string();
    return last.ends_with(".glog") or last.ends_with(".glog.part") or last == "catalogue.sqlite";
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, As<Fields, LentFile>& file) {
    fields("name", file.name, UpTo{4096});
    fields("size", file.size);
}

template void describe(JsonWriter&, const LentFile&);
template void describe(JsonReader&, LentFile&);

std::vector<LentFile> files_to_lend(const std::filesystem::path& folder) {
    std::vector<LentFile> files;
    std::error_code error;
    for (const char* const top : {"logs", "log-server"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / top, error)) {
            const auto name = entry.path().lexically_relative(folder);
            if (entry.is_regular_file(error) and is_lent(name)) {
                files.push_back({name.string(), entry.file_size(error)});
            }
        }
    }
    std::ranges::sort(files, {}, &LentFile::name);
    return files;
}

std::filesystem::path lent_path(const std::filesystem::path& folder, const std::string& name) {
    const std::filesystem::path path(name);
    const bool good_parts = std::ranges::all_of(path, [](const auto& part) {
        const std::string text = part.string();
        return not text.empty() and text.front() != '.' and text.find('\0') == std::string::npos;
    });
    if (name.size() > kLongestName or path.is_absolute() or std::distance(path.begin(), path.end()) > kMostParts or
        not good_parts or (*path.begin() != "logs" and *path.begin() != "log-server") or not is_lent(path)) {
        throw UsageError(fmt::format("'{}' is not the name of a log", plain_text(name, 100)));
    }
    return folder / path;
}

std::vector<std::uint8_t> read_lent(const std::filesystem::path& folder, const std::string& name,
                                    std::uint64_t offset) {
    const auto path = lent_path(folder, name);
    const FileDescriptor file(
        checked("open " + path.string(), ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)));
    std::vector<std::uint8_t> bytes(kMaxLentPiece);
    const ssize_t got = ::pread(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    checked("read " + path.string(), got < 0 ? -1 : 0);
    bytes.resize(static_cast<std::size_t>(got));
    return bytes;
}

void write_fetched(const std::filesystem::path& folder, const std::string& name, std::uint64_t offset,
                   const std::vector<std::uint8_t>& bytes) {
    const auto path = lent_path(folder, name);
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    const int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (offset == 0 ? O_CREAT | O_TRUNC : 0);
    const FileDescriptor file(checked("write " + path.string(), ::open(path.c_str(), flags, 0644)));
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t put =
            ::pwrite(file.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
        checked("write " + path.string(), put < 0 ? -1 : 0);
        done += static_cast<std::size_t>(put);
    }
}

}  // namespace groma
