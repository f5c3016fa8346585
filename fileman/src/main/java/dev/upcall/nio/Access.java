package dev.upcall.nio;

/**
 * What a channel was opened for.
 *
 * @param read whether it reads
 * @param write whether it writes
 * @param append whether it writes at the end only
 */
record Access(boolean read, boolean write, boolean append) {}
