package dev.upcall.fileman.trees;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.LinkPolicy;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.trees.ImportStep.Prepared;
import dev.upcall.fileman.trees.StepLine.Way;
import dev.upcall.fileman.trees.TransferRun.Outcome;
import dev.upcall.fileman.trees.host.MeteredInput;
import dev.upcall.request.FileRequest;
import dev.upcall.trees.Present;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.TreeProgress;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

/** Files with bytes of their own: small ones ride in a batch, larger ones are staged before. */
final class ByteCopies implements CopySteps {
  private final UpcallReads from;
  private final FileCondition condition;
  private final TreeProgress progress;
  private final StepLine line;

  ByteCopies(UpcallReads from, Present present, TreeProgress progress, StepLine line) {
    this.from = from;
    this.condition =
        present == Present.REPLACE
            ? FileCondition.NONE
            : FileCondition.of(Existence.MUST_NOT_EXIST);
    this.progress = progress;
    this.line = line;
  }

  @Override
  public ImportStep file(TreeEntry source, StorePath target) {
    return ImportStep.toRead(
        source.path().toString(),
        Outcome.FILE,
        () -> line.beside(source.info().sizeBytes(), way -> read(source, target, way)),
        () -> line.alone(way -> read(source, target, way)));
  }

  private Prepared read(TreeEntry source, StorePath target, Way way) throws IOException {
    try (Upcall.ReadStream version = open(source.path());
        MeteredInput input =
            new MeteredInput(new SourceInput(version, way.check()), progress, way.check())) {
      boolean done = false;
      try {
        PutOptions options =
            PutOptions.DEFAULT
                .withCondition(condition)
                .withLinks(LinkPolicy.NO_FOLLOW)
                .withMetadata(CopySteps.metadata(version.info()));
        Prepared prepared = prepare(target, options, input, way);
        done = true;
        return prepared;
      } finally {
        if (!done) {
          input.uncount();
        }
      }
    }
  }

  private Upcall.ReadStream open(StorePath path) throws IOException {
    try {
      return from.read(path);
    } catch (UpcallException refused) {
      throw unlessItEndsAll(refused);
    }
  }

  /** A failure of the source as a problem of its entry; or it is thrown as it is. */
  static IOException unlessItEndsAll(UpcallException refused) {
    if (Damage.isOfOneEntry(refused.failure())) {
      return new IOException(refused.failure().message(), refused);
    }
    throw refused;
  }

  /** A file of the source, whose damage is that file's alone. */
  private static final class SourceInput extends FilterInputStream {
    private final Upcall.ReadStream version;
    private final Runnable check;
    private long at;

    SourceInput(Upcall.ReadStream version, Runnable check) {
      super(version);
      this.version = version;
      this.check = check;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        int got = version.read(into, offset, length);
        at += Math.max(0, got);
        return got;
      } catch (UpcallException refused) {
        if (Damage.isIn(refused.failure())) {
          throw UnreadableRanges.of(version, at, check, refused);
        }
        throw unlessItEndsAll(refused);
      }
    }
  }

  private static Prepared prepare(StorePath target, PutOptions options, InputStream input, Way way)
      throws IOException {
    byte[] head = input.readNBytes(StepLine.SMALL_BYTES + 1);
    if (head.length <= StepLine.SMALL_BYTES) {
      FileContent content = new FileContent.Bytes(head);
      return Prepared.ofFile(
          new FileRequest.Put(target, content, options), head.length, head.length, 0);
    }
    StagedContent staged =
        way.stage()
            .stage(
                new SequenceInputStream(new ByteArrayInputStream(head), input),
                target,
                options.metadata());
    FileContent content = new FileContent.Staged(staged);
    return Prepared.ofFile(new FileRequest.Put(target, content, options), staged.sizeBytes(), 0, 0);
  }
}
