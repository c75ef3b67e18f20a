// The folder of a calibration: one groma-send at a time writes to it, and calibrations are not mixed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/base/errors.hpp"
#include "common/os/file_descriptor.hpp"
#include "sender/calibration/facts.hpp"

namespace groma {

/// The folder, made if need be, which no other groma-send writes meanwhile.
class OwnFolder {
public:
    /// Throws: SystemError; RunError while another one has it.
    explicit OwnFolder(const std::filesystem::path& folder);

private:
    FileDescriptor lock_;
};

/// The folder is another calibration's: going on there would mix them.
class OtherCalibration : public RunError {
public:
    using RunError::RunError;
};

/// Throws: OtherCalibration with the reasons, if there are any.
void refuse_other(const std::filesystem::path& folder, const std::vector<std::string>& reasons);

/// The same where the facts of a host, the `which` one, are those of another than the kept ones, if any are kept.
void refuse_other_host(const std::filesystem::path& folder, const std::string& which, const Facts& kept,
                       const Facts& now);

}  // namespace groma
