#include "common/log/open_log.hpp"

#include <fcntl.h>

#include <cerrno>

#include "common/log/log_part.hpp"
#include "common/os/checked.hpp"

namespace groma {

FileDescriptor open_log(const std::filesystem::path& file) {
    const auto open = [](const std::string& name) { return ::open(name.c_str(), O_RDONLY | O_CLOEXEC); };
    int fd = open(file.string());
    if (fd < 0 and errno == ENOENT and is_part_of_log(file.string())) {
        fd = open(log_of_part(file.string()));
    }
    return FileDescriptor(checked("open " + file.string(), fd));
}

}  // namespace groma
