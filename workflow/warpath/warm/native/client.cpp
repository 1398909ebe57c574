// What jobs find under the name `python`: hands `python -m warpath ...` to the workflow's server, as client.py does, in
// a fraction of the time that an interpreter takes to start. Where there is no server yet, and for every other
// command, it becomes the interpreter, to which a link beside it leads.

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

extern char** environ;

namespace {

constexpr int grace_ms = 5000;  // GRACE of client.py
constexpr const char* interpreter = "interpreter";
constexpr const char* isolation = "WARPATH_ISOLATION";

[[noreturn]] void become_python(char** arguments) {
    const char* self = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    const char* slash = strrchr(self, '/');
    char path[4096], python[4096] = {};
    snprintf(path, sizeof path, "%.*s%s", slash ? static_cast<int>(slash + 1 - self) : 0, self, interpreter);
    if (readlink(path, python, sizeof python - 1) > 0) {
        arguments[0] = python;  // by which it finds its environment
        execv(python, arguments);
    }
    perror(path);
    _exit(127);
}

// Data as Python's marshal writes it. Texts of the job are bytes: the server decodes them.
class Message {
  public:
    void dictionary() { add("{", 1); }
    void end() { add("0", 1); }
    void list(std::uint32_t length) { tagged('[', length); }
    void integer(std::uint32_t value) { tagged('i', value); }
    void name(const char* text) { sized('u', text, strlen(text)); }
    void bytes(const char* text, std::size_t length) { sized('s', text, length); }
    void bytes(const char* text) { bytes(text, strlen(text)); }

    void real(double value) {
        add("g", 1);
        add(&value, sizeof value);
    }

    const char* data() const { return data_; }
    std::size_t size() const { return size_; }

    void add(const void* from, std::size_t length) {
        if (size_ + length > capacity_) {
            capacity_ = 2 * (size_ + length);
            data_ = static_cast<char*>(realloc(data_, capacity_));
            if (!data_) abort();
        }
        memcpy(data_ + size_, from, length);
        size_ += length;
    }

  private:
    void tagged(char tag, std::uint32_t value) {
        add(&tag, 1);
        add(&value, sizeof value);
    }

    void sized(char tag, const char* text, std::size_t length) {
        tagged(tag, static_cast<std::uint32_t>(length));
        add(text, length);
    }

    char* data_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

// When a process began, in ticks since boot; 0 if it is gone.
unsigned long long started(const char* process) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%s/stat", process);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    const char* field = strrchr(text, ')');  // ends field 2; the start is field 22
    for (int count = 2; field && count < 22; ++count) field = strchr(field + 1, ' ');
    return field ? strtoull(field, nullptr, 10) : 0;
}

// Ticks since boot until now. /proc counts whole ticks, which would add 5 ms to the start of a job on average.
double now() {
    timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return (time.tv_sec + 1e-9 * time.tv_nsec) * sysconf(_SC_CLK_TCK);
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

Message request(char** command, const char* folder, double begun) {
    Message message;
    message.dictionary();
    message.name("command");
    std::uint32_t count = 0;
    while (command[count]) ++count;
    message.list(count);
    for (char** word = command; *word; ++word) message.bytes(*word);
    message.name("folder");
    message.bytes(folder);
    message.name("environment");
    message.dictionary();
    for (char** variable = environ; *variable; ++variable) {
        const char* equals = strchr(*variable, '=');
        if (!equals) continue;
        message.bytes(*variable, equals - *variable);
        message.bytes(equals + 1);
    }
    message.end();
    message.name("umask");
    const mode_t mask = umask(077);
    umask(mask);
    message.integer(mask);
    message.name("started");
    message.real(begun);
    message.end();
    return message;
}

// Send the message, and with it the streams for the command's output and a pipe's end that it holds while it lives.
bool send(int link, const Message& message, int held) {
    const auto length = static_cast<std::uint32_t>(message.size());
    Message whole;
    whole.add(&length, sizeof length);
    whole.add(message.data(), message.size());
    const int files[] = {1, 2, held};
    alignas(cmsghdr) char beside[CMSG_SPACE(sizeof files)] = {};
    iovec part{const_cast<char*>(whole.data()), whole.size()};
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
    if (sent < 0) return false;
    for (std::size_t at = sent; at < whole.size(); at += sent) {
        sent = ::send(link, whole.data() + at, whole.size() - at, MSG_NOSIGNAL);
        if (sent < 0) return false;
    }
    return true;
}

// The exit status in the server's answer, {"status": ...}; -1 if the link ended without one.
int status(int link) {
    constexpr char name[] = "status";
    char answer[256];
    std::size_t size = 0;
    for (ssize_t more; size < sizeof answer; size += more) {
        do more = read(link, answer + size, sizeof answer - size);
        while (more < 0 && errno == EINTR);
        if (more <= 0) return -1;
        const char* found = static_cast<char*>(memmem(answer, size + more, name, sizeof name - 1));
        const char* value = found ? found + sizeof name : nullptr;  // behind the type of the number
        std::int32_t number;
        if (value && value + sizeof number <= answer + size + more) {
            memcpy(&number, value, sizeof number);
            return number;
        }
    }
    return -1;
}

}  // namespace

int main(int count, char** arguments) {
    const double begun = now();
    const char* workflow = getenv("WARPATH_WORKFLOW");
    const char* isolated = getenv(isolation);
    const bool is_ours = count > 2 && !strcmp(arguments[1], "-m") && !strcmp(arguments[2], "warpath");
    char folder[4096];
    int alive[2];
    if (!is_ours || !workflow || getenv("WARPATH_FOLDER") || (isolated && !strcmp(isolated, "process")) ||
        !getcwd(folder, sizeof folder))
        become_python(arguments);
    const int link = connected(workflow);
    if (link < 0 || pipe2(alive, O_CLOEXEC)) become_python(arguments);
    const bool sent = send(link, request(arguments + 3, folder, begun), alive[1]);
    close(alive[1]);
    const int ended = sent ? status(link) : -1;
    if (ended >= 0) return ended;
    pollfd end{alive[0], POLLIN, 0};
    poll(&end, 1, grace_ms);
    fputs("warpath: the worker is gone; running without\n", stderr);
    setenv(isolation, "process", 1);
    become_python(arguments);
}
