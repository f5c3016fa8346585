package dev.upcall;

import dev.upcall.completion.Failure;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.config.KeySource;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.blocking.Descriptors;
import dev.upcall.fileman.blocking.OtherEngines;
import dev.upcall.fileman.blocking.VolumeUpcall;
import dev.upcall.io.NativeAccess;
import dev.upcall.request.Change;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import dev.upcall.store.Limit;
import dev.upcall.store.StoreInfo;
import dev.upcall.table.Codec;
import dev.upcall.table.HashTable;
import dev.upcall.table.Index;
import dev.upcall.table.Records;
import dev.upcall.table.SortedTable;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A file store in one volume, for programs that call and wait (composition 3). Any number of
 * platform and virtual threads may use one instance at once; each call puts a request on the
 * store's queue and parks its thread until the completion. Bytes are copied on the caller's thread,
 * which also answers looks at names and metadata ({@link #stat}, {@link #list} and their like) and
 * {@link #readAllBytes} up to 64 KiB by itself where all that they need is in memory: they see
 * every change of which anybody could know. Calling from the store's own thread is refused ({@link
 * IllegalStateException}): code there uses {@link FsmUpcall#fileManager}.
 *
 * <p>Paths are texts as {@link StorePath} describes them, or such paths themselves. All methods
 * throw an {@link UpcallException}, unchecked, of the kind of the {@link
 * dev.upcall.completion.Failure} that it carries. An interrupt does not end a wait (the request
 * goes on in the store); it stays pending for the caller. When the store's thread was stopped by a
 * programmer's error, all calls end with {@link dev.upcall.fsm.DispatcherStoppedException}, which
 * carries that error; so does {@link #close}, after it has let the volume go, which can be opened
 * again at once.
 *
 * <pre>{@code
 * try (Upcall store = Upcall.openOrCreate(Path.of("my.upcall"), UpcallConfig.DEFAULT)) {
 *   store.write("/greeting.txt", "hello".getBytes(UTF_8));
 *   byte[] bytes = store.readAllBytes("/greeting.txt");
 * }
 * }</pre>
 *
 * <p>Here is what every engine does; what only state machines can is {@link FsmUpcall}'s, see
 * {@link #fsm}. What is done to whole trees is in {@code dev.upcall.trees}.
 */
public interface Upcall extends UpcallChanges, AutoCloseable {
  /**
   * Makes a new volume and opens it. The file must not exist; a block device must be blank, its
   * first MiB that is, and the store may have all of it unless the configuration says less.
   *
   * @throws UpcallException {@code AlreadyExists}, {@code VolumeFull}, {@code Device}, {@code
   *     Invalid} (more memory than the JVM has, a path that is not the host's, an {@link Engine}
   *     whose artifact is missing; then nothing is made)
   */
  static Upcall create(Path volume, UpcallConfig config) {
    check(volume, config);
    return config.engine() == Engine.FSM
        ? VolumeUpcall.create(volume, config)
        : OtherEngines.create(volume, config);
  }

  /**
   * Opens an existing volume, recovering it first when it was not closed.
   *
   * @throws UpcallException {@code NotFound}, {@code Conflict} (open elsewhere), {@code Corrupt},
   *     {@code Invalid} (no volume of ours, or one over whose first blocks something else was
   *     written: {@link #restoreFront}), {@code Device}
   */
  static Upcall open(Path volume, UpcallConfig config) {
    check(volume, config);
    return config.engine() == Engine.FSM
        ? VolumeUpcall.open(volume, config)
        : OtherEngines.open(volume, config);
  }

  /**
   * Makes a volume whole again over whose first blocks something else was written, and leaves it
   * closed. {@link #open} refuses such a volume, because it may be what is left of a store that was
   * given up: what was written over it since, a file system say, is then destroyed by this. A
   * volume whose first blocks are whole, damaged or zeros is only opened and closed.
   *
   * @throws UpcallException as {@link #open} does; {@code Invalid}, too, when no superblock is
   *     found
   * @throws IllegalArgumentException if the configuration is one to read only
   */
  static void restoreFront(Path volume, UpcallConfig config) {
    check(volume, config);
    if (config.readOnly()) {
      throw new IllegalArgumentException("nothing can be restored read-only");
    }
    VolumeUpcall.restoreFront(volume, config);
  }

  /** Opens a volume, or makes it when the file does not exist. */
  static Upcall openOrCreate(Path volume, UpcallConfig config) {
    check(volume, config);
    return config.engine() == Engine.FSM
        ? VolumeUpcall.openOrCreate(volume, config)
        : OtherEngines.openOrCreate(volume, config);
  }

  /** Refuses what cannot come to anything, before a file is made or touched. */
  private static void check(Path volume, UpcallConfig config) {
    Objects.requireNonNull(volume, "volume");
    Objects.requireNonNull(config, "config");
    if (volume.getFileSystem() != FileSystems.getDefault()) {
      throw UpcallException.of(
          new Failure.Invalid(
              "%s is a path of another file system (%s), and a volume is a file or a device of the host"
                  .formatted(volume, volume.getFileSystem().provider().getScheme())));
    }
    if (volume.toString().isEmpty()) {
      throw UpcallException.of(new Failure.Invalid("the path of the volume is empty"));
    }
    // First of all: reading classes opens files, too.
    Descriptors.check(volume);
    Failure.Device noCalls = NativeAccess.missing(volume.toString());
    if (noCalls != null) {
      throw UpcallException.of(noCalls);
    }
    if (config.engine() == Engine.FSM) {
      NativeAccess.prepare();
    }
    config.checkFitsJvm();
  }

  /**
   * This store with what only {@link Engine#FSM} can do: snapshots, transactions, requests that do
   * not wait, and programs on the store's own thread. It is the same store: closing one closes it.
   *
   * @throws UpcallException {@code Invalid} when it was opened with another engine
   */
  FsmUpcall fsm();

  /**
   * Brings content to the store for a {@link FileRequest.Put} of a later {@link #batch}, or to be
   * discarded with {@link #discard}. The stream is read to its end and not closed.
   */
  StagedContent stage(InputStream content);

  /**
   * As {@link #stage(InputStream)}, compressed by a degree and not as the store's setting says;
   * with {@link Dedup#FILE} also compared with what files have already, of which it may become a
   * clone. No transaction takes what is compared. Without a codec, and with other engines than
   * {@link Engine#FSM}, it is stored as it is.
   */
  StagedContent stage(InputStream content, Compression degree, Dedup dedup);

  /** Gives up staged content that no batch took. */
  void discard(StagedContent content);

  /** Commits many requests as one; see {@link FileManager#batch}. */
  default BatchResult batch(List<FileRequest> requests, Durability durability) {
    return ask(new Change.Batch(requests, durability));
  }

  /**
   * Returns when everything acknowledged or seen before is durable, also what was done with {@link
   * Durability#ASYNC}.
   */
  void flush();

  /**
   * This store as a file system of {@code java.nio.file}: {@code docs/nio.md} says what holds. What
   * an operation did everybody sees when it returns; it is durable with the next group commit, at
   * the latest when a channel that somebody forces, or {@link #flush}, has returned. It is one for
   * all who ask; closing it closes what is open in it, not the store.
   */
  default FileSystem fileSystem() {
    return fileSystem(Durability.ASYNC);
  }

  /** As {@link #fileSystem()}; with {@code SYNC} each operation is durable when it returns. */
  FileSystem fileSystem(Durability durability);

  /**
   * A table with keys in order, which is made with the directories on the way if there is nothing.
   *
   * @throws UpcallException {@code IsADirectory}, and {@code Invalid} where anything else is that
   *     is no sorted table
   */
  default <K, V> SortedTable<K, V> sortedTable(CharSequence path, Codec<K> keys, Codec<V> values) {
    return SortedTable.open(this, path, keys, values);
  }

  /** A table without order; otherwise as {@link #sortedTable}. */
  default <K, V> HashTable<K, V> hashTable(CharSequence path, Codec<K> keys, Codec<V> values) {
    return HashTable.open(this, path, keys, values);
  }

  /** Records without an index; otherwise as {@link #sortedTable}. */
  default <R> Records<R> records(CharSequence path, Codec<R> codec) {
    return records(path, codec, List.of());
  }

  /**
   * Records with indexes; otherwise as {@link #sortedTable}. All that the records have are named,
   * and no others ({@code Invalid}); of new records, the directories of the indexes are there.
   */
  default <R> Records<R> records(CharSequence path, Codec<R> codec, List<Index<R, ?>> indexes) {
    return Records.open(this, path, codec, indexes);
  }

  /** Writes a checkpoint, so that the next opening has nothing to recover. */
  void checkpoint();

  /** Numbers of the store. */
  StoreInfo info();

  /** Numbers of the file manager. */
  FileManagerInfo fileManagerInfo();

  /**
   * What may be asked of it at once, and how large: each limit with its meaning, its value here and
   * what happens beyond it. Those of one {@code StageFiles}, and of tasks over trees, are the usual
   * ones.
   */
  List<Limit> limits();

  /** The settings it was opened with. */
  UpcallConfig config();

  /** The keys that open this store, if it is encrypted. */
  Keys keys();

  /**
   * Refuses new work, finishes what is inside, writes a checkpoint, closes the volume. One that is
   * too full for a checkpoint is closed without: the next opening replays its log.
   */
  @Override
  void close();

  /**
   * The keys of an encrypted store ({@link UpcallConfig#withKey}). The store has one key of its
   * own, which never changes; each slot has it wrapped under a key or a passphrase, so that several
   * open the store. A change takes one checkpoint, whatever the store's size, and is durable when
   * it returns: what was removed is in no copy of the superblock then. It can still be in what was
   * copied from the volume before, and in what the device itself keeps.
   *
   * <p>All changes throw an {@link UpcallException}: {@code Invalid} for a store that is not
   * encrypted, {@code Conflict} while another change of them is under way.
   */
  interface Keys {
    /**
     * One slot that is in use.
     *
     * @param number from 0 to 7
     * @param isPassphrase whether a person remembers what opens it
     * @param isOpener whether this opening of the store used it
     */
    record Slot(int number, boolean isPassphrase, boolean isOpener) {}

    /** Those in use; empty for a store that is not encrypted, or whose keys were destroyed. */
    List<Slot> slots();

    /**
     * Another key opens the store, too.
     *
     * @throws UpcallException {@code Invalid} when all slots are in use, the source has no key, or
     *     one that opens the store already
     */
    void add(KeySource source);

    /**
     * Another key opens the store in the stead of the one that has opened it now.
     *
     * @throws UpcallException {@code Invalid} when the source has no key, or one that opens the
     *     store already
     */
    void rotate(KeySource source);

    /**
     * A slot opens the store no more.
     *
     * @throws UpcallException {@code NotFound}; {@code Invalid} when it is the last one
     */
    void remove(int number);

    /**
     * Nothing opens the store any more, once it is closed: all that is in it is lost for good. It
     * goes on until then.
     */
    void destroyAll();
  }

  /** One version of a file as a stream. */
  abstract class ReadStream extends InputStream {
    /** For who implements it. */
    protected ReadStream() {}

    /** Metadata of the version. */
    public abstract FileInfo info();

    /** Reads at a position, without moving the stream's own; -1 at or behind the end. */
    public abstract int read(long offset, ByteBuffer into);

    /**
     * As {@link #read(long, ByteBuffer)} without a copy: bytes in the store's own memory, to be
     * released by whoever asked, before the store is closed; empty at or behind the end, else at
     * least one byte and at most {@code maxBytes}.
     */
    public abstract ContentSlice slice(long offset, int maxBytes);

    @Override
    public abstract void close();
  }

  /** A whole file on its way into the store, or into a transaction; must be closed. */
  abstract class PutStream extends java.io.OutputStream {
    /** For who implements it. */
    protected PutStream() {}

    /**
     * Makes the file visible, durable when this returns; in a transaction, makes it a part of that.
     * Nothing can be written after it.
     */
    public FileInfo commit() {
      return commit(Durability.SYNC);
    }

    /** As {@link #commit()}; with {@code ASYNC} it may return before the file is durable. */
    public abstract FileInfo commit(Durability durability);

    /** How many bytes were written. */
    public abstract long sizeBytes();

    @Override
    public abstract void write(int oneByte);

    @Override
    public abstract void write(byte[] bytes, int offset, int length);

    /** Gives the file up unless {@link #commit} succeeded. */
    @Override
    public abstract void close();
  }

  /**
   * A file opened for reading and writing ranges; see {@link FileHandle} for what is seen when.
   * Used by one thread at a time.
   */
  interface RandomAccess extends AutoCloseable {
    /** Metadata as of the last commit through this handle or its opening. */
    FileInfo info();

    /** Content bytes including what is collected. */
    long sizeBytes();

    /** Reads committed bytes from a position; -1 at or behind the end. */
    int read(long offset, ByteBuffer into);

    /**
     * Collects a write. The first one since a flush may wait for its place ({@link
     * UpcallChanges#open}); {@code Busy} when in vain, and nothing has happened.
     */
    void write(long offset, ByteBuffer from);

    /** Collects a write at the end. */
    void append(ByteBuffer from);

    /** Collects a change of the size. */
    void truncate(long sizeBytes);

    /**
     * Collects an edit: the bytes come in the place of {@code removed} bytes from {@code offset}
     * on, and what lies behind moves ({@link FileHandle#splice}).
     */
    void splice(long offset, long removed, ByteBuffer from);

    /** As {@link #splice}: bytes come before what is at an offset, or behind the end. */
    default void insert(long offset, ByteBuffer from) {
      splice(offset, 0, from);
    }

    /** As {@link #splice}: bytes go, and nothing comes in their place. */
    default void cut(long offset, long lengthBytes) {
      splice(offset, lengthBytes, ByteBuffer.allocate(0));
    }

    /** Collects a copy of a range to places that follow each other ({@link FileHandle#gather}). */
    void gather(long offset, long lengthBytes);

    /** Commits what is collected: durable when this returns, or a part of the transaction. */
    void flush();

    /** Gives up what is collected and closes. */
    void abandon();

    /**
     * Flushes and closes, whatever comes of the flush: what it could not commit is given up. Who
     * wants to try again flushes first.
     */
    @Override
    void close();
  }
}
