// Carries the conversations of a log server over MPI: one for each connection of a rank, polled on the server's thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <map>
#include <memory>
#include <string>

#include "common/control/timer.hpp"
#include "common/time/clock.hpp"
#include "logserver/conversation.hpp"
#include "mpi/world/log_letter.hpp"
#include "mpi/world/mpi_post.hpp"

namespace groma {

/// Thread: that of the io_context, but for construction.
class MpiCarrier {
public:
    struct Surroundings {
        MpiWorld& world;
        boost::asio::io_context& io;
        ConversationHost& host;
        Clock& clock;
    };
    /// Begins to listen once the io_context runs. All outlives it.
    explicit MpiCarrier(Surroundings around);
    MpiCarrier(const MpiCarrier&) = delete;
    MpiCarrier& operator=(const MpiCarrier&) = delete;
    ~MpiCarrier();

    /// Ends all connections and leaves the io_context.
    void stop();

private:
    class Session;

    void poll_again(bool soon);
    /// Returns: whether there may be more.
    bool take_letters();
    void take(const Letter& letter);
    void tend();

    Surroundings around_;
    MpiPost post_;
    Timer nap_;
    std::map<int, std::unique_ptr<Session>> sessions_;  ///< by rank
    bool stopped_ = false;
};

}  // namespace groma
