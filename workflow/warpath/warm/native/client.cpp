// The client of a workflow's jobs: hands `-m warpath ...` to the workflow's server, as client.py does, in a fraction of
// the time that an interpreter takes to start. Where there is no server yet it becomes Python, which starts one.

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

extern char** environ;

namespace {

constexpr int grace_ms = 5000;  // GRACE of client.py

[[noreturn]] void become_python(char** arguments) {
    arguments[0] = const_cast<char*>("python");
    execvp(arguments[0], arguments);
    perror(arguments[0]);
    _exit(127);
}

// Seconds since boot. /proc has the start of this process in whole ticks, which would add 5 ms on average.
double now() {
    timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

// When a process began, in ticks since boot; 0 if it is gone.
unsigned long long started(const char* process) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    const char* field = strrchr(text, ')');  // ends field 2; the start is field 22
    for (int count = 2; field && count < 22; ++count) field = strchr(field + 1, ' ');
    return field ? strtoull(field, nullptr, 10) : 0;
}

bool is_private(const char* folder) {
    struct stat status;
    return !lstat(folder, &status) && S_ISDIR(status.st_mode) && status.st_uid == getuid() && !(status.st_mode & 077);
}

// A connection to the server of that workflow, or -1.
int connected(const char* workflow) {
    char base[64], folder[96];
    sockaddr_un address{AF_UNIX, {}};
    snprintf(base, sizeof base, "/tmp/warpath-%u", getuid());
    snprintf(folder, sizeof folder, "%s/%.20s-%llu", base, workflow, started(workflow));
    snprintf(address.sun_path, sizeof address.sun_path, "%.95s/socket", folder);
    if (!is_private(base) || !is_private(folder)) return -1;
    const int link = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (link >= 0 && connect(link, reinterpret_cast<sockaddr*>(&address), sizeof address)) {
        close(link);
        return -1;
    }
    return link;
}

// Ask for the command: where, with which umask, since when, its words and its environment, each text ended by a zero.
// With it go the streams for the command's output and a pipe's end that it holds while it lives.
bool send_request(int link, char** words, const char* folder, double begun, int held) {
    char numbers[96];
    std::size_t size = sizeof numbers + strlen(folder);
    std::uint32_t count = 0;
    for (char** word = words; *word; ++word, ++count) size += strlen(*word) + 1;
    for (char** variable = environ; *variable; ++variable) size += strlen(*variable) + 1;
    char* const message = static_cast<char*>(malloc(size));
    if (!message) return false;
    const mode_t mask = umask(077);
    umask(mask);
    char* end = stpcpy(message + sizeof count, folder) + 1;
    end += 1 + snprintf(end, 16, "%u", static_cast<unsigned>(mask));
    end += 1 + snprintf(end, 40, "%.6f", begun);
    end += 1 + snprintf(end, 16, "%u", count);
    for (char** word = words; *word; ++word) end = stpcpy(end, *word) + 1;
    for (char** variable = environ; *variable; ++variable)
        if (strchr(*variable, '=')) end = stpcpy(end, *variable) + 1;
    size = end - 1 - message;
    const auto length = static_cast<std::uint32_t>(size - sizeof count);
    memcpy(message, &length, sizeof length);

    const int files[] = {1, 2, held};
    alignas(cmsghdr) char beside[CMSG_SPACE(sizeof files)] = {};
    iovec part{message, size};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = beside;
    header.msg_controllen = sizeof beside;
    cmsghdr* first = CMSG_FIRSTHDR(&header);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(sizeof files);
    memcpy(CMSG_DATA(first), files, sizeof files);
    ssize_t sent = sendmsg(link, &header, MSG_NOSIGNAL);
    for (std::size_t at = sent; sent >= 0 && at < size; at += sent)
        sent = send(link, message + at, size - at, MSG_NOSIGNAL);
    return sent >= 0;
}

// Wait for how the command ended, a number as text; false if the link ends without it.
bool receive_code(int link, int* code) {
    char answer[32] = {};
    std::uint32_t length = 0;
    for (std::size_t size = 0; size < sizeof length + length || !length;) {
        const ssize_t more = read(link, answer + size, sizeof answer - 1 - size);
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) return false;
        size += more;
        if (size >= sizeof length) memcpy(&length, answer, sizeof length);
    }
    *code = atoi(answer + sizeof length);
    return true;
}

}  // namespace

int main(int, char** arguments) {
    const double begun = now();
    const char* workflow = getenv("WARPATH_WORKFLOW");
    const int link = workflow ? connected(workflow) : -1;
    char folder[4096];
    int alive[2];
    if (link < 0 || !getcwd(folder, sizeof folder) || pipe2(alive, O_CLOEXEC)) become_python(arguments);
    const bool sent = send_request(link, arguments + 3, folder, begun, alive[1]);
    close(alive[1]);
    int code;
    if (sent && receive_code(link, &code)) return code < 0 ? 128 - code : code;
    pollfd end{alive[0], POLLIN, 0};
    poll(&end, 1, grace_ms);
    fputs("warpath: the worker is gone; running without\n", stderr);
    setenv("WARPATH_ISOLATION", "process", 1);
    become_python(arguments);
}
