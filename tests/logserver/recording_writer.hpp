// A writer of a log that records its calls.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/errors.hpp"
#include "logserver/store/log_store.hpp"

namespace groma {

class RecordingWriter final : public RemoteWriter {
public:
    void opened(StoredLog& opened) override { log = &opened; }
    void durable(std::uint64_t pieces) override { durable_pieces = pieces; }
    void closed() override { is_closed = true; }
    void failed(const std::string& why) override { failure = why; }
    void taken_over() override { is_taken_over = true; }
    void hold(const std::string& why) override { held_for = why; }
    void go_on(std::uint64_t /*pieces*/) override { held_for.clear(); }

    StoredLog* log = nullptr;  ///< that it waited for
    std::uint64_t durable_pieces = 0;
    bool is_closed = false;
    bool is_taken_over = false;
    std::string failure;
    std::string held_for;
};

/// Opens a log of a shipper on "hosta", and reads its existing part.
inline StoredLog& open_and_read(LogStore& store, const OpenLog& request, RecordingWriter& writer) {
    writer.failure.clear();
    writer.log = store.open(request, {.node = "hosta"}, writer);
    while (writer.log == nullptr) {
        if (const auto slice = store.begin_slice()) {
            slice();
            store.end_slice();
        }
        if (const auto claims = store.begin_claims()) {
            claims();
            store.end_claims();
        }
        if (not writer.failure.empty()) {
            throw RunError(writer.failure);
        }
    }
    return *writer.log;
}

}  // namespace groma
