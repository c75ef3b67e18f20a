#include "mpi/batch/batch_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"

namespace groma {

BatchFolder::BatchFolder(std::filesystem::path path) : path_(std::filesystem::absolute(path).lexically_normal()) {
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (error) {
        throw SystemError("make the folder " + path_.string(), error.value(), "--out DIR names another");
    }
    const std::string file = (path_ / ".lock").string();
    constexpr mode_t kMode = 0644;
    lock_ = FileDescriptor(checked("open " + file, ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode)));
    if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
        throw RunError("cannot use the folder " + path_.string() +
                       ": another groma-mpi is at work in it; wait for it, or name another folder with --out DIR");
    }
}

void BatchFolder::keep_experiment(const std::string& text) const {
    const std::filesystem::path file = path_ / "experiment.toml";
    if (std::filesystem::exists(file)) {
        return;
    }
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (not out) {
        throw SystemError("write " + file.string(), errno != 0 ? errno : EIO);
    }
}

std::string BatchFolder::set_aside(const std::string& run, unsigned attempt) const {
    if (not std::filesystem::exists(path_ / run)) {
        return {};
    }
    std::string aside = run + "-attempt" + std::to_string(attempt);
    while (std::filesystem::exists(path_ / aside)) {
        aside += "+";
    }
    std::error_code error;
    std::filesystem::rename(path_ / run, path_ / aside, error);
    if (error) {
        throw SystemError("rename " + (path_ / run).string(), error.value());
    }
    return aside;
}

}  // namespace groma
