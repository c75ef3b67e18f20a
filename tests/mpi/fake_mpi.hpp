// MPI as one rank sees it, played by a test: the test gives what other ranks send, and finds what is sent to them. The
// functions of MPI that mpi/world calls are defined here, so that a test needs no job.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi/world/mpi_post.hpp"
#include "mpi/world/rank_message.hpp"

namespace groma {

/// Thread: any.
class FakeMpi {
public:
    struct Sent {
        int to = 0;
        PostKind kind = PostKind::control;
        std::vector<std::byte> bytes;
    };

    void begin(int rank, int size) {
        const std::lock_guard lock(mutex_);
        rank_ = rank;
        size_ = size;
        come_.clear();
        sent_.clear();
        stuck_ = broken_ = false;
        when_sent_ = nullptr;
    }

    /// What rank `from` has sent.
    void give(int from, PostKind kind, std::vector<std::byte> bytes) {
        const std::lock_guard lock(mutex_);
        come_.push_back({from, kind, std::move(bytes)});
    }
    void give(int from, const RankMessage& message) { give(from, PostKind::control, serialize(message)); }

    /// What was sent, in order.
    [[nodiscard]] std::vector<Sent> sent() {
        const std::lock_guard lock(mutex_);
        return sent_;
    }
    /// Calls back after each message that is sent.
    void when_sent(std::function<void()> call) {
        const std::lock_guard lock(mutex_);
        when_sent_ = std::move(call);
    }
    /// From now on nothing that is sent arrives.
    void get_stuck(bool stuck) {
        const std::lock_guard lock(mutex_);
        stuck_ = stuck;
    }
    /// From now on all calls fail.
    void break_down() {
        const std::lock_guard lock(mutex_);
        broken_ = true;
    }

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }

    int send(int to, int tag, const void* bytes, int count) {
        std::function<void()> call;
        {
            const std::lock_guard lock(mutex_);
            if (broken_) {
                return MPI_ERR_OTHER;
            }
            std::vector<std::byte> copy(static_cast<std::size_t>(count));
            std::memcpy(copy.data(), bytes, copy.size());
            sent_.push_back({to, static_cast<PostKind>(tag), std::move(copy)});
            call = when_sent_;
        }
        if (call) {
            call();
        }
        return MPI_SUCCESS;
    }
    [[nodiscard]] int has_left() {
        const std::lock_guard lock(mutex_);
        return stuck_ ? 0 : 1;
    }
    /// Takes the next message out, for count() and receive(). `source` gets its sender.
    int match(int from, int tag, int& found, int& source) {
        const std::lock_guard lock(mutex_);
        if (broken_) {
            return MPI_ERR_OTHER;
        }
        const auto next = std::ranges::find_if(come_, [&](const Come& one) {
            return one.kind == static_cast<PostKind>(tag) and (from == MPI_ANY_SOURCE or one.from == from);
        });
        found = next == come_.end() ? 0 : 1;
        if (found != 0) {
            source = next->from;
            matched_ = std::move(next->bytes);
            come_.erase(next);
        }
        return MPI_SUCCESS;
    }
    [[nodiscard]] int count() const { return static_cast<int>(matched_.size()); }
    void receive(void* bytes) const { std::memcpy(bytes, matched_.data(), matched_.size()); }

private:
    struct Come {
        int from = 0;
        PostKind kind = PostKind::control;
        std::vector<std::byte> bytes;
    };

    std::mutex mutex_;
    int rank_ = 0;
    int size_ = 1;
    std::deque<Come> come_;
    std::vector<Sent> sent_;
    std::vector<std::byte> matched_;
    std::function<void()> when_sent_;
    bool stuck_ = false;
    bool broken_ = false;
};

inline FakeMpi& fake_mpi() {
    static FakeMpi fake;
    return fake;
}

/// This process as a rank of a job.
class FakeRank {
public:
    FakeRank(int rank, int size) : begun_(begin(rank, size)), world_(nullptr, nullptr) {}

    [[nodiscard]] MpiWorld& world() { return world_; }

private:
    static bool begin(int rank, int size) {
        fake_mpi().begin(rank, size);
        return true;
    }

    bool begun_;
    MpiWorld world_;
};

}  // namespace groma

extern "C" {
[[gnu::used]] inline int MPI_Init_thread(int* /*argc*/, char*** /*argv*/, int required, int* provided) {
    *provided = required;
    return MPI_SUCCESS;
}
[[gnu::used]] inline int MPI_Finalize() {
    return MPI_SUCCESS;
}
[[gnu::used]] inline int MPI_Comm_set_errhandler(MPI_Comm /*comm*/, MPI_Errhandler /*handler*/) {
    return MPI_SUCCESS;
}
[[gnu::used]] inline int MPI_Comm_rank(MPI_Comm /*comm*/, int* rank) {
    *rank = groma::fake_mpi().rank();
    return MPI_SUCCESS;
}
[[gnu::used]] inline int MPI_Comm_size(MPI_Comm /*comm*/, int* size) {
    *size = groma::fake_mpi().size();
    return MPI_SUCCESS;
}
[[gnu::used]] inline int MPI_Get_processor_name(char* name, int* length) {
    constexpr std::string_view kName = "fake";
    *length = static_cast<int>(kName.copy(name, kName.size()));
    return MPI_SUCCESS;
}
[[gnu::used]] inline int MPI_Error_string(int /*error*/, char* text, int* length) {
    constexpr std::string_view kText = "it broke down";
    *length = static_cast<int>(kText.copy(text, kText.size()));
    return MPI_SUCCESS;
}
[[gnu::used]] inline int MPI_Isend(const void* bytes, int count, MPI_Datatype /*type*/, int to, int tag,
                                   MPI_Comm /*comm*/, MPI_Request* /*request*/) {
    return groma::fake_mpi().send(to, tag, bytes, count);
}
[[gnu::used]] inline int MPI_Test(MPI_Request* /*request*/, int* done, MPI_Status* /*status*/) {
    *done = groma::fake_mpi().has_left();
    return MPI_SUCCESS;
}
[[gnu::used]] inline int MPI_Request_free(MPI_Request* /*request*/) {
    return MPI_SUCCESS;
}
[[gnu::used]] inline int MPI_Improbe(int from, int tag, MPI_Comm /*comm*/, int* found, MPI_Message* /*message*/,
                                     MPI_Status* status) {
    return groma::fake_mpi().match(from, tag, *found, status->MPI_SOURCE);
}
[[gnu::used]] inline int MPI_Get_count(const MPI_Status* /*status*/, MPI_Datatype /*type*/, int* count) {
    *count = groma::fake_mpi().count();
    return MPI_SUCCESS;
}
[[gnu::used]] inline int MPI_Mrecv(void* bytes, int /*count*/, MPI_Datatype /*type*/, MPI_Message* /*message*/,
                                   MPI_Status* /*status*/) {
    groma::fake_mpi().receive(bytes);
    return MPI_SUCCESS;
}
}
