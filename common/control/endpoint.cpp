#include "common/control/endpoint.hpp"

#include <cstring>

namespace groma {

boost::asio::ip::tcp::endpoint to_endpoint(const SocketAddress& address) {
    boost::asio::ip::tcp::endpoint endpoint;
    std::memcpy(endpoint.data(), address.data(), address.size());
    endpoint.resize(address.size());
    return endpoint;
}

SocketAddress to_address(const boost::asio::ip::tcp::endpoint& endpoint) {
    return {endpoint.data(), static_cast<socklen_t>(endpoint.size())};
}

}  // namespace groma
