// SPDX-License-Identifier: Apache-2.0
//
// A disk that loses its power. Preloaded into a process, it lets every write to the files of one
// folder through at once, as a kernel's cache does, and remembers what was not synced. At the n-th
// operation the power goes: each write that was not synced is kept, dropped, torn at sectors of
// 512 bytes or garbled in some of them, in any mix; names made or removed since the folder was
// synced are kept up to some point and undone after it. Then the process ends with status 137.
//
// power_loss_arm(folder, cut, seed) begins it; cut 0 never cuts. power_loss_count() tells how many
// operations there were. power_loss_fail_sync(n) lets the n-th sync from now on report an I/O error. The shared memory of a database (-shm) is no file to the disk: ignored.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTOR 512
#define FILES 64
#define WRITES 65536
#define NAMES 1024

struct write { int file; off_t at, size_before; size_t length, old_length; char *bytes, *old; };
enum kind { MADE, LINKED, REMOVED };
struct name { enum kind kind; char path[512], saved[560]; };
static struct { dev_t device; ino_t inode; int own; } files[FILES];
static struct write writes[WRITES];
static struct name names[NAMES];
static int file_count, write_count, name_count;
static char folder[256];
static long count, cut, syncs_to_failure;
static uint64_t state;
static int busy;

static int (*real_open)(const char *, int, ...);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_link)(const char *, const char *);

__attribute__((constructor)) static void find(void) {
    real_open = dlsym(RTLD_NEXT, "open64");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_link = dlsym(RTLD_NEXT, "link");
}

static uint32_t chance(uint32_t below) {  // splitmix64
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) % below);
}

static void fail(const char *why) {
    fprintf(stderr, "power_loss: %s\n", why);
    _exit(99);
}

void power_loss_arm(const char *in, long at, uint64_t seed) {
    snprintf(folder, sizeof folder, "%s/", in);
    count = 0, cut = at, state = seed;
    file_count = write_count = name_count = 0;
}

void power_loss_fail_sync(long at) { syncs_to_failure = at; }

long power_loss_count(void) { return count; }

static int watched(const char *path) {
    size_t length = strlen(path);
    return folder[0] && !busy && strncmp(path, folder, strlen(folder)) == 0 &&
           strstr(path, ".db") != NULL && !strstr(path, ".lock") &&
           !(length > 4 && strcmp(path + length - 4, "-shm") == 0);
}

static int known(int fd) {
    struct stat found;
    if (!folder[0] || busy || fstat(fd, &found) != 0) return -1;
    for (int i = 0; i < file_count; i++)
        if (files[i].device == found.st_dev && files[i].inode == found.st_ino) return i;
    return -1;
}

static void watch(const char *path, int fd) {
    struct stat found;
    if (known(fd) >= 0 || fstat(fd, &found) != 0 || !S_ISREG(found.st_mode)) return;
    if (file_count == FILES) fail("too many files");
    int own = real_open(path, O_RDWR | O_CLOEXEC);  // never closed: that would drop its locks
    if (own < 0) fail("cannot watch a file");
    files[file_count].device = found.st_dev;
    files[file_count].inode = found.st_ino;
    files[file_count++].own = own;
}

static void put(int fd, const char *bytes, size_t length, off_t at) {
    while (length > 0) {
        ssize_t done = real_pwrite(fd, bytes, length, at);
        if (done <= 0) fail("cannot write");
        bytes += done, length -= (size_t)done, at += done;
    }
}

// Mood 0 loses every write, 1 keeps every one, 2 and 3 decide for each.
static void lose_some(struct write *w, uint32_t mood) {
    int fd = files[w->file].own;
    uint32_t fate = mood < 2 ? mood : chance(4);
    if (w->bytes == NULL) {  // a change of size
        if (fate & 1) real_ftruncate(fd, w->at);
        return;
    }
    if (fate == 0) return;
    for (size_t done = 0; done < w->length;) {
        size_t piece = SECTOR - (size_t)((w->at + (off_t)done) % SECTOR);
        if (piece > w->length - done) piece = w->length - done;
        char *bytes = w->bytes + done;
        if (fate == 3 && chance(4) == 0)
            for (size_t i = 0; i < piece; i++) bytes[i] = (char)chance(256);
        if (fate == 1 || chance(2)) put(fd, bytes, piece, w->at + (off_t)done);
        done += piece;
    }
}

static void power_off(void) {
    busy = 1;
    for (int i = write_count - 1; i >= 0; i--) {
        struct write *w = &writes[i];
        if (w->old_length) put(files[w->file].own, w->old, w->old_length, w->at);
        real_ftruncate(files[w->file].own, w->size_before);
    }
    uint32_t mood = chance(4);
    for (int i = 0; i < write_count; i++) lose_some(&writes[i], mood);
    int kept = name_count ? (int)chance((uint32_t)name_count + 1) : 0;
    for (int i = name_count - 1; i >= kept; i--) {
        if (names[i].kind == REMOVED) rename(names[i].saved, names[i].path);
        else real_unlink(names[i].path);
    }
    for (int i = 0; i < kept; i++)
        if (names[i].kind == REMOVED) real_unlink(names[i].saved);
    _exit(137);
}

static void operation(void) {
    if (++count == cut) power_off();
}

static void remember(int file, int fd, const void *bytes, size_t length, off_t at) {
    struct stat before;
    if (write_count == WRITES) fail("too many writes");
    fstat(fd, &before);
    struct write *w = &writes[write_count++];
    *w = (struct write){.file = file, .at = at, .size_before = before.st_size, .length = length};
    size_t reach = length;
    if (bytes == NULL) {  // a change of size: all that it cuts off
        reach = before.st_size > at ? (size_t)(before.st_size - at) : 0;
    } else {
        w->bytes = malloc(length);
        memcpy(w->bytes, bytes, length);
    }
    w->old = malloc(reach + 1);
    ssize_t got = reach ? pread(files[file].own, w->old, reach, at) : 0;
    w->old_length = got > 0 ? (size_t)got : 0;
}

static void remember_name(enum kind kind, const char *path) {
    if (name_count == NAMES) fail("too many names");
    struct name *n = &names[name_count];
    n->kind = kind;
    snprintf(n->path, sizeof n->path, "%s", path);
    snprintf(n->saved, sizeof n->saved, "%sremoved-%d", folder, name_count++);
}

static void synced(int fd) {
    struct stat found;
    int file = known(fd), left = 0;
    if (!folder[0] || busy || fstat(fd, &found) != 0) return;
    if (S_ISDIR(found.st_mode)) {
        for (int i = 0; i < name_count; i++)
            if (names[i].kind == REMOVED) real_unlink(names[i].saved);
        name_count = 0;
    }
    if (file < 0) return;
    for (int i = 0; i < write_count; i++) {
        if (writes[i].file != file) {
            writes[left++] = writes[i];
            continue;
        }
        free(writes[i].bytes);
        free(writes[i].old);
    }
    write_count = left;
}

static int opened(const char *path, int flags, mode_t mode) {
    struct stat found;
    int new = watched(path) && (flags & O_CREAT) && stat(path, &found) != 0;
    if (new) operation();
    int fd = real_open(path, flags, mode);
    if (fd < 0 || !watched(path)) return fd;
    watch(path, fd);
    if (new) remember_name(MADE, path);
    return fd;
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return opened(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return opened(path, flags, mode);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t at) {
    int file = known(fd);
    if (file >= 0) {
        operation();
        remember(file, fd, bytes, length, at);
    }
    return real_pwrite(fd, bytes, length, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
    return pwrite64(fd, bytes, length, at);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    int file = known(fd);
    if (file >= 0) {
        operation();
        remember(file, fd, bytes, length, lseek(fd, 0, SEEK_CUR));
    }
    return real_write(fd, bytes, length);
}

int ftruncate64(int fd, off_t size) {
    int file = known(fd);
    if (file >= 0) {
        operation();
        remember(file, fd, NULL, 0, size);
    }
    return real_ftruncate(fd, size);
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int sync_with(int (*real)(int), int fd) {
    if (folder[0] && !busy) {
        operation();
        if (syncs_to_failure > 0 && --syncs_to_failure == 0) {
            errno = EIO;
            return -1;
        }
    }
    int done = real(fd);
    if (done == 0) synced(fd);
    return done;
}

int fsync(int fd) { return sync_with(real_fsync, fd); }

int fdatasync(int fd) { return sync_with(real_fdatasync, fd); }

int unlink(const char *path) {
    if (!watched(path)) return real_unlink(path);
    struct stat found;
    operation();
    if (stat(path, &found) != 0) return real_unlink(path);
    remember_name(REMOVED, path);
    return rename(path, names[name_count - 1].saved);
}

int link(const char *from, const char *to) {
    if (!watched(to)) return real_link(from, to);
    operation();
    int done = real_link(from, to);
    if (done == 0) remember_name(LINKED, to);
    return done;
}
