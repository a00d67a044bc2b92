/* cmocka's header needs this one; the replacement does not, and not every system has it. */
