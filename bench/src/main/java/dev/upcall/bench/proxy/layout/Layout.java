package dev.upcall.bench.proxy.layout;

/** Where objects are, and what it takes to write and to read one. */
public interface Layout {
  /** An object that is not in the cache is written into it. */
  void write(int object);

  /** An object that is in the cache is looked up and read. */
  void read(int object);
}
