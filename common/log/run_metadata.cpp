#include "common/log/run_metadata.hpp"

#include "common/base/errors.hpp"

namespace groma {

std::string_view to_string(LogRole role) {
    return role == LogRole::sender ? "sender" : "receiver";
}

LogRole parse_log_role(std::string_view text) {
    for (const LogRole role : {LogRole::sender, LogRole::receiver}) {
        if (text == to_string(role)) {
            return role;
        }
    }
    throw UsageError("it is neither \"sender\" nor \"receiver\"");
}

}  // namespace groma
