// The folder that a run's results go to, on the disk of rank 0 and, where that disk is not shared, of other ranks.
#pragma once

#include <filesystem>
#include <string>

namespace groma {

class RunFolder {
public:
    /// Rank 0: makes the folder and leaves a mark in it. Throws: SystemError, RunError when there are results already.
    [[nodiscard]] static RunFolder make(const std::filesystem::path& path, const std::string& mark);
    /// Another rank: finds out whether it sees that folder, and makes one of its own if not. Throws: SystemError.
    [[nodiscard]] static RunFolder join(const std::filesystem::path& path, const std::string& mark);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path logs() const { return path_ / "logs"; }
    [[nodiscard]] std::filesystem::path log_server() const { return path_ / "log-server"; }
    /// Of logs on their way to the log server: it is there only as long as something is in it.
    [[nodiscard]] std::filesystem::path spool() const { return path_ / "spool"; }
    /// It is rank 0's.
    [[nodiscard]] bool shared() const { return shared_; }
    /// A text for rank 0, when the job ends so that nothing can be sent any more; and what was left, once.
    void leave_behind(const std::string& name, const std::string& text) const noexcept;
    [[nodiscard]] std::string take_left_behind(const std::string& name) const;
    /// Rank 0, at the end of the run.
    void remove_mark() const noexcept;
    /// Any rank, at the end of the run: an empty folder of spools goes.
    void remove_empty_spool() const noexcept;

private:
    RunFolder(std::filesystem::path path, bool shared) : path_(std::move(path)), shared_(shared) {}

    std::filesystem::path path_;
    bool shared_ = true;
};

}  // namespace groma
