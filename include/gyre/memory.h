/* The name of arrays.h before version 0.2, which will not have this file. */
#include "arrays.h"
