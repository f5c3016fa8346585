package dev.upcall.bench.ageing;

import java.io.IOException;

/** Files by name, in directories of threads. What is done is durable when a call returns. */
interface AgedFiles extends AutoCloseable {
  /** Makes a directory, which has no other. */
  void createDirectory(String name) throws IOException;

  /** Makes or replaces a whole file. */
  void put(String name, byte[] content) throws IOException;

  /** Adds to the end of a file. */
  void append(String name, byte[] more) throws IOException;

  /** Removes a file. */
  void delete(String name) throws IOException;

  /** How long a file is. */
  long sizeBytes(String name) throws IOException;

  /** What is to be said of the place in which they are, in the form of worker's remarks. */
  String describe();

  @Override
  void close() throws IOException;
}
