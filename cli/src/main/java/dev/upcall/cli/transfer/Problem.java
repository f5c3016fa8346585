package dev.upcall.cli.transfer;

/**
 * One entry that could not be carried over.
 *
 * @param path where, as the host or the store names it
 * @param reason why, and what to do where something can be done
 */
public record Problem(String path, String reason) {}
