// A writer of a log that notes what it is told.
#pragma once

#include <cstdint>
#include <string>

#include "logserver/stored_log.hpp"

namespace groma {

class RecordingWriter final : public LogWriter {
public:
    void durable(std::uint64_t pieces) override { durable_pieces = pieces; }
    void closed() override { is_closed = true; }
    void failed(const std::string& why) override { failure = why; }
    void taken_over() override { is_taken_over = true; }
    void hold(const std::string& why) override { held_for = why; }
    void go_on(std::uint64_t /*pieces*/) override { held_for.clear(); }

    std::uint64_t durable_pieces = 0;
    bool is_closed = false;
    bool is_taken_over = false;
    std::string failure;
    std::string held_for;
};

}  // namespace groma
