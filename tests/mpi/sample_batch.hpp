// A batch of four short runs, and a folder for it.
#pragma once

#include <unistd.h>
#include <atomic>
#include <filesystem>
#include <string>

#include "common/model/batch.hpp"

namespace groma::testing {

inline const std::string kSampleBatch = R"(
name = "grid"
seed = 7
[[flow]]
to = "h"
[batch]
transport = ["udp", "tcp"]
size = [64, 512]
duration = "2s"
)";

inline Batch sample_batch(const std::string& text = kSampleBatch) {
    return parse_batch(text, "grid.toml", "", 1).value();
}

class TemporaryFolder {
public:
    TemporaryFolder() {
        static std::atomic<int> number = 0;
        path_ = std::filesystem::temp_directory_path() /
                ("groma-batch-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
        std::filesystem::create_directory(path_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace groma::testing
