#include "support/system.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void (*call_before_end)(void);

/* Ends by the same signal. Calls only functions that are safe in a signal handler. */
static void stop(int signal_number)
{
    call_before_end();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

#if defined(_WIN32)

#include <fcntl.h>
#include <io.h>
#include <windows.h>

double seconds_now(void)
{
    LARGE_INTEGER ticks, ticks_per_s;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&ticks_per_s);
    return (double)ticks.QuadPart / (double)ticks_per_s.QuadPart;
}

size_t terminal_columns(void)
{
    const HANDLE terminal = GetStdHandle(STD_ERROR_HANDLE);
    CONSOLE_SCREEN_BUFFER_INFO screen;
    DWORD mode;
    if (!GetConsoleMode(terminal, &mode) || !SetConsoleMode(terminal, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) ||
        !GetConsoleScreenBufferInfo(terminal, &screen)) {
        return 0;
    }
    return (size_t)(screen.srWindow.Right - screen.srWindow.Left) + 1;
}

double memory_left(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    GlobalMemoryStatusEx(&memory);
    return (double)memory.ullTotalPhys;
}

int threads_at_once(int wanted) { return wanted; /* only memory limits apply */ }

void stream_is_binary(FILE *stream) { _setmode(_fileno(stream), _O_BINARY); }

/* Windows' own functions do not set errno: translates the few errors that a user can act on. */
static bool failed(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND: errno = ENOENT; break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: errno = ENOSPC; break;
    case ERROR_INVALID_NAME: errno = EINVAL; break;
    default: errno = EACCES;
    }
    return false;
}

static bool status_of(HANDLE file, file_status *out)
{
    BY_HANDLE_FILE_INFORMATION found = {0};
    *out = (file_status){.kind = FILE_SPECIAL};
    if (GetFileType(file) != FILE_TYPE_DISK) {
        return true;
    }
    if (!GetFileInformationByHandle(file, &found)) {
        return failed();
    }
    out->kind = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FILE_SPECIAL : FILE_REGULAR;
    out->device = found.dwVolumeSerialNumber;
    out->number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    return true;
}

bool file_status_at(const char *path, file_status *out)
{
    const HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        *out = (file_status){.kind = FILE_ABSENT};
        return failed() || errno == ENOENT;
    }
    const bool is_known = status_of(file, out);
    CloseHandle(file);
    return is_known;
}

bool file_status_of(FILE *opened, file_status *out) { return status_of((HANDLE)_get_osfhandle(_fileno(opened)), out); }

bool is_dangling(const char *path)
{
    (void)path; /* opening a file for its status follows links */
    return false;
}

char *file_behind(const char *path) { return _fullpath(NULL, path, 0); }

FILE *file_create(char *path, const file_status *former)
{
    (void)former; /* a file has the permissions of its folder */
    if (_mktemp(path) == NULL) {
        return NULL;
    }
    /* It may be deleted while it is open, as before_signals_end() does. */
    const HANDLE file = CreateFileA(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, CREATE_NEW,
                                    FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        failed();
        return NULL;
    }
    return _fdopen(_open_osfhandle((intptr_t)file, _O_BINARY), "wb");
}

bool file_sync(FILE *file) { return _commit(_fileno(file)) == 0; }

bool file_rename(const char *from, const char *to)
{
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) || failed();
}

bool folder_sync(const char *folder)
{
    (void)folder; /* file_rename() has done it already */
    return true;
}

void before_signals_end(void (*call)(void))
{
    call_before_end = call;
    signal(SIGINT, stop);
    signal(SIGBREAK, stop);
    signal(SIGTERM, stop);
}

#else

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

size_t terminal_columns(void)
{
    struct winsize size;
    if (!isatty(STDERR_FILENO)) {
        return 0;
    }
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* The rest of a limit when `used` bytes are in use. */
static double left_of(int resource, double used)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return (double)INFINITY;
    }
    return fmax((double)limit.rlim_cur - used, 0);
}

double memory_left(void)
{
    const double page = (double)sysconf(_SC_PAGESIZE);
    double space = 0, data = 0; /* pages in use; assumed to be none on systems other than Linux */
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm != NULL) {
        if (fscanf(statm, "%lf %*s %*s %*s %*s %lf", &space, &data) != 2) {
            space = data = 0;
        }
        fclose(statm);
    }
    const double left = fmin(left_of(RLIMIT_AS, space * page), left_of(RLIMIT_DATA, data * page));
    return fmin((double)sysconf(_SC_PHYS_PAGES) * page, left);
}

static void *pass_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

int threads_at_once(int wanted)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *others = malloc((size_t)wanted * sizeof *others);
    int count = 0;
    pthread_mutex_lock(&gate);
    while (others != NULL && count + 1 < wanted && pthread_create(&others[count], NULL, pass_gate, &gate) == 0) {
        count++;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < count; i++) {
        pthread_join(others[i], NULL);
    }
    free(others);
    return count + 1;
}

void stream_is_binary(FILE *stream) { (void)stream; /* all streams are */ }

static file_status status_from(const struct stat *found)
{
    return (file_status){
        .kind = S_ISREG(found->st_mode) ? FILE_REGULAR : FILE_SPECIAL,
        .device = found->st_dev,
        .number = found->st_ino,
        .owner = found->st_uid,
        .group = found->st_gid,
        .mode = found->st_mode & 0777,
    };
}

bool file_status_at(const char *path, file_status *out)
{
    struct stat found;
    const bool exists = stat(path, &found) == 0;
    *out = exists ? status_from(&found) : (file_status){.kind = FILE_ABSENT};
    return exists || errno == ENOENT;
}

bool file_status_of(FILE *opened, file_status *out)
{
    struct stat found;
    if (fstat(fileno(opened), &found) != 0) {
        return false;
    }
    *out = status_from(&found);
    return true;
}

bool is_dangling(const char *path)
{
    struct stat link, file;
    return stat(path, &file) != 0 && lstat(path, &link) == 0;
}

char *file_behind(const char *path) { return realpath(path, NULL); }

/* Some file systems have no modes, or cannot sync a folder. */
static bool is_unsupported(int error) { return error == EINVAL || error == ENOTSUP; }

/* Changes the owner only if this user may do that, otherwise only the group; without a former file, the mode follows
   the umask. */
static bool set_mode(int file, const file_status *former)
{
    mode_t mode = former->mode;
    if (former->kind != FILE_ABSENT) {
        bool is_kept = fchown(file, former->owner, former->group) == 0 || fchown(file, (uid_t)-1, former->group) == 0;
        (void)is_kept;
    } else {
        mode_t mask = umask(0);
        umask(mask);
        mode = 0666 & ~mask;
    }
    return fchmod(file, mode) == 0 || is_unsupported(errno);
}

FILE *file_create(char *path, const file_status *former)
{
    const int file = mkstemp(path);
    return file >= 0 && set_mode(file, former) ? fdopen(file, "wb") : NULL;
}

bool file_sync(FILE *file) { return fsync(fileno(file)) == 0; }

bool file_rename(const char *from, const char *to) { return rename(from, to) == 0; }

bool folder_sync(const char *folder)
{
    const int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) {
        return errno == EACCES;
    }
    const bool is_synced = fsync(opened) == 0 || is_unsupported(errno);
    return close(opened) == 0 && is_synced;
}

void before_signals_end(void (*call)(void))
{
    static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};
    struct sigaction action = {.sa_handler = stop}, former;
    call_before_end = call;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        /* An ignored signal stays ignored, as nohup requires. */
        if (sigaction(signals[i], NULL, &former) == 0 && former.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
    signal(SIGXFSZ, SIG_IGN); /* then a file that grows too large is a write error */
}

#endif
