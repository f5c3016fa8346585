package dev.upcall.store;

/**
 * What to verify.
 *
 * @param readContent whether all content is read and compared with its checksums too; else only
 *     metadata is read, and content is checked for its place
 */
public record VerifyOptions(boolean readContent) {}
