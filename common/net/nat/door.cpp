#include "common/net/nat/door.hpp"

#include "common/base/errors.hpp"
#include "common/net/nat/connection_door.hpp"
#include "common/net/nat/datagram_door.hpp"

namespace groma {

std::unique_ptr<Door> open_door(const DoorSpec& spec, Clock& clock) {
    check(traits(spec.transport).dialled, "flows of this transport cannot be dialled");
    if (traits(spec.transport).connects) {
        return std::make_unique<ConnectionDoor>(spec, clock);
    }
    return std::make_unique<DatagramDoor>(spec, clock);
}

}  // namespace groma
