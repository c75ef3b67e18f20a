#include "common/os/temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <system_error>

#include "common/base/errors.hpp"

namespace groma {

TemporaryFolder::TemporaryFolder(std::string_view name) {
    std::string made = (std::filesystem::temp_directory_path() / (std::string(name) + "-XXXXXX")).string();
    if (::mkdtemp(made.data()) == nullptr) {
        throw SystemError("make the folder " + made, errno);
    }
    path_ = made;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace groma
