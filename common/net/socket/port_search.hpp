// Ports out of a range that was asked for: the first free one is taken, and flows that share a range need not try again
// what their forerunners hold.
#pragma once

#include <cerrno>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "common/base/errors.hpp"
#include "common/model/transport/transport_options.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

/// Binds as bind_socket(). A port in `address` wins over the range; without either the kernel chooses.
/// Throws: SystemError "bind 10.0.0.1:8999", or, with EADDRINUSE, "bind one of the ports 5000-5009 of 10.0.0.1".
void bind_in_range(const FileDescriptor& socket, const SocketAddress& address, const SocketAddress& peer,
                   const std::optional<PortRange>& range);

/// Where the search for the next flow's port begins: behind the port that the flow before it got. A range is searched
/// from its first port once more when nothing behind that is free, so that ports that were given back are found.
class PortSearch {
public:
    /// Calls `open(range)`, which binds in the range and returns something, of which `port_of` says the port that it
    /// got. Throws: what `open` throws.
    template <typename Open, typename PortOf>
    auto open_in(Transport transport, PortRange range, const Open& open, const PortOf& port_of)
        -> decltype(open(range)) {
        const std::pair key(transport, std::pair(range.first, range.last));
        const auto found = next_.find(key);
        auto opened = found == next_.end() or found->second == range.first
                          ? open(range)
                          : open_behind(PortRange{found->second, range.last}, range, open);
        const std::uint16_t port = port_of(opened);
        next_[key] = port < range.last ? static_cast<std::uint16_t>(port + 1) : range.first;
        return opened;
    }

private:
    template <typename Open>
    static auto open_behind(PortRange rest, PortRange whole, const Open& open) -> decltype(open(whole)) {
        try {
            return open(rest);
        } catch (const SystemError& error) {
            if (error.errno_value() != EADDRINUSE) {
                throw;
            }
        }
        return open(whole);
    }

    std::map<std::pair<Transport, std::pair<std::uint16_t, std::uint16_t>>, std::uint16_t> next_;
};

}  // namespace groma
