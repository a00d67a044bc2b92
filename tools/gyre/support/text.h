/* Numbers and words as text. */
#ifndef GYRE_TOOL_TEXT_H
#define GYRE_TOOL_TEXT_H

/* 12345678 as "12,345,678". The result is one of four static buffers, used in turn. */
const char *grouped(double number);

/* A rate in millions, with at least three digits and no insignificant ones. Static buffers, as above. */
const char *millions(double rate);

/* Like strtod(), with two differences. A nonzero number that is too small for a double becomes the smallest double,
   which float_fault() reports. Hexadecimal is not accepted: as in JSON, the number 0x10 ends before the x. */
double parse_number(const char *text, char **end);

/* Removes the byte order mark that some programs, such as Excel, write at the start of UTF-8 text. */
void drop_byte_order_mark(char *text);

/* The word of `words` (which ends with NULL) with the smallest edit distance to `word`, or NULL if all differ by more
   than two letters. */
const char *nearest_word(const char *word, const char *const words[]);

#endif
