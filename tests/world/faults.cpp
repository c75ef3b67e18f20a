#include "tests/world/faults.hpp"

#include <cstring>

namespace groma::world {

std::string_view name_of(Call call) {
    constexpr std::array<std::string_view, 14> kNames{"open",    "write",  "fsync",  "rename",  "unlink",
                                                      "mkdir",   "socket", "accept", "connect", "epoll",
                                                      "eventfd", "thread", "send",   "memory"};
    return kNames.at(static_cast<std::size_t>(call));
}

void Faults::end() {
    planted_.clear();
}

int Faults::strike(const std::string& program, Call call) {
    int error = 0;
    for (Fault& fault : planted_) {
        if (fault.call != call or fault.program != program) {
            continue;
        }
        ++fault.calls;
        if (fault.calls >= fault.first and fault.calls - fault.first < fault.times) {
            error = fault.error;
            met(std::string(name_of(call)) + ' ' + strerrorname_np(error));
        }
    }
    return error;
}

}  // namespace groma::world
