package dev.upcall.threads.files;

import static dev.upcall.UpcallException.value;
import static dev.upcall.fileman.blocking.Calls.path;

import dev.upcall.BatchResult;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallChanges;
import dev.upcall.UpcallException;
import dev.upcall.base.Clock;
import dev.upcall.coding.Codecs;
import dev.upcall.completion.Failure;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.StagedContent;
import dev.upcall.content.Times;
import dev.upcall.fileman.blocking.Calls;
import dev.upcall.fileman.blocking.FilePutStream;
import dev.upcall.fileman.plan.BatchPlanner;
import dev.upcall.fileman.plan.FileBatch;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.io.Disk;
import dev.upcall.request.Change;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import dev.upcall.threads.ContentWriter;
import dev.upcall.threads.ThreadStore;
import dev.upcall.txn.SegmentChange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Changing whole files on the caller's own thread. */
abstract class ThreadChanges extends ThreadReads implements UpcallChanges {
  private static final int PIECE_BYTES = 256 << 10;

  private final Calls calls;
  private final ThreadStore store;
  private final FileManager files;
  private final FileManagerConfig limits;
  private final Clock clock;

  /** Blocks of content given as bytes that batches may stage at once. */
  private final Semaphore stagingBlocks;

  /**
   * Changes.
   *
   * @param files the machines', for what a commit leaves to them
   */
  ThreadChanges(
      Calls calls, ThreadStore store, FileManager files, FileManagerConfig limits, Clock clock) {
    super(calls, store, limits.listStepEntries());
    this.calls = calls;
    this.store = store;
    this.files = files;
    this.limits = limits;
    this.clock = clock;
    this.stagingBlocks =
        new Semaphore(Math.toIntExact(limits.maxStagingBytes() / Disk.BLOCK_BYTES), true);
  }

  // ------------------------------------------------------------------ writing

  private FileInfo write(Change.Write write) {
    byte[] content = write.content();
    return calls.inside(
        () -> {
          checkTarget(write.path(), write.options(), content.length);
          ContentWriter writer = value(store.newContent());
          append(writer, content, content.length);
          return commit(write.path(), write.options(), value(writer.finish()), Durability.SYNC);
        });
  }

  @Override
  public final FileInfo write(CharSequence path, InputStream content, PutOptions options) {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(options, "options");
    StorePath parsed = path(path);
    return calls.inside(
        () -> {
          value(store.look(Looks.putTarget(parsed, options)));
          return commit(parsed, options, stageAll(content), Durability.SYNC);
        });
  }

  @Override
  public final Upcall.PutStream put(CharSequence path, PutOptions options) {
    Objects.requireNonNull(options, "options");
    StorePath parsed = path(path);
    return calls.inside(
        () -> {
          value(store.look(Looks.putTarget(parsed, options)));
          ContentWriter writer = value(store.newContent());
          return new FilePutStream(new WriterTarget(parsed, options, writer));
        });
  }

  /** See {@link dev.upcall.Upcall}. */
  public final StagedContent stage(InputStream content) {
    Objects.requireNonNull(content, "content");
    return calls.inside(() -> stageAll(content));
  }

  /** See {@link dev.upcall.Upcall}: this engine stores plainly. */
  public final StagedContent stage(InputStream content, Compression degree, Dedup dedup) {
    Objects.requireNonNull(degree, "degree");
    Objects.requireNonNull(dedup, "dedup");
    return stage(content);
  }

  /** See {@link dev.upcall.Upcall}. */
  public final void discard(StagedContent content) {
    Objects.requireNonNull(content, "content");
    calls.<@Nullable Void>inside(
        () -> {
          content.discard();
          return null;
        });
  }

  /** Large content is not brought in vain. */
  private void checkTarget(StorePath path, PutOptions options, long sizeBytes) {
    if (sizeBytes > PIECE_BYTES) {
      value(store.look(Looks.putTarget(path, options)));
    }
  }

  private StagedContent stageAll(InputStream content) {
    ContentWriter writer = value(store.newContent());
    boolean finished = false;
    try {
      byte[] piece = new byte[PIECE_BYTES];
      for (int count = content.readNBytes(piece, 0, piece.length);
          count > 0;
          count = content.readNBytes(piece, 0, piece.length)) {
        append(writer, piece, count);
      }
      finished = true;
      return value(writer.finish());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    } finally {
      if (!finished) {
        writer.discard();
      }
    }
  }

  private static void append(ContentWriter writer, byte[] bytes, int count) {
    Failure failure = writer.append(bytes, 0, count);
    if (failure != null) {
      writer.discard();
      throw UpcallException.of(failure);
    }
  }

  private FileInfo commit(
      StorePath path, PutOptions options, StagedContent content, Durability durability) {
    FileRequest put = new FileRequest.Put(path, new FileContent.Staged(content), options);
    return commit(List.of(put), durability).files().getFirst().orElseThrow();
  }

  /** A file on its way, as a stream. */
  private final class WriterTarget implements FilePutStream.Target {
    private final StorePath path;
    private final PutOptions options;
    private final ContentWriter writer;

    WriterTarget(StorePath path, PutOptions options, ContentWriter writer) {
      this.path = path;
      this.options = options;
      this.writer = writer;
    }

    @Override
    public void append(ByteBuffer bytes) {
      Failure failure =
          calls.<@Nullable Failure>inside(
              () ->
                  writer.append(
                      bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining()));
      if (failure != null) {
        throw UpcallException.of(failure);
      }
    }

    @Override
    public FileInfo commit(Durability durability) {
      return calls.inside(
          () -> ThreadChanges.this.commit(path, options, value(writer.finish()), durability));
    }

    @Override
    public void abandon() {
      writer.discard();
    }
  }

  // ------------------------------------------------------------------ changing

  @Override
  @SuppressWarnings("unchecked") // each kind is a change for what it leaves
  public final <R> R ask(Change<R> change) {
    Objects.requireNonNull(change, "change");
    return switch (change) {
      case FileRequest request -> (R) batch(new Change.Batch(List.of(request))).files().getFirst();
      case Change.Batch batch -> (R) batch(batch);
      case Change.Write write -> (R) write(write);
      // Ranges of files are the machines', as those that are written through handles.
      case Change.Edit _ -> calls.call(port -> files.ask(change, port));
    };
  }

  private BatchResult batch(Change.Batch batch) {
    List<FileRequest> copy = batch.requests();
    Durability durability = batch.durability();
    if (BatchPlanner.edits(copy)) {
      return calls.call(port -> files.ask(batch, port));
    }
    return calls.inside(
        () -> {
          Failure refusal = FileBatch.refuses(limits, Codecs.found(), copy).orElse(null);
          if (refusal != null) {
            copy.forEach(ThreadChanges::discardContent);
            throw UpcallException.of(refusal);
          }
          int blocks = Math.toIntExact(FileBatch.stagingBytes(copy) / Disk.BLOCK_BYTES);
          stagingBlocks.acquireUninterruptibly(blocks);
          try {
            return commit(staged(copy), durability);
          } finally {
            stagingBlocks.release(blocks);
          }
        });
  }

  /** The requests with all content staged; when that fails, all content is given up. */
  private List<FileRequest> staged(List<FileRequest> requests) {
    List<FileRequest> ready = new ArrayList<>(requests.size());
    boolean all = false;
    try {
      for (FileRequest request : requests) {
        ready.add(
            request
                    instanceof
                    FileRequest.Put(StorePath path, FileContent.Bytes(byte[] bytes), var options)
                ? new FileRequest.Put(path, new FileContent.Staged(stage(bytes)), options)
                : request);
      }
      all = true;
      return ready;
    } finally {
      if (!all) {
        ready.forEach(ThreadChanges::discardContent);
        requests.subList(ready.size(), requests.size()).forEach(ThreadChanges::discardContent);
      }
    }
  }

  private StagedContent stage(byte[] bytes) {
    ContentWriter writer = value(store.newContent());
    append(writer, bytes, bytes.length);
    return value(writer.finish());
  }

  /** Commits requests whose content is staged; it is used up, whatever the outcome. */
  private BatchResult commit(List<FileRequest> requests, Durability durability) {
    BatchPlanner planner = new BatchPlanner(new FileBatch(clock.epochNanos(), requests));
    try {
      BatchResult result = value(store.change(SegmentChange.of(planner), durability));
      boolean detaches = requests.stream().anyMatch(FileRequest.DeleteTree.class::isInstance);
      if (detaches || result.firstExpiryNanos() != Times.NEVER) {
        store.laterAmongMachines(() -> files.committed(requests, result));
      }
      return result;
    } finally {
      // What a commit took is not touched.
      requests.forEach(ThreadChanges::discardContent);
    }
  }

  private static void discardContent(FileRequest request) {
    if (request instanceof FileRequest.Put(_, FileContent.Staged(StagedContent content), _)) {
      content.discard();
    }
  }

  /** See {@link dev.upcall.Upcall}. */
  public final void flush() {
    Failure failure = calls.<@Nullable Failure>inside(store::flush);
    if (failure != null) {
      throw UpcallException.of(failure);
    }
  }
}
