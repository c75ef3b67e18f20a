// The lines that one connection leaves for the operator: a peer that does wrong over and over again fills no disk with
// them. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace groma {

class PeerLines {
public:
    using Report = std::function<void(const std::string&)>;

    /// `peer` stands at the beginning of each line.
    PeerLines(std::string peer, Report report);

    /// Something that is as it should be: it is told unless lines of errors are left out already.
    void note(const std::string& line);
    /// Told ten times; from then on counted.
    void error(const std::string& line);
    /// Says how many lines were left out, if any.
    void end();

private:
    std::string peer_;
    Report report_;
    std::uint64_t errors_ = 0;
    std::uint64_t left_out_ = 0;
};

}  // namespace groma
