package dev.upcall;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.meter.StageMeter;
import dev.upcall.request.Change;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import dev.upcall.store.StoreInfo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;

/**
 * Files for a single-threaded program on a thread of its own (composition 2): requests go into the
 * store's queue, completions come back into a passive port that this program drains with {@link
 * #poll} or {@link #await}. All methods are called on the program's one thread, which is that of
 * the first call (another one gets an {@link IllegalStateException} that names it); upcalls run
 * inside {@code poll} and {@code await} only.
 *
 * <p><b>What is in memory is answered on the program's own thread</b>, over what the store has
 * published, without waking it: metadata, names, links, properties, and {@linkplain #read ranges}.
 * The completion comes from {@code poll} or {@code await} as all others. They come in the order in
 * which they were answered, so what is in memory overtakes what the store is asked for. Who asks
 * sees every change of which anybody was told before: of its own, those whose completion it has
 * drained. Whether one that is still outstanding is seen is not said.
 *
 * <p><b>What the store is asked for</b>: a store that is awake takes a request at once; a sleeping
 * one is woken for several together, when {@code poll} or {@code await} finds nothing left, with
 * the 64th, or after 0.2 ms whatever this program does ({@link dev.upcall.fsm.door.Cork}). While
 * {@link #MAX_INSIDE} requests are inside the store further ones get {@code Busy}; {@link
 * #whenRoom} tells when there is room again.
 */
public interface AsyncFiles extends AsyncChanges.Contents, AutoCloseable {
  /** Requests that may be inside the store at once. */
  int MAX_INSIDE = 1024;

  /**
   * See {@link FileManager#batch}; small files ride in it as {@link FileContent.Bytes}, larger ones
   * as what a {@link Stager} has brought.
   */
  default void batch(
      List<FileRequest> requests, Durability durability, CompletionPort<BatchResult> port) {
    ask(new Change.Batch(requests, durability), port);
  }

  /**
   * Begins to bring content to the store for a {@link FileRequest.Put} of a later {@link #batch},
   * or to be discarded with {@link #discard}.
   */
  void stage(CompletionPort<Stager> port);

  /** Gives up staged content that no batch took. */
  void discard(StagedContent content, CompletionPort<Unit> port);

  /**
   * See {@link dev.upcall.stage.StageFiles#changes}; signals come inside {@link #poll} and {@link
   * #await}, and subscribers are this program. Cancel it before this is closed.
   */
  Flow.Publisher<Listing.Change> changes(CharSequence directory);

  /** See {@link FileManager#begin}. */
  void begin(CompletionPort<AsyncTransaction> port);

  /** See {@link FileManager#snapshot(CompletionPort)}. */
  void snapshot(CompletionPort<AsyncSnapshot> port);

  /** See {@link FileManager#createSnapshot}. */
  void createSnapshot(String name, CompletionPort<NamedSnapshot> port);

  /** See {@link FileManager#snapshots}. */
  void snapshots(CompletionPort<NamedSnapshotList> port);

  /** See {@link FileManager#snapshot(String, CompletionPort)}. */
  void snapshot(String name, CompletionPort<AsyncSnapshot> port);

  /** See {@link FileManager#dropSnapshot}. */
  void dropSnapshot(String name, CompletionPort<Unit> port);

  /** Writes a checkpoint, so that the next opening has nothing to recover. */
  void checkpoint(CompletionPort<Unit> port);

  /** Numbers of the store. */
  void info(CompletionPort<StoreInfo> port);

  /** Numbers of the file manager. */
  void fileManagerInfo(CompletionPort<FileManagerInfo> port);

  /** The settings that the store was opened with. Any thread. */
  UpcallConfig config();

  /** See {@link FileManager#flush}. */
  void flush(CompletionPort<Unit> port);

  /** Runs the upcalls of the completions that have arrived, at most {@code limit}; none for 0. */
  int poll(int limit);

  /**
   * As {@link #poll}, but waits for the first.
   *
   * @param limit at least 1
   * @param timeout how long at most; nothing or less does not wait
   */
  int await(int limit, Duration timeout) throws InterruptedException;

  /**
   * As {@link #poll}, but waits for the first, however long.
   *
   * @param limit at least 1
   */
  int await(int limit) throws InterruptedException;

  /**
   * Completes when a request may be made that is not {@code Busy}: at once, or after requests that
   * are inside have completed. Who waits hears of it in the order of asking.
   */
  void whenRoom(CompletionPort<Unit> port);

  /** Requests whose completions were not drained yet, those of {@link #whenRoom} among them. */
  int outstanding();

  /**
   * Where reads ({@link AsyncReads#read}, also of snapshots and transactions) spend their time: the
   * report's table of stages of an asynchronous request, from the call of {@code read} until {@code
   * poll} or {@code await} runs its upcall. Off until asked for. A read that is looked at is asked
   * of the store, also where others are answered without it.
   */
  StageMeter stages();

  /**
   * Gives the door up. Requests that are still outstanding take effect, but their completions are
   * lost; drain them first.
   */
  @Override
  void close();

  /**
   * Content of any size on its way into the store. One request at a time; must be finished or
   * abandoned, or stays with the store until that is closed.
   */
  interface Stager {
    /**
     * Appends a buffer's remaining bytes; completes when more is welcome. The buffer is the store's
     * until then. After a failure only {@link #abandon} is left.
     */
    void append(ByteBuffer bytes, CompletionPort<Unit> port);

    /** Ends the content, for one request to name. */
    void finish(CompletionPort<StagedContent> port);

    /** Gives up what is not finished. */
    void abandon(CompletionPort<Unit> port);
  }
}
