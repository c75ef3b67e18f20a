// Waits for packets on the loopback device.
#pragma once

#include <sched.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>

#include "common/base/errors.hpp"
#include "common/os/scheduling.hpp"

namespace groma {

/// Some kernels (4.9 to 6.4) leave sent packets to ksoftirqd while that runs: a socket that is read at once can be
/// empty. Packets of one core stay in order, so the calling thread keeps to its core.
class Loopback {
public:
    Loopback() {
        const std::array core{static_cast<unsigned>(::sched_getcpu())};
        check(run_on_cores(core).empty(), "a thread can keep to its core");
        marks_.connect(marks_.local_endpoint());
    }

    /// Returns when all packets sent before can be read.
    void settle() {
        std::array<char, 1> mark{};
        marks_.send(boost::asio::buffer(mark));
        marks_.receive(boost::asio::buffer(mark));
    }

private:
    boost::asio::io_context io_{1};
    boost::asio::ip::udp::socket marks_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
};

}  // namespace groma
