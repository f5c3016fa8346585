package dev.upcall.fileman.trees.rewrite;

import dev.upcall.Engine;
import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.StagedContent;
import dev.upcall.request.FileRequest;
import dev.upcall.trees.Pace;
import dev.upcall.trees.TreeEntry;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * Stores files anew whose content is not stored as they say, as far as sizes tell it. A file is
 * replaced by itself in one commit, unless somebody has changed it meanwhile; it keeps its id, its
 * time and all else but its version.
 */
final class ContentRewrite {
  /** Content that is no larger rides in the log, and is stored as it is. */
  private static final int SMALL_BYTES = 64 << 10;

  private final Upcall store;
  private final Pace pace;
  private final RewriteRun run;
  private final Compression usual;

  /** The outcome for a file. */
  enum Outcome {
    /** It is stored as it says, or as small as that goes. */
    DONE,
    /** Somebody was quicker: it is as that one has left it. */
    CHANGED,
    /** The end was asked for: it is as it was. */
    STOPPED
  }

  ContentRewrite(Upcall store, Pace pace, RewriteRun run) {
    this.store = store;
    this.pace = pace;
    this.run = run;
    this.usual = store.config().limits().content().compression();
  }

  private Compression degree(FileInfo file) {
    return file.compression().orElse(usual);
  }

  /** Whether a file is to be stored anew: plainly though it is to be compressed, or other way. */
  boolean isWanted(FileInfo file) {
    if (!file.isFile() || file.sizeBytes() <= SMALL_BYTES) {
      return false;
    }
    boolean isSmaller = file.stored().bytes() < file.sizeBytes();
    return degree(file) == Compression.NONE
        ? isSmaller && file.compression().isPresent()
        : !isSmaller;
  }

  /**
   * Checks that the store can store a file as it says.
   *
   * @throws UpcallException {@code Unsupported} where it would be stored plainly
   */
  void check(TreeEntry wanted) {
    if (degree(wanted.info()) != Compression.NONE && store.config().engine() != Engine.FSM) {
      throw UpcallException.of(
          new Failure.Unsupported(
              wanted.path() + " cannot be compressed here",
              "the engine of threads stores plainly; state machines (engine fsm) compress"));
    }
  }

  /**
   * Stores a file anew. Where the volume is full of what the next checkpoint frees, that is waited
   * for.
   *
   * @throws UpcallException {@code VolumeFull}, and what reading the file fails with
   */
  Outcome rewrite(StorePath path) throws IOException {
    try {
      return tried(path);
    } catch (UpcallException.VolumeFull mayPass) {
      store.checkpoint();
      return tried(path);
    }
  }

  private Outcome tried(StorePath path) throws IOException {
    try (Upcall.ReadStream version = store.read(path)) {
      FileInfo file = version.info();
      Metered content = new Metered(version);
      boolean isStaged = false;
      StagedContent staged;
      try {
        staged = store.stage(content, degree(file), Dedup.NONE);
        isStaged = true;
      } catch (StoppedException asked) {
        return Outcome.STOPPED;
      } finally {
        if (!isStaged) {
          run.progress().bytes(-content.bytes);
        }
      }
      store.batch(
          List.of(new FileRequest.Put(path, new FileContent.Staged(staged), options(file))));
      return Outcome.DONE;
    } catch (UpcallException.NotFound | UpcallException.VersionMismatch quicker) {
      return Outcome.CHANGED;
    }
  }

  private static PutOptions options(FileInfo file) {
    MetadataChange kept = MetadataChange.NONE.withModifiedNanos(file.times().modifiedNanos());
    if (file.times().hasExpiry()) {
      kept = kept.withExpiry(new Expiry.At(file.times().expiresNanos()));
    }
    return PutOptions.DEFAULT
        .withCondition(FileCondition.only(file.fileVersion()))
        .withLinks(LinkPolicy.NO_FOLLOW)
        .withMetadata(kept);
  }

  private static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Counts what is read, at the pace that it has, and ends when that is asked for. */
  private final class Metered extends FilterInputStream {
    private long bytes;

    Metered(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int got = in.read(into, offset, length);
      int some = Math.max(0, got);
      if (!pace.take(some, run::isStopped)) {
        throw new StoppedException();
      }
      bytes += some;
      run.progress().bytes(some);
      return got;
    }
  }
}
