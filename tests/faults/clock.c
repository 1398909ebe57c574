// To be preloaded: a clock that is wrong by as many seconds as the file $CLOCK says at this moment. What a program asks
// for and what it dates files with are the same clock, as they are when an administrator or NTP sets it.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long wrong_by(void) {
    char text[32] = {0};
    const char* name = getenv("CLOCK");
    int file = name ? syscall(SYS_openat, AT_FDCWD, name, O_RDONLY) : -1;
    if (file < 0) return 0;
    syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
    return atol(text);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
    int failed = syscall(SYS_clock_gettime, clock, now);
    if (!failed && clock == CLOCK_REALTIME) now->tv_sec += wrong_by();
    return failed;
}

static int date(int folder, const char* name, const struct timespec times[2], int flags) {
    struct timespec now[2];
    clock_gettime(CLOCK_REALTIME, &now[0]);
    now[1] = now[0];
    return syscall(SYS_utimensat, folder, name, times ? times : now, flags);
}

int utimensat(int folder, const char* name, const struct timespec times[2], int flags) {
    return date(folder, name, times, flags);
}

int futimens(int file, const struct timespec times[2]) { return date(file, NULL, times, 0); }

// The kernel has dated a file that was written to by its own clock.
int close(int file) {
    struct stat status;
    int access = fcntl(file, F_GETFL) & O_ACCMODE;
    if (wrong_by() && access != O_RDONLY && !fstat(file, &status) && S_ISREG(status.st_mode)) date(file, NULL, NULL, 0);
    return syscall(SYS_close, file);
}
