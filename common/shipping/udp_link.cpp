#include "common/base/errors.hpp"
#include "common/shipping/link_openers.hpp"

namespace groma {

LinkOpener udp_link(const SocketAddress& /*server*/, const std::string& peer,
                    std::optional<std::uint64_t> /*bytes_per_second*/) {
    throw UsageError("cannot ship logs to the " + peer + ": this program was built without it (use tcp)");
}

}  // namespace groma
