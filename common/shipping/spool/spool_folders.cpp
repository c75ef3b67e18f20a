#include "common/shipping/spool/spool_folders.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/base/token.hpp"
#include "common/log/log_part.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDeliveredSuffix = ".delivered";

std::string delivered_name(const std::string& token) {
    return '.' + token + std::string(kDeliveredSuffix);
}

}  // namespace

void make_spool_folder(const fs::path& folder) {
    if (folder.has_parent_path() and not fs::exists(folder.parent_path())) {
        make_spool_folder(folder.parent_path());
    }
    if (::mkdir(folder.c_str(), 0700) < 0 and errno != EEXIST) {
        throw SystemError("make the spool's folder " + folder.string(), errno, kSpoolFolderAdvice);
    }
}

FileDescriptor lock_spool_folder(const fs::path& folder) {
    FileDescriptor fd(checked("open the spool " + folder.string(),
                              ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)));
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) {
        return fd;
    }
    if (errno != EWOULDBLOCK) {
        throw SystemError("lock the spool " + folder.string(), errno);
    }
    return {};
}

fs::path name_of_delivered(const fs::path& spool) {
    return spool.parent_path() / delivered_name(spool.filename().string());
}

bool is_unattended(const fs::path& spool) {
    try {
        return lock_spool_folder(spool).valid();
    } catch (const SystemError&) {
        return false;  // gone, or not one of Groma's
    }
}

bool is_in_the_way_of_spools(const fs::path& log, const fs::path& parent) {
    const auto resolved = [](const fs::path& path) {
        std::error_code cannot;
        fs::path real = fs::weakly_canonical(path, cannot);
        return cannot ? path.lexically_normal() : real;
    };
    if (parent.empty()) {
        return false;
    }
    const fs::path spools = resolved(fs::absolute(parent));
    return std::ranges::any_of(std::array{log.string(), part_of_log(log.string())}, [&](const std::string& name) {
        const fs::path file = resolved(fs::absolute(name));
        return std::ranges::mismatch(file, spools).in1 == file.end();
    });
}

void remove_delivered(const fs::path& parent) noexcept {
    std::error_code error;
    std::vector<fs::path> delivered;
    for (fs::directory_iterator entry(parent, error), end; not error and entry != end; entry.increment(error)) {
        const std::string token = entry->path().stem().string().substr(1);
        if (is_token(token) and entry->path().filename() == delivered_name(token)) {
            delivered.push_back(entry->path());
        }
    }
    for (const fs::path& folder : delivered) {
        fs::remove_all(folder, error);
    }
}

std::vector<fs::path> spools_in(const fs::path& parent) {
    std::vector<fs::path> found;
    std::error_code error;
    if (not fs::exists(parent, error)) {
        return found;
    }
    for (fs::directory_iterator entry(parent, error), end; not error and entry != end; entry.increment(error)) {
        if (is_token(entry->path().filename().string()) and entry->is_directory()) {
            found.push_back(entry->path());
        }
    }
    if (error) {
        throw SystemError("look for spools in " + parent.string(), error.value(), kSpoolFolderAdvice);
    }
    std::ranges::sort(found);
    return found;
}

}  // namespace groma
