// The options of all programs for pages that other hosts may ask for.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "common/net/socket/socket_address.hpp"

namespace groma {

inline constexpr std::string_view kWebCertHelp =
    "the certificate (PEM) with which pages go to other hosts, under TLS: the server's, then those between";
inline constexpr std::string_view kWebCertMore =
    "It has the names in it by which others call this host. docs/guide/monitoring.md#from-other-hosts makes one.";
inline constexpr std::string_view kWebKeyHelp = "the private key of --web-cert (PEM), which only its owner may read";
inline constexpr std::string_view kWebTokensHelp =
    "answer other hosts that prove one of the tokens in DIR (its files *.token; default: that of --keys)";
inline constexpr std::string_view kWebTokensMore =
    "groma-key token makes these files. A daemon reads certificate, key and tokens again at SIGHUP.";

struct WebFiles {
    std::filesystem::path certificate{};
    std::filesystem::path key{};
    std::filesystem::path tokens{};

    /// `keys`: the folder of --keys, which has them if no other is given.
    void or_tokens_in(const std::filesystem::path& keys) { tokens = tokens.empty() ? keys : tokens; }
    bool operator==(const WebFiles&) const = default;
};

/// An option that has pages answered, and where.
struct WebPlace {
    std::string_view option;  ///< "--metrics"
    std::span<const SocketAddress> listen;
};

/// Other hosts can reach it.
[[nodiscard]] bool is_beyond_this_host(std::span<const SocketAddress> listen);

/// Why the options do not go together, and what to do; empty: they do.
[[nodiscard]] std::string web_error(const WebFiles& files, std::initializer_list<WebPlace> places);

}  // namespace groma
