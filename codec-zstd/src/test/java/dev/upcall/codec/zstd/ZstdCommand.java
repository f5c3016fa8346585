package dev.upcall.codec.zstd;

import dev.upcall.coding.Codecs;
import dev.upcall.config.Compression;
import dev.upcall.content.UnitCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** zstd as the command of that name does it. It only decodes, a process for each unit. */
record ZstdCommand(Path program) implements UnitCodec {
  /** On the path of this process, if it is there. */
  static Optional<Codecs> find() {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .map(folder -> Path.of(folder, "zstd"))
        .filter(Files::isExecutable)
        .findFirst()
        .map(program -> new Codecs(List.of(new ZstdCommand(program)), OtherZstd.UNIT_BLOCKS));
  }

  @Override
  public int number() {
    return Codecs.ZSTD;
  }

  @Override
  public int encode(ByteBuffer from, ByteBuffer into, Compression degree) {
    throw new IllegalStateException("nothing is written by it");
  }

  @Override
  public boolean decode(ByteBuffer from, ByteBuffer into) {
    byte[] coded = new byte[from.remaining()];
    from.get(from.position(), coded);
    try {
      Path file = Files.createTempFile("unit", ".zst");
      try {
        Files.write(file, coded);
        Process process =
            new ProcessBuilder(program.toString(), "-dcq", file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        byte[] content = process.getInputStream().readAllBytes();
        boolean isWhole = process.waitFor() == 0 && content.length == into.remaining();
        if (isWhole) {
          into.put(into.position(), content);
        }
        return isWhole;
      } finally {
        Files.delete(file);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException ended) {
      throw new IllegalStateException(ended);
    }
  }
}
