/* What the program needs of the operating system. Only system.c knows which one it is, and plot, which Windows lacks.
 */
#ifndef GYRE_TOOL_SYSTEM_H
#define GYRE_TOOL_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Seconds since an arbitrary fixed point. Never goes backwards. */
double seconds_now(void);

/* Characters in a line of the terminal that stderr is, which then takes ANSI's escape sequences; 0: it is none. */
size_t terminal_columns(void);

/* Bytes: the least of physical memory and of what the limits on this process leave. */
double memory_left(void);

/* How many threads can run at once, this one included, up to `wanted`. */
int threads_at_once(int wanted);

/* From now on this stream changes no byte of what it gets. */
void stream_is_binary(FILE *stream);

/* ---- Files. Functions that return bool or a pointer set errno where they fail. ---- */

enum file_kind { FILE_ABSENT, FILE_REGULAR, FILE_SPECIAL };

typedef struct file_status {
    enum file_kind kind;
    uint64_t device, number; /* the file's, whatever its names are */
    uint32_t owner, group, mode;
} file_status;

/* False where something other than the file is missing, such as the right to search a folder. */
bool file_status_at(const char *path, file_status *out);
bool file_status_of(FILE *opened, file_status *out);

/* Whether the path is a link to a file that does not exist. */
bool is_dangling(const char *path);

/* The path of a file that exists, with no link at its end; free() it. */
char *file_behind(const char *path);

/* A new file for writing. XXXXXX at the path's end becomes a name that is free, and may have become one where this
   fails too. It gets the former file's owner, group and mode, as far as this user and the file system can do that. */
FILE *file_create(char *path, const file_status *former);

bool file_sync(FILE *file);

/* Renames a file over what is there, in the same folder. */
bool file_rename(const char *from, const char *to);

/* Makes a renaming in it durable. A folder that may not be read cannot be synced, which is no failure. */
bool folder_sync(const char *folder);

/* Calls this, which may call unlink() alone, before a signal ends the program. */
void before_signals_end(void (*call)(void));

#endif
