#include "common/os/hardening.hpp"

#include <cap-ng.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "common/os/checked.hpp"
#include "common/os/process.hpp"

namespace groma {

namespace {

/// Or on the way to what is: another user may keep everybody else out of a folder.
bool is_of_another_user(const std::filesystem::path& file) {
    if (file.empty()) {
        return false;
    }
    for (std::filesystem::path at = std::filesystem::absolute(file);; at = at.parent_path()) {
        struct stat found {};
        if (::stat(at.c_str(), &found) == 0 and found.st_uid != ::geteuid()) {
            return true;
        }
        if (not at.has_relative_path()) {
            return false;
        }
    }
}

void give_up_capabilities(const std::vector<unsigned>& kept, const std::vector<std::filesystem::path>& files) {
    constexpr const char* kAttempt = "give up capabilities";
    checked(kAttempt, ::prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L));
    checked(kAttempt, ::capng_get_caps_process());
    const bool has_bounds = ::capng_have_capability(CAPNG_EFFECTIVE, CAP_SETPCAP) != 0;
    const bool keeps_files = std::ranges::any_of(files, is_of_another_user);
    constexpr auto kAll = static_cast<capng_type_t>(CAPNG_EFFECTIVE | CAPNG_PERMITTED | CAPNG_INHERITABLE |
                                                    CAPNG_BOUNDING_SET | CAPNG_AMBIENT);
    for (unsigned capability = 0; capability <= CAP_LAST_CAP; ++capability) {
        const bool of_files = capability == CAP_DAC_OVERRIDE or capability == CAP_FOWNER;
        if (std::ranges::find(kept, capability) == kept.end() and not(of_files and keeps_files)) {
            ::capng_update(CAPNG_DROP, kAll, capability);
        }
    }
    checked(kAttempt,
            ::capng_apply(has_bounds ? CAPNG_SELECT_ALL
                                     : static_cast<capng_select_t>(CAPNG_SELECT_CAPS | CAPNG_SELECT_AMBIENT)));
}

}  // namespace

void harden_daemon(const std::vector<unsigned>& kept, const std::vector<std::filesystem::path>& files) {
    raise_fd_limit();
    keep_files_from_others();
    give_up_capabilities(kept, files);
}

}  // namespace groma
