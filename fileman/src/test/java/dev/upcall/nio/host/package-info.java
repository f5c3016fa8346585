/** Calls of {@code java.nio.file} that the host's file system and a store's must answer alike. */
package dev.upcall.nio.host;
