package dev.upcall.buffer;

/**
 * Where a content was found that is one piece of memory: who remembers it need not look for it
 * again, but copies, and hears then whether it was still there. Immutable; any thread.
 *
 * @param memory which
 * @param fromByte where in it the content begins
 */
public record FoundBytes(UnpinnedBytes memory, int fromByte) {}
