package dev.upcall.cli.transfer;

import dev.upcall.cli.transfer.ImportStep.Prepared;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.Expiry;
import dev.upcall.fileman.FileCondition;
import dev.upcall.fileman.FileContent;
import dev.upcall.fileman.FileRequest;
import dev.upcall.fileman.LinkPolicy;
import dev.upcall.fileman.MetadataChange;
import dev.upcall.fileman.PutOptions;
import dev.upcall.fileman.StorePath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Reads files of the host: small ones whole, to ride in a batch; large ones as a stream into the
 * store, in bounded memory. Any thread.
 */
final class FileReader {
  private static final int SMALL_BYTES = 64 << 10;

  private final SourceWalk.Setting setting;

  FileReader(SourceWalk.Setting setting) {
    this.setting = setting;
  }

  /** Reads one file. What is written to it meanwhile is found by the next import. */
  Prepared read(Path path, HostEntry host, StorePath target) throws IOException {
    try (InputStream file =
            Files.newInputStream(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        MeteredInput input = new MeteredInput(file, setting.meter(), setting.stopped())) {
      int expected = (int) Math.min(host.sizeBytes(), SMALL_BYTES);
      byte[] head = input.readNBytes(expected + 1);
      if (head.length > expected && head.length <= SMALL_BYTES) {
        // It has grown, or its size is not told (as in /proc).
        InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), input);
        head = whole.readNBytes(SMALL_BYTES + 1);
      }
      MetadataChange metadata = metadata(path, host);
      setting.counts().attributesNotKept(HostExpiry.others(path));
      if (head.length <= SMALL_BYTES) {
        FileRequest put = put(host, target, new FileContent.Bytes(head), head.length, metadata);
        return Prepared.ofFile(List.of(put), head.length, head.length);
      }
      StagedContent staged =
          setting.store().stage(new SequenceInputStream(new ByteArrayInputStream(head), input));
      FileRequest put =
          put(host, target, new FileContent.Staged(staged), staged.sizeBytes(), metadata);
      return Prepared.ofFile(List.of(put), staged.sizeBytes(), 0);
    }
  }

  private static MetadataChange metadata(Path path, HostEntry host) throws IOException {
    MetadataChange metadata =
        MetadataChange.NONE
            .withMode(host.permissions())
            .withOwner(host.owner())
            .withModified(host.modifiedNanos());
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
        target, content, new PutOptions(FileCondition.NONE, false, LinkPolicy.NO_FOLLOW, marked));
  }
}
