// This process's place in an MPI job, and messages between its ranks. The only files that call MPI are mpi_world.cpp
// and mpi_post.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace groma {

/// Begins MPI and ends it. All calls of MPI are made one at a time (`calls()`), from any thread: MPI_THREAD_SERIALIZED
/// is enough, which every MPI library has.
class MpiWorld {
public:
    /// Throws: RunError when MPI cannot be started or cannot be called from several threads.
    MpiWorld(int* argc, char*** argv);
    MpiWorld(const MpiWorld&) = delete;
    MpiWorld& operator=(const MpiWorld&) = delete;
    /// Ends MPI, which waits for the other ranks to do the same.
    ~MpiWorld();

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }
    /// What MPI calls this host.
    [[nodiscard]] const std::string& processor() const { return processor_; }
    /// Held around every call of MPI.
    [[nodiscard]] std::mutex& calls() { return calls_; }

    /// 1, 2, 3, ... for whatever must be told apart for as long as the job lives. Thread: any.
    [[nodiscard]] std::uint32_t next_number() { return ++numbers_; }

    /// Ends the whole job at once, other ranks included: the last resort, after the reason has been printed.
    [[noreturn]] static void abort(int status) noexcept;

private:
    int rank_ = 0;
    int size_ = 1;
    std::string processor_;
    std::mutex calls_;
    std::atomic<std::uint32_t> numbers_{0};
};

/// The rank that mpirun gave this process, before MPI is started; 0 when it was not started by mpirun.
[[nodiscard]] int rank_from_environment();

}  // namespace groma
