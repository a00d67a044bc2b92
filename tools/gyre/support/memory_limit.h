/* How much memory this process may use. A system that overcommits memory grants more, and kills the program later. */
#ifndef GYRE_TOOL_MEMORY_LIMIT_H
#define GYRE_TOOL_MEMORY_LIMIT_H

/* Bytes: the smallest of physical memory, the limits of control groups, and the rest of RLIMIT_AS and RLIMIT_DATA. */
double memory_limit(void);

/* Bytes: the smallest limit of the control groups of this process, version 1 or 2; infinity: none is known. /proc and
   /sys are looked up below `root`, which is empty except in tests. */
double memory_limit_of_groups(const char *root);

#endif
