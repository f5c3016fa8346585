package dev.upcall.io;

/** The kinds of {@link DiskRequest}, as they are counted and named in messages. */
public enum DiskOperation {
  /** {@link DiskRequest.Read}. */
  READ("read"),
  /** {@link DiskRequest.Write}. */
  WRITE("write"),
  /** {@link DiskRequest.DurableWrite}. */
  DURABLE_WRITE("durable write"),
  /** {@link DiskRequest.Sync}. */
  SYNC("sync"),
  /** {@link DiskRequest.Allocate}. */
  ALLOCATE("allocate"),
  /** {@link DiskRequest.Discard}. */
  DISCARD("discard"),
  /** {@link DiskRequest.Shrink}. */
  SHRINK("shrink");

  private final String words;

  DiskOperation(String words) {
    this.words = words;
  }

  /** The kind of a request. */
  static DiskOperation of(DiskRequest request) {
    return switch (request) {
      case DiskRequest.Read read -> READ;
      case DiskRequest.Write write -> WRITE;
      case DiskRequest.DurableWrite write -> DURABLE_WRITE;
      case DiskRequest.Sync sync -> SYNC;
      case DiskRequest.Allocate allocate -> ALLOCATE;
      case DiskRequest.Discard discard -> DISCARD;
      case DiskRequest.Shrink shrink -> SHRINK;
    };
  }

  /** Its name in messages. */
  public String words() {
    return words;
  }

  /** A row in tables of one process; the order of the enum never reaches a disk or a wire. */
  @SuppressWarnings("EnumOrdinal")
  int index() {
    return ordinal();
  }
}
