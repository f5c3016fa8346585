package dev.upcall.fileman.trees;

import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.trees.ImportStep.Prepared;
import dev.upcall.fileman.trees.StepLine.Way;
import dev.upcall.fileman.trees.host.FirstBytes;
import dev.upcall.fileman.trees.host.HostEntry;
import dev.upcall.fileman.trees.host.HostExpiry;
import dev.upcall.fileman.trees.host.MeteredInput;
import dev.upcall.request.FileRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of the host: small ones whole, to ride in a batch; large ones as a stream into the
 * store, in bounded memory. Any thread.
 */
final class FileReader {
  private static final int SMALL_BYTES = StepLine.SMALL_BYTES;

  /** How often a file is read that is written to meanwhile. */
  private static final int MAX_READINGS = 3;

  private final SourceWalk.Setting setting;

  FileReader(SourceWalk.Setting setting) {
    this.setting = setting;
  }

  /**
   * Reads one file beside others.
   *
   * @throws StagingRoom.ReadAloneException if it is to be read with {@link #readAlone}
   */
  Prepared readBeside(Path path, HostEntry host, StorePath target) throws IOException {
    return setting.line().beside(host.sizeBytes(), way -> read(path, host, target, way));
  }

  /** Reads one file. */
  Prepared readAlone(Path path, HostEntry host, StorePath target) throws IOException {
    return setting.line().alone(way -> read(path, host, target, way));
  }

  /** A file whose writer was at work while it was read is torn: it is read again. */
  private Prepared read(Path path, HostEntry seen, StorePath target, Way way) throws IOException {
    HostEntry before = seen;
    for (int reading = 0; reading < MAX_READINGS; reading++) {
      Prepared whole = readUnlessWritten(path, before, target, way);
      if (whole != null) {
        return whole;
      }
      before = HostEntry.of(path);
    }
    throw new FileSystemException(
        path.toString(),
        null,
        "was written to while it was read, %d times; import it again when nobody writes to it"
            .formatted(MAX_READINGS));
  }

  private @Nullable Prepared readUnlessWritten(
      Path path, HostEntry before, StorePath target, Way way) throws IOException {
    try (InputStream file =
            Files.newInputStream(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        MeteredInput input =
            new MeteredInput(asFarAs(before, file), setting.run().progress(), way.check())) {
      Prepared prepared = null;
      boolean whole = false;
      try {
        prepared = prepare(path, before, target, input, way);
        whole = HostEntry.of(path).isAsUnwrittenAs(before);
        return whole ? prepared : null;
      } finally {
        if (!whole) {
          input.uncount();
          discard(prepared);
        }
      }
    }
  }

  /**
   * No more of a file than it had, or nobody would come to the end of one that grows as fast as it
   * is read. Of some the host does not tell the size (as in /proc).
   */
  private static InputStream asFarAs(HostEntry seen, InputStream file) {
    return seen.sizeBytes() == 0 ? file : new FirstBytes(file, seen.sizeBytes());
  }

  private void discard(@Nullable Prepared given) {
    if (given != null) {
      given.discardFrom(setting.store());
    }
  }

  private Prepared prepare(Path path, HostEntry host, StorePath target, InputStream input, Way way)
      throws IOException {
    int expected = (int) Math.min(host.sizeBytes(), SMALL_BYTES);
    byte[] head = input.readNBytes(expected + 1);
    if (head.length > expected && head.length <= SMALL_BYTES) {
      // Its size is not told.
      InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), input);
      head = whole.readNBytes(SMALL_BYTES + 1);
    }
    MetadataChange metadata = metadata(path, host);
    long others = HostExpiry.others(path);
    if (head.length <= SMALL_BYTES) {
      FileRequest put = put(host, target, new FileContent.Bytes(head), head.length, metadata);
      return Prepared.ofFile(put, head.length, head.length, others);
    }
    StagedContent staged =
        way.stage()
            .stage(
                new SequenceInputStream(new ByteArrayInputStream(head), input), target, metadata);
    FileRequest put =
        put(host, target, new FileContent.Staged(staged), staged.sizeBytes(), metadata);
    return Prepared.ofFile(put, staged.sizeBytes(), 0, others);
  }

  private static MetadataChange metadata(Path path, HostEntry host) throws IOException {
    MetadataChange metadata =
        MetadataChange.NONE
            .withMode(host.permissions())
            .withOwner(host.owner())
            .withModifiedNanos(host.modifiedNanos());
    Expiry expiry = HostExpiry.read(path);
    return expiry == null ? metadata : metadata.withExpiry(expiry);
  }

  private FileRequest put(
      HostEntry host,
      StorePath target,
      FileContent content,
      long sizeBytes,
      MetadataChange metadata) {
    ImportMark mark = new ImportMark(setting.source(), host.modifiedNanos(), sizeBytes);
    MetadataChange marked = metadata.withAttribute(ImportMark.ATTRIBUTE, mark.encode());
    return new FileRequest.Put(
        target,
        content,
        new PutOptions(FileCondition.NONE, Parents.MUST_EXIST, LinkPolicy.NO_FOLLOW, marked));
  }
}
