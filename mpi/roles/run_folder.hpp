// The results folder of a run, on rank 0's disk and, if that is not shared, on other ranks' disks.
#pragma once

#include <filesystem>
#include <string>

namespace groma {

class RunFolder {
public:
    /// Rank 0: creates the folder with a mark. Throws: SystemError; RunError if it already has results.
    [[nodiscard]] static RunFolder make(const std::filesystem::path& path, const std::string& mark);
    /// Other ranks: look for the folder with the mark, or create their own. Throws: SystemError.
    [[nodiscard]] static RunFolder join(const std::filesystem::path& path, const std::string& mark);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path logs() const { return path_ / "logs"; }
    [[nodiscard]] std::filesystem::path log_server() const { return path_ / "log-server"; }
    /// The spool for logs on their way to the log server; exists only while not empty.
    [[nodiscard]] std::filesystem::path spool() const { return path_ / "spool"; }
    /// Whether it is rank 0's folder.
    [[nodiscard]] bool shared() const { return shared_; }
    /// Leaves a text for rank 0 when the job ends and messages are no longer possible; and reads it, once.
    void leave_behind(const std::string& name, const std::string& text) const noexcept;
    [[nodiscard]] std::string take_left_behind(const std::string& name) const;
    /// Rank 0: call at the end of the run.
    void remove_mark() const noexcept;
    /// Any rank: call at the end of the run. Removes an empty spool folder.
    void remove_empty_spool() const noexcept;

private:
    RunFolder(std::filesystem::path path, bool shared) : path_(std::move(path)), shared_(shared) {}

    std::filesystem::path path_;
    bool shared_ = true;
};

}  // namespace groma
