// This process in an MPI job. Only mpi_world.cpp and mpi_post.cpp call MPI.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace groma {

/// Initializes and finalizes MPI. MPI calls are serialized (`calls()`) and come from any thread: MPI_THREAD_SERIALIZED
/// suffices, which every MPI library supports.
class MpiWorld {
public:
    /// Throws: RunError if MPI cannot be started or cannot be called from several threads.
    MpiWorld(int* argc, char*** argv);
    MpiWorld(const MpiWorld&) = delete;
    MpiWorld& operator=(const MpiWorld&) = delete;
    /// Finalizes MPI, which waits for the other ranks.
    ~MpiWorld();

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }
    /// MPI's name of this host.
    [[nodiscard]] const std::string& processor() const { return processor_; }
    /// Hold it around every MPI call.
    [[nodiscard]] std::mutex& calls() { return calls_; }

    /// Unique numbers 1, 2, 3, ... within this process. Thread: any.
    [[nodiscard]] std::uint32_t next_number() { return ++numbers_; }

    /// Aborts the job with all ranks. Last resort, after the reason has been printed.
    [[noreturn]] static void abort(int status) noexcept;

private:
    int rank_ = 0;
    int size_ = 1;
    std::string processor_;
    std::mutex calls_;
    std::atomic<std::uint32_t> numbers_{0};
};

/// The rank from mpirun's environment, before MPI starts; 0 without mpirun.
[[nodiscard]] int rank_from_environment();

}  // namespace groma
