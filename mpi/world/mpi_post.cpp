#include "mpi/world/mpi_post.hpp"

#include <mpi.h>

#include <array>
#include <list>
#include <string>

#include "common/base/errors.hpp"

namespace groma {

namespace {

void must(int result, const std::string& attempt) {
    if (result == MPI_SUCCESS) {
        return;
    }
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(result, text.data(), &length);
    throw RunError("cannot " + attempt + " over MPI: " + std::string(text.data(), static_cast<std::size_t>(length)));
}

struct Sending {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
};

}  // namespace

struct MpiPost::State {
    MpiWorld& world;
    Use use;
    std::list<Sending> sending;

    void forget_sent() {
        for (auto one = sending.begin(); one != sending.end();) {
            int done = 0;
            must(MPI_Test(&one->request, &done, MPI_STATUS_IGNORE), "send a message");
            one = done != 0 ? sending.erase(one) : std::next(one);
        }
    }
};

MpiPost::MpiPost(MpiWorld& world, Use use) : state_(std::make_unique<State>(State{world, use, {}})) {}

MpiPost::~MpiPost() {
    if (state_->sending.empty()) {
        return;
    }
    const std::lock_guard lock(state_->world.calls());
    for (Sending& one : state_->sending) {
        int done = 0;
        if (MPI_Test(&one.request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS and done == 0) {
            MPI_Request_free(&one.request);
            // MPI may still read the bytes: leak them.
            static_cast<void>(std::make_unique<std::vector<std::byte>>(std::move(one.bytes)).release());
        }
    }
}

void MpiPost::send(int to, std::span<const std::byte> bytes) {
    check(bytes.size() <= state_->use.longest, "a letter is no longer than the post takes");
    const std::lock_guard lock(state_->world.calls());
    Sending& one = state_->sending.emplace_back();
    one.bytes.assign(bytes.begin(), bytes.end());
    must(MPI_Isend(one.bytes.data(), static_cast<int>(one.bytes.size()), MPI_BYTE, to,
                   static_cast<int>(state_->use.says), MPI_COMM_WORLD, &one.request),
         "send a message to rank " + std::to_string(to));
    state_->forget_sent();
}

std::size_t MpiPost::in_flight() {
    const std::lock_guard lock(state_->world.calls());
    state_->forget_sent();
    return state_->sending.size();
}

std::optional<Letter> MpiPost::next(std::optional<int> from) {
    const std::lock_guard lock(state_->world.calls());
    state_->forget_sent();
    int there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    must(MPI_Improbe(from.value_or(MPI_ANY_SOURCE), static_cast<int>(state_->use.hears), MPI_COMM_WORLD, &there,
                     &message, &status),
         "look for messages");
    if (there == 0) {
        return std::nullopt;
    }
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    if (size < 0 or static_cast<std::size_t>(size) > state_->use.longest) {
        throw RunError("rank " + std::to_string(status.MPI_SOURCE) + " sent a message of " + std::to_string(size) +
                       " bytes, which is more than is allowed: install the same release on all hosts");
    }
    Letter letter{status.MPI_SOURCE, std::vector<std::byte>(static_cast<std::size_t>(size))};
    must(MPI_Mrecv(letter.bytes.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE),
         "take a message from rank " + std::to_string(letter.from));
    return letter;
}

}  // namespace groma
