package dev.upcall.sim.store.model;

import dev.upcall.store.LossBound;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a store must hold, kept by somebody who sees only what was applied, in the order in which it
 * was applied, and what was acknowledged. After a crash a store may be any prefix of the applied
 * history that has everything in it that was acknowledged as durable, and of what was acknowledged
 * early all but as much as may be lost.
 */
public final class SimModel {
  /**
   * A file.
   *
   * @param version that of its inode: no two changes give the same
   * @param content what its bytes are made from, or were before the first piece; the same in all
   *     clones
   * @param size how many bytes
   * @param written the bytes, where they are made of pieces; else null
   */
  public record FileState(long version, long content, int size, byte @Nullable [] written) {
    public FileState(long version, long content, int size) {
      this(version, content, size, null);
    }

    public byte[] bytes() {
      byte[] pieces = written;
      return pieces == null ? StoreFixture.bytes(content, size) : pieces;
    }

    public FileState touched(long newVersion) {
      return new FileState(newVersion, content, size, written);
    }

    /** The same text for the same file: failures of two runs are compared by it. */
    @Override
    public String toString() {
      return "version %d, content %d, %d bytes%s"
          .formatted(
              version,
              content,
              size,
              written == null
                  ? ""
                  : ", of pieces, hash " + Integer.toUnsignedString(Arrays.hashCode(written)));
    }
  }

  /**
   * Files, properties and tables at one moment.
   *
   * @param tables by their places
   */
  public record Snapshot(
      TreeMap<Long, FileState> files,
      TreeMap<Long, Long> properties,
      TreeMap<Long, SimTable> tables) {
    public Snapshot() {
      this(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }

    public Snapshot copy() {
      return new Snapshot(new TreeMap<>(files), new TreeMap<>(properties), new TreeMap<>(tables));
    }

    public void apply(Step step) {
      for (Map.Entry<Long, @Nullable FileState> each : step.files.entrySet()) {
        FileState state = each.getValue();
        if (state == null) {
          files.remove(each.getKey());
        } else {
          files.put(each.getKey(), state);
        }
      }
      for (Map.Entry<Long, @Nullable Long> each : step.properties.entrySet()) {
        Long value = each.getValue();
        if (value == null) {
          properties.remove(each.getKey());
        } else {
          properties.put(each.getKey(), value);
        }
      }
      applyTables(step.tables);
    }

    /** Tables that are different from now on; null for one that is gone. */
    public void applyTables(Map<Long, @Nullable SimTable> changed) {
      for (Map.Entry<Long, @Nullable SimTable> each : changed.entrySet()) {
        SimTable table = each.getValue();
        if (table == null) {
          tables.remove(each.getKey());
        } else {
          tables.put(each.getKey(), table);
        }
      }
    }

    /** As seen without reading content: contents count as equal. */
    public boolean looksLike(Snapshot other) {
      return properties.equals(other.properties)
          && tables.equals(other.tables)
          && versions().equals(other.versions());
    }

    private TreeMap<Long, Long> versions() {
      TreeMap<Long, Long> versions = new TreeMap<>();
      files.forEach((id, state) -> versions.put(id, state.version() * 1_000_003 + state.size()));
      return versions;
    }
  }

  /** What one change does. */
  public static final class Step {
    private final TreeMap<Long, @Nullable FileState> files = new TreeMap<>();
    private final TreeMap<Long, @Nullable Long> properties = new TreeMap<>();
    private final TreeMap<Long, @Nullable SimTable> tables = new TreeMap<>();
    private final long appliedNanos;
    private long contentBytes;
    private long scn;
    private boolean acknowledgedEarly;
    private SimLocks.@Nullable Holder by;

    public Step(long appliedNanos) {
      this.appliedNanos = appliedNanos;
    }

    public TreeMap<Long, @Nullable FileState> files() {
      return files;
    }

    public TreeMap<Long, @Nullable Long> properties() {
      return properties;
    }

    /** It is a transaction's. */
    public Step by(SimLocks.Holder holder) {
      by = holder;
      return this;
    }

    /** New content of a file. */
    public void content(long id, FileState state) {
      content(id, state, state.size());
    }

    /** New content of a file, so much of it written. */
    public void content(long id, FileState state, long writtenBytes) {
      file(id, state);
      contentBytes += writtenBytes;
    }

    public void file(long id, @Nullable FileState state) {
      files.put(id, state);
    }

    public void property(long key, @Nullable Long value) {
      properties.put(key, value);
    }

    Map<Long, @Nullable SimTable> tables() {
      return tables;
    }

    /** Tables that are different from now on; null for one that is gone. */
    public void tables(Map<Long, @Nullable SimTable> changed) {
      tables.putAll(changed);
    }
  }

  private final LossBound loss;
  private final SimLocks locks = new SimLocks();
  private final List<Step> history = new ArrayList<>();
  private Snapshot base = new Snapshot();
  private Snapshot live = new Snapshot();
  private final TreeMap<Long, Long> kin = new TreeMap<>();
  private int required;
  private boolean forgiven;
  private SimNames names = new SimNames();
  private LongSupplier presentScn = () -> 0;
  private @Nullable SimTranscript record;

  /** A model of an empty store. */
  public SimModel(LossBound loss) {
    this.loss = loss;
  }

  /** An independent model in the same state. */
  public SimModel copy() {
    SimModel copy = new SimModel(loss);
    copy.history.addAll(history);
    copy.base = base.copy();
    copy.live = live.copy();
    copy.kin.putAll(kin);
    copy.required = required;
    copy.names = names.copy();
    copy.presentScn = presentScn;
    return copy;
  }

  /** From now on it is that store whose changes are applied. */
  public void of(Store store) {
    presentScn = () -> store.info().scn();
  }

  /** What the store was after the change with an SCN of this life, or of its beginning. */
  public Snapshot at(long scn) {
    Snapshot at = base.copy();
    for (Step step : history) {
      if (step.scn <= scn) {
        at.apply(step);
      }
    }
    return at;
  }

  /** A range of one content was copied into what began as another: they may share blocks. */
  public void akin(long content, long other) {
    kin.put(kinOf(content), kinOf(other));
  }

  /** The same number for all contents that may share blocks with each other. */
  public long kinOf(long content) {
    long at = content;
    for (Long next = kin.get(at); next != null && next != at; next = kin.get(at)) {
      at = next;
    }
    return at;
  }

  /** Somebody asks for a snapshot now. */
  public Asked ask() {
    return new Asked(presentScn.getAsLong(), live.copy());
  }

  /**
   * What a snapshot that was asked for must show: the store at that time, or later.
   *
   * @param scn that at which it was asked for
   */
  public record Asked(long scn, Snapshot shows) {}

  /** What a snapshot with an SCN shows. */
  public Snapshot shownBy(Asked asked, long scn) {
    SimInspection.checkThat(
        scn >= asked.scn, "a snapshot of %d, asked for at %d".formatted(scn, asked.scn));
    return scn == asked.scn ? asked.shows : at(scn);
  }

  /** The named snapshots. */
  public SimNames names() {
    return names;
  }

  /** What all who look now must see. */
  public Snapshot live() {
    return live;
  }

  /** What transactions have locked. */
  public SimLocks locks() {
    return locks;
  }

  /** From now on what is applied is told to somebody. */
  void tell(SimTranscript newRecord) {
    record = newRecord;
  }

  /** A store was opened behind the end of a life, of which this is left. */
  void left(long scn, Snapshot found) {
    SimTranscript ended = record;
    record = null;
    if (ended != null) {
      ended.left(scn, found);
    }
  }

  /** How many steps were applied since the last {@link #settle}. */
  public int applied() {
    return history.size();
  }

  /** A change was applied; the number to give to {@link #require} once it is durable. */
  public int apply(Step step) {
    locks.check(step.files.keySet(), step.properties.keySet(), step.by, step.appliedNanos);
    step.scn = presentScn.getAsLong();
    history.add(step);
    live.apply(step);
    if (record != null && step.by == null) {
      record.applied(step);
    }
    return history.size();
  }

  /** The SCN of a change with a number that {@link #apply} gave; of none or a settled one, 0. */
  public long scnOf(int number) {
    return number > 0 && number <= history.size() ? history.get(number - 1).scn : 0;
  }

  /** The first so many steps must survive. */
  public void require(int steps) {
    required = Math.max(required, steps);
    if (record != null) {
      record.durable(scnOf(steps));
    }
  }

  /** A step was acknowledged; it may be lost, but not too much of its kind. */
  public void acknowledgedEarly(int number) {
    // A number of an earlier life is settled.
    if (number > 0 && number <= history.size()) {
      history.get(number - 1).acknowledgedEarly = true;
    }
  }

  /** Acknowledged work may be missing: the disk lied. */
  void forgive() {
    required = 0;
    forgiven = true;
  }

  /**
   * What was found after a crash: becomes the state from which everything goes on.
   *
   * @return null, or what is wrong
   */
  @Nullable String settle(Snapshot found) {
    Snapshot at = base.copy();
    int last = -1;
    for (int i = 0; i <= history.size(); i++) {
      if (i > 0) {
        at.apply(history.get(i - 1));
      }
      if (i >= required && at.looksLike(found)) {
        last = i;
      }
    }
    return last < 0 ? noPrefix(found) : settle(last);
  }

  /** The first so many steps are what is left. */
  private @Nullable String settle(int steps) {
    List<Step> lost = history.subList(steps, history.size());
    String tooMuch = forgiven ? null : lostTooMuch(lost);
    history.subList(0, steps).forEach(base::apply);
    live = base.copy();
    locks.clear();
    history.clear();
    required = 0;
    forgiven = false;
    return tooMuch;
  }

  private @Nullable String lostTooMuch(List<Step> lost) {
    List<Step> missed = lost.stream().filter(step -> step.acknowledgedEarly).toList();
    if (missed.isEmpty()) {
      return null;
    }
    long bytes = missed.stream().mapToLong(step -> step.contentBytes).sum();
    long nanos = missed.getLast().appliedNanos - missed.getFirst().appliedNanos;
    return bytes <= loss.maxBytes() && nanos <= loss.maxNanos()
        ? null
        : "lost %d acknowledged changes of %d bytes in %d ns, the bound is %s"
            .formatted(missed.size(), bytes, nanos, loss);
  }

  private String noPrefix(Snapshot found) {
    Snapshot must = base.copy();
    history.subList(0, required).forEach(must::apply);
    return "recovered state is no prefix of the %d applied changes with the %d acknowledged in it:%n found %s%n must  %s%n live  %s"
        .formatted(history.size(), required, found, must, live);
  }
}
