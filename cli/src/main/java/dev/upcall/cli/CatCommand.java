package dev.upcall.cli;

import com.fasterxml.jackson.core.Base64Variants;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.cli.damage.DamagedFiles;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.option.StorePaths;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall cat}. */
@Command(
    name = "cat",
    description = "Write a file's content to standard output (with --json: in base64).")
final class CatCommand extends ReadingCommand {
  private static final int PIECE_BYTES = 256 << 10;

  @Parameters(index = "0", paramLabel = "/path", description = "The file; links are followed.")
  String path = "";

  @Option(names = "--offset", paramLabel = "SIZE", converter = Sizes.class, description = "From.")
  Long offset = 0L;

  @Option(
      names = "--length",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "At most so many bytes.")
  Long length = Long.MAX_VALUE;

  CatCommand(Shell shell) {
    super(shell);
  }

  @Override
  int read(UpcallReads store) throws IOException {
    String from = StorePaths.parse(path).toString();
    try (Upcall.ReadStream stream = store.read(from)) {
      long end =
          Math.min(stream.info().sizeBytes(), offset + Math.min(length, Long.MAX_VALUE - offset));
      Range range = new Range(stream, offset, end);
      if (output.json) {
        Until readable = new Until(range);
        Json.object(
            shell.out(),
            opening(),
            json -> {
              json.writeStringField("path", from);
              json.writeNumberField("sizeBytes", stream.info().sizeBytes());
              json.writeNumberField("offset", offset);
              json.writeFieldName("content");
              json.writeBinary(Base64Variants.MIME_NO_LINEFEEDS, readable, -1);
              UpcallException failed = readable.failed;
              if (failed != null) {
                json.writeStringField("error", failed.failure().message());
                json.writeStringField("kind", failed.failure().getClass().getSimpleName());
                json.writeObjectFieldStart("damage");
                DamagedFiles.write(json, failed.failure());
                json.writeEndObject();
              }
            });
        if (readable.failed != null) {
          shell.say(readable.failed.failure().message());
          return ExitCode.FAILED;
        }
      } else {
        byte[] piece = new byte[PIECE_BYTES];
        for (int got = range.read(piece); got > 0; got = range.read(piece)) {
          shell.out().write(piece, 0, got);
          shell.out().flush();
        }
      }
    }
    return ExitCode.OK;
  }

  /** As much as can be read, so that the document around it is whole. */
  private static final class Until extends FilterInputStream {
    private @Nullable UpcallException failed;

    Until(InputStream range) {
      super(range);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        return failed == null ? in.read(into, offset, length) : -1;
      } catch (UpcallException unreadable) {
        failed = unreadable;
        return -1;
      }
    }
  }

  /** A part of a file as a stream. */
  private static final class Range extends InputStream {
    private final Upcall.ReadStream stream;
    private final long end;
    private long at;

    Range(Upcall.ReadStream stream, long from, long end) {
      this.stream = stream;
      this.at = from;
      this.end = end;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      int most = (int) Math.min(length, end - at);
      int got = most <= 0 ? -1 : stream.read(at, ByteBuffer.wrap(into, offset, most));
      at += Math.max(0, got);
      return got;
    }
  }
}
