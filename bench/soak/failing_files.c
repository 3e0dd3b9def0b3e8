/* A file layer that fails when it is told to: between a process and the C library (LD_PRELOAD).

   Every operation that changes a file below one folder is counted: opening it for writing, writing,
   bringing it to the disk, cutting it off, renaming, linking and making folders. At the one that
   was chosen the process is killed, halfway through if it is a write; or the operation fails, and
   those after it too if the disk is full. `forked_commands.py` is what uses it. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic long *count; /* shared with the process that has forked this one */
static long chosen;         /* the operation that fails; 0 for none */
static int how;             /* an errno, or a signal below 0 */
static char folder[PATH_MAX];
static size_t folder_length;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

void fail_at(long operation, int reason, const char *below) {
    chosen = operation;
    how = reason;
    snprintf(folder, sizeof folder, "%s", below);
    folder_length = strlen(folder);
    *count = 0;
}

long operations(void) { return *count; }

static int is_below(const char *path) {
    return folder_length && strncmp(path, folder, folder_length) == 0;
}

static int is_file_below(int file) {
    char link[64], path[PATH_MAX];
    if (!folder_length) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_below(path);
}

static int is_path_below(int directory, const char *path) {
    char full[PATH_MAX];
    if (!folder_length || !path) return 0;
    if (path[0] == '/') return is_below(path);
    if (directory != AT_FDCWD) return is_file_below(directory);
    return getcwd(full, sizeof full) && is_below(full);
}

enum { GOES_ON, FAILS, FULL, KILLS };

/* Count an operation: what becomes of it. */
static int fate(void) {
    long number = ++*count;
    if (!chosen || number < chosen) return GOES_ON;
    if (how < 0) return KILLS;
    if (number > chosen && how != ENOSPC) return GOES_ON; /* a disk that is full stays so */
    return number == chosen && how == ENOSPC ? FULL : FAILS;
}

static void end(void) {
    kill(getpid(), -how);
    for (;;) pause();
}

#define FATE(below, failure)                                                                       \
    if (below) switch (fate()) {                                                                   \
        case KILLS: end();                                                                         \
        case FULL:                                                                                 \
        case FAILS: errno = how; return failure;                                                   \
    }

/* Of a write half gets through: a disk that fills up takes what it has room for. */
#define WRITE(file, size, failure, half)                                                           \
    if (is_file_below(file)) switch (fate()) {                                                     \
        case KILLS: half; end();                                                                   \
        case FULL: if ((size) > 1) return half;                                                    \
        case FAILS: errno = how; return failure;                                                   \
    }

ssize_t write(int file, const void *data, size_t size) {
    WRITE(file, size, -1, REAL(write)(file, data, size / 2))
    return REAL(write)(file, data, size);
}

ssize_t pwrite(int file, const void *data, size_t size, off_t where) {
    WRITE(file, size, -1, REAL(pwrite)(file, data, size / 2, where))
    return REAL(pwrite)(file, data, size, where);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t where) {
    WRITE(file, size, -1, REAL(pwrite64)(file, data, size / 2, where))
    return REAL(pwrite64)(file, data, size, where);
}

ssize_t writev(int file, const struct iovec *parts, int number) {
    WRITE(file, number, -1, REAL(writev)(file, parts, number / 2))
    return REAL(writev)(file, parts, number);
}

int fsync(int file) {
    FATE(is_file_below(file), -1)
    return REAL(fsync)(file);
}

int fdatasync(int file) {
    FATE(is_file_below(file), -1)
    return REAL(fdatasync)(file);
}

int ftruncate(int file, off_t size) {
    FATE(is_file_below(file), -1)
    return REAL(ftruncate)(file, size);
}

int ftruncate64(int file, off64_t size) {
    FATE(is_file_below(file), -1)
    return REAL(ftruncate64)(file, size);
}

int fallocate(int file, int mode, off_t where, off_t size) {
    FATE(is_file_below(file), -1)
    return REAL(fallocate)(file, mode, where, size);
}

int posix_fallocate(int file, off_t where, off_t size) {
    FATE(is_file_below(file), how)
    return REAL(posix_fallocate)(file, where, size);
}

int rename(const char *from, const char *to) {
    FATE(is_path_below(AT_FDCWD, to), -1)
    return REAL(rename)(from, to);
}

int renameat(int there, const char *from, int here, const char *to) {
    FATE(is_path_below(here, to), -1)
    return REAL(renameat)(there, from, here, to);
}

int link(const char *from, const char *to) {
    FATE(is_path_below(AT_FDCWD, to), -1)
    return REAL(link)(from, to);
}

int mkdir(const char *path, mode_t mode) {
    FATE(is_path_below(AT_FDCWD, path), -1)
    return REAL(mkdir)(path, mode);
}

#define CHANGES(flags) (((flags) & O_ACCMODE) != O_RDONLY || ((flags) & (O_CREAT | O_TRUNC)))

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...) {                                                   \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = va_arg(more, mode_t);                                                        \
        va_end(more);                                                                              \
        FATE(CHANGES(flags) && is_path_below(AT_FDCWD, path), -1)                                  \
        return REAL(name)(path, flags, mode);                                                      \
    }

#define OPENAT(name)                                                                               \
    int name(int directory, const char *path, int flags, ...) {                                    \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = va_arg(more, mode_t);                                                        \
        va_end(more);                                                                              \
        FATE(CHANGES(flags) && is_path_below(directory, path), -1)                                 \
        return REAL(name)(directory, path, flags, mode);                                           \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
