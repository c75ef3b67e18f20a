// Limits the operator's lines about one connection, so that a misbehaving peer cannot fill the disk. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace groma {

class PeerLines {
public:
    using Report = std::function<void(const std::string&)>;

    /// `peer`: prefix of each line.
    PeerLines(std::string peer, Report report);

    /// Reports a normal event, unless error lines are already suppressed.
    void note(const std::string& line);
    /// Reports the first ten errors; counts the others.
    void error(const std::string& line);
    /// Reports the number of suppressed lines, if any.
    void end();

private:
    std::string peer_;
    Report report_;
    std::uint64_t errors_ = 0;
    std::uint64_t left_out_ = 0;
};

}  // namespace groma
