# Shared by the scripts of this folder: messages, the number of jobs, and the packages.
set -euo pipefail
# What the programs of others say depends on the locale: gnuplot warns of a degree sign in one that has none, and ccache keeps the
# messages of each language apart, by all of these.
export LANG=C.UTF-8 LC_ALL=C.UTF-8
unset LC_CTYPE LC_MESSAGES

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '== %s\n' "$*"; }
fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# What the head of the script says of its use; from any folder.
show_help() { sed -n '2,/^[^#]/ s/^# \{0,1\}//p' "$top/scripts/$(basename "$0")"; }

# As many compilers as cores, but no more than memory allows at 2 GiB each.
jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/MemAvailable/ {print int($2 / 2097152)}' /proc/meminfo)
    ((memory < 1)) && memory=1
    echo $((cores < memory ? cores : memory))
}

# Compiler caches are found again from any folder that the sources are in.
use_ccache() {
    export CCACHE_BASEDIR=$top CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-15G}
}

# configure_and_build PRESET [TARGET...]: prints little unless something goes wrong.
configure_and_build() {
    local preset=$1
    shift
    use_ccache
    mkdir -p build
    # Two at a time in one folder would spoil it.
    exec 9>"build/$preset.lock"
    flock -n 9 || {
        say "$preset: wait for another call that builds it"
        flock 9
    }
    say "$preset: configure"
    cmake --preset "$preset" -DGROMA_WERROR="${GROMA_WERROR:-ON}" -DGROMA_TESTS="${GROMA_TESTS:-ON}" -DGROMA_BENCH="${GROMA_BENCH:-OFF}" ${GROMA_CONFIGURE:-} >"build/$preset.log" 2>&1 || {
        cat "build/$preset.log" >&2
        fail "cannot configure the build '$preset' (above). Are all packages there? scripts/setup installs them."
    }
    say "$preset: build with $(jobs) jobs"
    cmake --build --preset "$preset" -j "$(jobs)" ${1:+--target "$@"} >"build/$preset.log" 2>&1 || {
        grep -E -A 20 'FAILED|error:|warning:' "build/$preset.log" | head -n 100 >&2
        fail "the build '$preset' failed (above; all of it is in build/$preset.log)"
    }
    exec 9>&-
}
