// What all sessions of a receiver, or all runs of a daemon, ask for under each key, so that its limits hold for them
// together. Pure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/access/load.hpp"

namespace groma {

class KeyLoads {
    struct Entry;
    using Entries = std::vector<std::weak_ptr<const Entry>>;

public:
    /// What one of them has of it. Copies are the same share, which ends with the last.
    class Share {
    public:
        /// Under no key: nothing is limited.
        Share() = default;

        [[nodiscard]] const std::optional<Grant>& grant() const { return grant_; }
        /// `load`: all that this share asks for; it counts from now on if it is allowed. Returns: which limit of the
        /// key does not allow it beside the other shares under keys of that name, and what to do; empty: they do.
        [[nodiscard]] std::string ask(const Load& load);
        /// Its flows are over; it is still there.
        void rest();
        /// It counts for nothing any more, but for copies of it.
        void leave() { entry_.reset(); }

    private:
        friend class KeyLoads;
        Share(const Grant& grant, std::shared_ptr<Entries> all);

        std::optional<Grant> grant_;
        std::shared_ptr<Entry> entry_;
        std::shared_ptr<Entries> all_;
    };

    /// One more of them, which asks for no flow yet.
    [[nodiscard]] Share enter(const Grant& grant) { return Share(grant, entries_); }
    /// `grant`: nothing: under no key.
    [[nodiscard]] Share enter(const std::optional<Grant>& grant) { return grant ? enter(*grant) : Share(); }

private:
    struct Entry {
        std::string key;
        Load load;
    };

    std::shared_ptr<Entries> entries_ = std::make_shared<Entries>();
};

}  // namespace groma
