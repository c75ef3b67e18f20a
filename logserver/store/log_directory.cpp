#include "logserver/store/log_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/log_name.hpp"
#include "common/os/checked.hpp"
#include "logserver/store/catalogue_file.hpp"
#include "logserver/store/log_file.hpp"
#include "logserver/store/stored_log.hpp"

namespace groma {

namespace {

void require_name(const char* kind, const std::string& name) {
    if (const std::string error = log_name_error(name); not error.empty()) {
        throw LogRefusal(std::string("the name of the ") + kind + " '" + plain_text(name, kMaxLogNameBytes) + "' " +
                         error);
    }
}

}  // namespace

void make_directory(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) {
        throw SystemError("make the directory " + directory.string(), error.value());
    }
}

FileDescriptor lock_directory(const std::filesystem::path& directory) {
    FileDescriptor fd(checked("open the directory " + directory.string(),
                              ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    return ::flock(fd.get(), LOCK_EX | LOCK_NB) < 0 ? FileDescriptor() : std::move(fd);
}

std::filesystem::path file_of_log(const std::filesystem::path& directory, const std::string& experiment,
                                  const std::string& name) {
    return directory / experiment / (name + ".glog");
}

void require_names(const std::string& experiment, const std::string& log) {
    require_name("experiment", experiment);
    if (is_name_of_catalogue(experiment)) {
        throw LogRefusal("the name of the experiment '" + experiment +
                         "' begins like that of the log server's catalogue; choose another name");
    }
    require_name("log", log);
}

void refuse_unknown_files(const std::filesystem::path& finished) {
    std::error_code unknown;
    const auto folder = std::filesystem::symlink_status(finished.parent_path(), unknown);
    if (std::filesystem::exists(folder) and not std::filesystem::is_directory(folder)) {
        throw LogRefusal("there is a file, or a symbolic link, " + finished.parent_path().string() +
                         ", and no folder can be called the same; choose another name");
    }
    for (const auto& file : {finished, part_of(finished)}) {
        std::error_code ignored;
        if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) {
            throw LogRefusal("the file " + file.string() + " is there already and not in the catalogue; move it away");
        }
    }
}

}  // namespace groma
