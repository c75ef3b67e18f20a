// Limits the connections of a daemon in total and per host, so that one host cannot keep out the others. Pure: hosts
// are names. Thread: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace groma {

/// All but a quarter, which is kept for other hosts.
[[nodiscard]] constexpr std::size_t usual_share(std::size_t slots) {
    return slots - slots / 4;
}

class Admission {
    struct Counts {
        std::size_t all = 0;
        std::map<std::string, std::size_t> of_host;  ///< of hosts that have some
    };

public:
    enum class Verdict : std::uint8_t { admitted, full, host_full };

    /// A connection's slot; released when the object is destroyed.
    class Slot {
    public:
        Slot() = default;
        Slot(Slot&& other) noexcept : counts_(std::move(other.counts_)), host_(std::move(other.host_)) {}
        Slot& operator=(Slot&& other) noexcept;
        Slot(const Slot&) = delete;
        Slot& operator=(const Slot&) = delete;
        ~Slot() { reset(); }

        /// Releases the slot early.
        void reset() noexcept;
        [[nodiscard]] explicit operator bool() const { return counts_ != nullptr; }
        /// The host that has, or had, the slot; empty if there was none.
        [[nodiscard]] const std::string& host() const { return host_; }

    private:
        friend class Admission;
        Slot(std::shared_ptr<Counts> counts, std::string host) : counts_(std::move(counts)), host_(std::move(host)) {}

        std::shared_ptr<Counts> counts_;
        std::string host_;
    };

    Admission(std::size_t slots, std::size_t slots_of_host) : slots_(slots), slots_of_host_(slots_of_host) {}
    Admission(const Admission&) = delete;
    Admission& operator=(const Admission&) = delete;

    [[nodiscard]] Verdict verdict(const std::string& host) const;
    /// Requires: verdict(host) is `admitted`.
    [[nodiscard]] Slot admit(const std::string& host);

    [[nodiscard]] std::size_t slots() const { return slots_; }
    [[nodiscard]] std::size_t slots_of_host() const { return slots_of_host_; }

private:
    std::size_t slots_;
    std::size_t slots_of_host_;
    /// Shared with the slots: an io_context destroys its coroutines, and so their slots, last.
    std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
};

}  // namespace groma
