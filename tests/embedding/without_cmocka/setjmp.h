/* cmocka's header needs it, the one here does not; nor is it everywhere. */
