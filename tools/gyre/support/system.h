/* Everything the program needs from the operating system. Only system.c depends on which one it is. */
#ifndef GYRE_TOOL_SYSTEM_H
#define GYRE_TOOL_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Seconds since an arbitrary fixed point. Never goes backwards. */
double seconds_now(void);

/* The width in characters of the terminal on stderr, which then accepts ANSI escape sequences; 0: it is not a
   terminal. */
size_t terminal_columns(void);

/* Bytes: the smallest of physical memory and what is left of the limits on this process. */
double memory_left(void);

/* How many threads can run at once, including this one, up to `wanted`. */
int threads_at_once(int wanted);

/* From now on, this stream writes every byte unchanged. */
void stream_is_binary(FILE *stream);

/* ---- Files. Functions that return bool or a pointer set errno on failure. ---- */

enum file_kind { FILE_ABSENT, FILE_REGULAR, FILE_SPECIAL };

typedef struct file_status {
    enum file_kind kind;
    uint64_t device, number; /* identify the file, whatever its names */
    uint32_t owner, group, mode;
} file_status;

/* False if something other than the file is missing, such as permission to search a folder. */
bool file_status_at(const char *path, file_status *out);
bool file_status_of(FILE *opened, file_status *out);

/* Whether the path is a link to a file that does not exist. */
bool is_dangling(const char *path);

/* The path of an existing file, with no link at its end; free() it. */
char *file_behind(const char *path);

/* A new file for writing. XXXXXX at the end of the path is replaced by a free name, also when the call fails later. The
   file gets the former file's owner, group and mode, as far as this user and the file system allow. */
FILE *file_create(char *path, const file_status *former);

bool file_sync(FILE *file);

/* Renames a file within its folder, replacing any other. */
bool file_rename(const char *from, const char *to);

/* Makes a rename in the folder durable. A folder that may not be read cannot be synced, which is not a failure. */
bool folder_sync(const char *folder);

/* Calls this function, which may only call unlink(), before a signal ends the program. */
void before_signals_end(void (*call)(void));

#endif
