// Who can reach a daemon: the options --listen, --open, --open-to-anyone and --keys, which all daemons have. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/net/socket/socket_address.hpp"

namespace groma {

struct Reach {
    bool open = false;          ///< --open
    bool to_anyone = false;     ///< --open-to-anyone
    bool keys = false;          ///< --keys
    bool end_with_key = false;  ///< --end-with-key

    /// It listens on more than loopback.
    [[nodiscard]] bool beyond_this_host() const { return open or to_anyone; }
    /// Who is served: what Welcome::about has as kAboutServed.
    [[nodiscard]] std::string in_words() const;
};

inline constexpr std::string_view kAboutServed = "serves";
inline constexpr std::string_view kServesAnyone = "anyone (--open-to-anyone)";

/// `has`: whether the command line has the option.
template <typename Has>
[[nodiscard]] Reach read_reach(const Has& has) {
    return {.open = has("--open"),
            .to_anyone = has("--open-to-anyone"),
            .keys = has("--keys"),
            .end_with_key = has("--end-with-key")};
}

/// Why the options do not go together, and what to do; empty: they do. `opening`: the option that lets other hosts in.
[[nodiscard]] std::string reach_error(const Reach& reach, std::string_view opening = "--open");

/// Where a daemon listens without --listen.
[[nodiscard]] std::vector<SocketAddress> usual_addresses(const Reach& reach, std::uint16_t port);

/// What --listen names; `could`: what others could do: "have this host send". Throws: UsageError for what is no
/// address, and for one that other hosts can reach, if they are not to.
[[nodiscard]] SocketAddress address_to_listen_on(std::string_view text, const Reach& reach, std::uint16_t port,
                                                 std::string_view could);

/// A line for the operator; empty: there is nothing to warn of.
[[nodiscard]] std::string reach_warning(const Reach& reach, std::string_view could);

}  // namespace groma
