package dev.upcall.bench.table;

import java.util.Locale;

/** The work done on a store of entries. */
enum Load {
  /** New entries, each a durable commit. */
  PUT,
  /** New entries, a thousand of them a durable commit. */
  BATCH,
  /** Entries that are there, by key. */
  GET,
  /** All entries, in order. */
  SCAN,
  /** Entries that are there get other values, a thousand in a commit. */
  OVERWRITE,
  /** YCSB's A: half reads, half updates. */
  UPDATE_HEAVY(50, 50, 0, 0, 0),
  /** YCSB's B: reads, and an update in twenty. */
  READ_MOSTLY(95, 5, 0, 0, 0),
  /** YCSB's C. */
  READ_ONLY(100, 0, 0, 0, 0),
  /** YCSB's D: reads of what was put last, and an insert in twenty. */
  READ_LATEST(95, 0, 5, 0, 0),
  /** YCSB's E: scans of up to a hundred entries, and an insert in twenty. */
  SHORT_SCANS(0, 0, 5, 95, 0),
  /** YCSB's F: half reads, half reads followed by an update of the same. */
  READ_MODIFY_WRITE(50, 0, 0, 0, 50);

  private final int reads;
  private final int updates;
  private final int inserts;
  private final int scans;
  private final boolean isMix;

  Load() {
    this(0, 0, 0, 0, 0);
  }

  /** By hundredths. */
  Load(int reads, int updates, int inserts, int scans, int modifications) {
    this.reads = reads;
    this.updates = updates;
    this.inserts = inserts;
    this.scans = scans;
    this.isMix = reads + updates + inserts + scans + modifications == 100;
  }

  /** One step of a mix. */
  enum Step {
    /** A look-up. */
    READ,
    /** A value for an entry that is there. */
    UPDATE,
    /** A new entry. */
    INSERT,
    /** A few in order. */
    SCAN,
    /** A look-up, and a value for the same. */
    MODIFY
  }

  /** The step that a number from 0 to 99 stands for, of a mix. */
  Step step(int drawn) {
    if (drawn < reads) {
      return Step.READ;
    }
    if (drawn < reads + updates) {
      return Step.UPDATE;
    }
    if (drawn < reads + updates + inserts) {
      return Step.INSERT;
    }
    return drawn < reads + updates + inserts + scans ? Step.SCAN : Step.MODIFY;
  }

  /** Whether it is one of the six mixes of a server. */
  boolean isMix() {
    return isMix;
  }

  /** For titles. */
  String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
