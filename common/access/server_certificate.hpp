// The certificate of a server that browsers ask, and its key, from files of PEM: TLS 1.3, or 1.2 with forward secrecy.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/net/socket/socket_address.hpp"
#include "common/time/instant.hpp"

namespace groma {

struct ServerCertificate {
    std::shared_ptr<boost::asio::ssl::context> context;
    std::vector<std::string> names{};        ///< of DNS, in lower case; the first label may be "*"
    std::vector<SocketAddress> addresses{};  ///< without a port
    std::string complaint{};  ///< why clients will refuse it: it has expired, or names nobody; may be empty

    /// Whether it is for this host: a name in any case, or an address.
    [[nodiscard]] bool names_host(std::string_view host) const;
};

/// `certificate`: the server's, and then those between it and the one that clients know. Throws: SystemError,
/// UsageError: a file cannot be read, is none, the key is not the certificate's, or may be read by others.
[[nodiscard]] ServerCertificate read_server_certificate(const std::filesystem::path& certificate,
                                                        const std::filesystem::path& key, WallTime now);

}  // namespace groma
