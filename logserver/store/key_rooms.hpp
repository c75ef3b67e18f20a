// Decides whether there is room for more logs of a key at a log server (docs/guide/keys.md#limits). Pure: the caller
// counts.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "common/access/access_key.hpp"
#include "logserver/store/log_catalogue.hpp"

namespace groma {

class KeyRooms {
public:
    /// Gives the bytes of all logs that there are, those being written included.
    using Count = std::function<BytesByOwner()>;

    explicit KeyRooms(Count count) : count_(std::move(count)) {}

    /// A log is opened under the key: from now on its limit is this one. Throws: as Count.
    void admit(const Grant& grant);

    /// Returns: whether `bytes` more may be written under the key of this name. It counts before it refuses. After a
    /// refusal it refuses until recount() finds spare room, so that a nearly full key does not alternate with each
    /// piece. Throws: as Count.
    [[nodiscard]] bool has_room(const std::string& key, std::uint64_t bytes);
    /// They were written.
    void add(const std::string& key, std::uint64_t bytes);

    /// Finds the room that was made, by pruning for example. Call now and then. Throws: as Count.
    void recount();

    /// Why keys have no room, by their names.
    [[nodiscard]] std::map<std::string, std::string> shortages() const;

private:
    /// Of a key with a limit.
    struct KeyRoom {
        Grant grant;
        std::uint64_t kept = 0;
        std::uint64_t wanted = 1;  ///< the bytes that were refused
        std::string shortage{};

        [[nodiscard]] std::uint64_t left() const;
        void measure();
        void measure(const BytesByOwner& there);
    };

    void count();

    Count count_;
    std::map<std::string, KeyRoom> rooms_;
};

}  // namespace groma
