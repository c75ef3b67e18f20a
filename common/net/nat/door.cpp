#include "common/net/nat/door.hpp"

#include "common/base/errors.hpp"
#include "common/net/nat/connection_door.hpp"
#include "common/net/nat/datagram_door.hpp"

namespace groma {

bool can_be_dialled(Transport transport) noexcept {
    return transport != Transport::icmp and transport != Transport::usrsctp;
}

std::unique_ptr<Door> open_door(const DoorSpec& spec, Clock& clock) {
    check(can_be_dialled(spec.transport), "flows of this transport cannot be dialled");
    if (traits(spec.transport).connects) {
        return std::make_unique<ConnectionDoor>(spec, clock);
    }
    return std::make_unique<DatagramDoor>(spec, clock);
}

}  // namespace groma
