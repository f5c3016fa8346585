package dev.upcall.fileman.blocking;

import dev.upcall.FileManager;
import dev.upcall.FileSnapshot;
import dev.upcall.FileTransaction;
import dev.upcall.FsmUpcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.watch.WatchedDirectories;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.nio.StoreFileSystems;
import dev.upcall.store.Durability;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The file operations of the facade, each a call that waits. */
abstract class BlockingFiles extends BlockingChanges implements FsmUpcall {
  private static final int PIECE_BYTES = 256 << 10;
  private static final LeaseOwner WRITER = new LeaseOwner("blocking-write", 0);

  private final Calls calls;
  private final FileManager files;
  private final Retries retries;
  private final DirectoryWatches watches;
  private final StoreFileSystems fileSystems;

  BlockingFiles(Calls calls, FileManager files, UpcallConfig config) {
    super(calls, files, looks(files));
    this.retries = new Retries(config.limits().transactions().retry(), files.dispatcher().clock());
    this.calls = calls;
    this.files = files;
    this.watches = new DirectoryWatches(calls.atOnce(), files.store());
    this.fileSystems =
        new StoreFileSystems(
            this,
            new PublishedFiles(calls.atOnce(), files),
            watches,
            calls.name(),
            config.memoryBytes());
    calls.before(fileSystems::settle, fileSystems::ahead);
  }

  final Calls calls() {
    return calls;
  }

  final FileManager files() {
    return files;
  }

  @Override
  public final FileSystem fileSystem(Durability durability) {
    return fileSystems.of(durability);
  }

  /** What hears of this store's changes; the dispatcher's. */
  final WatchedDirectories watched() {
    return watches.watched();
  }

  /** The file systems of this store. */
  final StoreFileSystems fileSystems() {
    return fileSystems;
  }

  @Override
  public final UpcallSnapshot snapshot() {
    return reading(calls.call(files::snapshot));
  }

  @Override
  public final NamedSnapshot createSnapshot(String name) {
    Objects.requireNonNull(name, "name");
    return calls.call(port -> files.createSnapshot(name, port));
  }

  @Override
  public final NamedSnapshotList snapshots() {
    return calls.call(files::snapshots);
  }

  @Override
  public final UpcallSnapshot snapshot(String name) {
    Objects.requireNonNull(name, "name");
    return reading(calls.call(port -> files.snapshot(name, port)));
  }

  @Override
  public final void dropSnapshot(String name) {
    Objects.requireNonNull(name, "name");
    calls.<Unit>call(port -> files.dropSnapshot(name, port));
  }

  private UpcallSnapshot reading(FileSnapshot taken) {
    return new BlockingSnapshot(calls, taken, looks().in(taken), fileSystems);
  }

  @Override
  public final UpcallTransaction begin() {
    FileTransaction begun = calls.call(files::begin);
    return new BlockingTransaction(calls, begun, looks().in(begun));
  }

  @Override
  public final <T extends @Nullable Object> T transact(
      Function<? super UpcallTransaction, ? extends T> body) {
    Objects.requireNonNull(body, "body");
    return retries.run(this::begin, body);
  }

  @Override
  public final StagedContent stage(InputStream content) {
    Objects.requireNonNull(content, "content");
    return calls.inside(() -> stageAll(content, () -> files.stage(WRITER)));
  }

  @Override
  public final StagedContent stage(InputStream content, Compression degree, Dedup dedup) {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(degree, "degree");
    Objects.requireNonNull(dedup, "dedup");
    return calls.inside(() -> stageAll(content, () -> files.stage(WRITER, degree, dedup)));
  }

  @Override
  public final void discard(StagedContent content) {
    Objects.requireNonNull(content, "content");
    calls.<Unit>call(port -> over(content::discard, port));
  }

  private StagedContent stageAll(InputStream content, Supplier<ContentStager> begun) {
    ContentStager stager = calls.await(port -> begin(begun, port));
    boolean finished = false;
    try {
      byte[] piece = new byte[PIECE_BYTES];
      for (int count = content.readNBytes(piece, 0, piece.length);
          count > 0;
          count = content.readNBytes(piece, 0, piece.length)) {
        ByteBuffer bytes = ByteBuffer.wrap(piece, 0, count);
        calls.<Unit>await(port -> stager.append(bytes, port));
      }
      StagedContent staged = calls.await(stager::finish);
      finished = true;
      return staged;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    } finally {
      if (!finished) {
        calls.<Unit>await(port -> over(stager::discard, port));
      }
    }
  }

  private void begin(Supplier<ContentStager> begun, CompletionPort<ContentStager> port) {
    Dispatcher dispatcher = files.dispatcher();
    Failure refused = files.store().refusesContent();
    dispatcher.complete(
        port, refused == null ? Completion.done(begun.get()) : Completion.failed(refused));
  }

  private void over(Runnable action, CompletionPort<Unit> port) {
    action.run();
    files.dispatcher().complete(port, Completion.done());
  }

  @Override
  public final void flush() {
    calls.<Unit>call(files::flush);
  }
}
