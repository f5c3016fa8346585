package dev.upcall.bench.largeobject;

/** The bytes on the disk of a machine, by address. A study that only counts needs none. */
interface Contents {
  /** Nobody wants to know them. */
  Contents UNKNOWN =
      new Contents() {
        @Override
        public void move(long from, long to, long bytes) {
          // Only counted.
        }

        @Override
        public void put(long from, long to, long bytes) {
          // Only counted.
        }
      };

  /** Bytes are read at one address and written to another. */
  void move(long from, long to, long bytes);

  /** New bytes are written to an address: those of the edit from a position on. */
  void put(long from, long to, long bytes);
}
