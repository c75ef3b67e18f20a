// Messages between the ranks of a job, whole and in order, without ever blocking. Several posts of one world do not
// hear each other. Thread: each post is one thread's; several posts may be used by several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mpi/world/mpi_world.hpp"

namespace groma {

struct Letter {
    int from = 0;
    std::vector<std::byte> bytes;
};

/// Keeps different uses of one world apart; the numbers are MPI's tags.
enum class PostKind : int { control = 1, logs_to_server = 2, logs_to_shipper = 3 };

class MpiPost {
public:
    /// Letters longer than `longest` are an error. `hears` is what next() takes, `says` what send() sends.
    struct Use {
        PostKind says = PostKind::control;
        PostKind hears = PostKind::control;
        std::size_t longest = 0;
    };
    MpiPost(MpiWorld& world, Use use);
    MpiPost(const MpiPost&) = delete;
    MpiPost& operator=(const MpiPost&) = delete;
    /// Gives up what has not been delivered.
    ~MpiPost();

    /// Copies the bytes and starts to send them. Throws: RunError.
    void send(int to, std::span<const std::byte> bytes);

    /// Letters that are on their way, after a look at them.
    [[nodiscard]] std::size_t in_flight();

    /// A letter that has come from rank `from`, or from any rank. Throws: RunError.
    [[nodiscard]] std::optional<Letter> next(std::optional<int> from = std::nullopt);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
