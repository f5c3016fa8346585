package dev.upcall.io.volume;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Reads small text files of the host. */
public final class HostText {
  private HostText() {}

  /**
   * The whole text of a file in UTF-8. Blocks.
   *
   * @param maxBytes no more of it is read
   * @throws IOException the host's reason
   * @throws IllegalArgumentException with the reason, for a larger file and for what is not UTF-8
   */
  public static String read(Path file, int maxBytes) throws IOException {
    Objects.requireNonNull(file, "file");
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(maxBytes + 1);
      if (bytes.length > maxBytes) {
        throw new IllegalArgumentException("rules have at most %,d bytes".formatted(maxBytes));
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException none) {
      throw new IllegalArgumentException("its text is not UTF-8", none);
    }
  }
}
