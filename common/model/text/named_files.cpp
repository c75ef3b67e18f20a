#include "common/model/text/named_files.hpp"

namespace groma {

std::string NamedFiles::path(std::string_view name) const {
    if (folder.empty() or name.starts_with('/')) {
        return std::string(name);
    }
    return folder + (folder.ends_with('/') ? "" : "/") + std::string(name);
}

}  // namespace groma
