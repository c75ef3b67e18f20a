// A connection from a rank's shipper to the log server's rank, over MPI. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "common/shipping/links/shipping_link.hpp"
#include "mpi/world/mpi_post.hpp"

namespace groma {

/// Opens connections one after the other; at any time one of them lives, for letters of the ones before are not told
/// apart otherwise. The world outlives the links.
[[nodiscard]] LinkOpener mpi_link(MpiWorld& world, int log_server);

class MpiLink final : public ShippingLink {
public:
    /// `connection` is another number each time. World and clock outlive the link.
    MpiLink(MpiWorld& world, int log_server, std::uint32_t connection, Clock& clock);
    /// Tells the server that the connection has ended.
    ~MpiLink() override;

    [[nodiscard]] bool send(std::span<const std::byte> frame) override;
    void turn() override;
    [[nodiscard]] std::optional<LogFrame> next() override;
    void wait(int wake_fd, MonoTime until) override;

private:
    Clock& clock_;
    MpiPost post_;
    int log_server_;
    std::uint32_t connection_;
    std::deque<Letter> come_;
    std::vector<std::byte> current_;  ///< the letter of the last frame that next() gave out
};

}  // namespace groma
