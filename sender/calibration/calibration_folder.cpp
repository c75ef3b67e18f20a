#include "sender/calibration/calibration_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <system_error>

#include "common/base/plain_text.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

/// What makes a host another one. Kernels and versions are updated: then it is another one as well.
const std::vector<std::string>& host_identity() {
    static const std::vector<std::string> names{"host", "address", "kernel", "cpu", "program"};
    return names;
}

}  // namespace

OwnFolder::OwnFolder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        throw SystemError("make the folder " + folder.string(), error.value());
    }
    lock_ = FileDescriptor(
        checked("open the folder " + folder.string(), ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
        throw RunError("another groma-send --calibrate writes to " + folder.string() +
                       ": wait for it, or name another folder with --out");
    }
}

void refuse_other(const std::filesystem::path& folder, const std::vector<std::string>& reasons) {
    if (reasons.empty()) {
        return;
    }
    std::string text = folder.string() + " holds another calibration: ";
    for (const std::string& reason : reasons) {
        text.append(&reason == reasons.data() ? "" : "; ").append(plain_text(reason, 600));
    }
    throw OtherCalibration(text + ". Name another folder with --out, or remove this one");
}

void refuse_other_host(const std::filesystem::path& folder, const std::string& which, const Facts& kept,
                       const Facts& now) {
    refuse_other(folder, differences(kept, now, host_identity(), which));
}

}  // namespace groma
