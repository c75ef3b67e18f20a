// Messages between the ranks of a job, complete and in order. Never blocks. Posts with different tags are separate.
// Thread: one per post; different posts may run on different threads.
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

/// Separates different uses of one world; the values are MPI tags.
enum class PostKind : int { control = 1, logs_to_server = 2, logs_to_shipper = 3 };

class MpiPost {
public:
    /// Letters longer than `longest` are an error. `hears`: the tag for next(); `says`: the tag for send().
    struct Use {
        PostKind says = PostKind::control;
        PostKind hears = PostKind::control;
        std::size_t longest = 0;
    };
    MpiPost(MpiWorld& world, Use use);
    MpiPost(const MpiPost&) = delete;
    MpiPost& operator=(const MpiPost&) = delete;
    /// Abandons undelivered letters.
    ~MpiPost();

    /// Copies the bytes and starts to send them. Throws: RunError.
    void send(int to, std::span<const std::byte> bytes);

    /// The number of undelivered letters; tests them for completion.
    [[nodiscard]] std::size_t in_flight();

    /// The next received letter from rank `from`, or from any rank. Throws: RunError.
    [[nodiscard]] std::optional<Letter> next(std::optional<int> from = std::nullopt);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
