#include "receiver/offered_log.hpp"

#include <unistd.h>

#include <utility>

#include "common/base/errors.hpp"
#include "common/log/earlier_log.hpp"
#include "common/os/checked.hpp"

namespace groma {

OfferedLog::OfferedLog(std::filesystem::path file, std::string key)
    : file_(std::move(file)), key_(std::move(key)), log_(open_part_of_log(file_), file_.string()) {}

bool OfferedLog::is_for(const std::optional<Grant>& grant) const {
    return grant ? grant->name == key_ or grant->roles.has(Role::admin) : key_.empty();
}

void OfferedLog::remove() {
    if (not given()) {
        throw UsageError("the log was not fetched to its end, and stays");
    }
    if (not is_name_of_file(file_, log_.fd())) {
        throw RunError("cannot remove the log " + file_.string() + ": another file has its name by now");
    }
    checked("remove the log " + file_.string(), ::unlink(file_.c_str()));
}

}  // namespace groma
