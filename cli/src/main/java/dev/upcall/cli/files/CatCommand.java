package dev.upcall.cli.files;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.cli.damage.DamagedFiles;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.Operands;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ReadingCommand;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall cat}. */
@Command(
    name = "cat",
    description = "Write the content of files to standard output (with --json: in base64).")
public final class CatCommand extends ReadingCommand {
  private static final int PIECE_BYTES = 256 << 10;

  @Parameters(arity = "1..*", paramLabel = "/path", description = "The files; links are followed.")
  List<String> paths = new ArrayList<>();

  @Option(
      names = "--offset",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "From, in each.")
  Long offset = 0L;

  @Option(
      names = "--length",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "At most so many bytes of each.")
  Long length = Long.MAX_VALUE;

  private int code = ExitCode.OK;

  public CatCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int read(UpcallReads store) throws IOException {
    Operands operands = Operands.ofPaths(paths, shell::say, shell.stop()::isAsked);
    if (!output.json) {
      operands.each(path -> write(store, path));
      return operands.exitCode(ExitCode.OK);
    }
    if (operands.isOne()) {
      operands.each(
          path -> {
            try (Upcall.ReadStream stream = store.read(path)) {
              Json.object(shell.out(), opening(), json -> write(json, path, stream));
            }
          });
      return code;
    }
    Json.object(
        shell.out(),
        opening(),
        json -> {
          json.writeArrayFieldStart("files");
          operands.each(
              path -> {
                try (Upcall.ReadStream stream = store.read(path)) {
                  json.writeStartObject();
                  write(json, path, stream);
                  json.writeEndObject();
                }
              });
          json.writeEndArray();
          operands.write(json);
        });
    return operands.exitCode(code);
  }

  private void write(UpcallReads store, String path) throws IOException {
    try (Upcall.ReadStream stream = store.read(path)) {
      Range range = range(stream);
      byte[] piece = new byte[PIECE_BYTES];
      for (int got = range.read(piece); got > 0; got = range.read(piece)) {
        shell.out().write(piece, 0, got);
        shell.out().flush();
      }
    }
  }

  /** Fields of a file with its content; of one that is damaged, as far as that can be read. */
  private void write(JsonGenerator json, String path, Upcall.ReadStream stream) throws IOException {
    Until readable = new Until(range(stream));
    json.writeStringField("path", path);
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
      shell.say(failed.failure().message());
      code = ExitCode.FAILED;
    }
  }

  private Range range(Upcall.ReadStream stream) {
    long end =
        Math.min(stream.info().sizeBytes(), offset + Math.min(length, Long.MAX_VALUE - offset));
    return new Range(stream, offset, end);
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
