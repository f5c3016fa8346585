package dev.upcall.httpd.web;

import dev.upcall.UpcallException;
import dev.upcall.base.HostWords;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.io.volume.HostText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * How paths are told to browsers, as a text has it: a line each, words with blanks between them;
 * {@code #} begins a comment, and a word between double quotes may have blanks.
 *
 * <pre>
 * field PATH NAME VALUE            a response field of what is read; "" for none
 * cors PATH METHOD[,METHOD...] ORIGIN...   scripts of these origins may ask so; * for all; or none
 * charset PATH NAME                of text/* that says none itself; or none
 * precompressed PATH TYPE...       NAME.br, NAME.zst and NAME.gz stand for NAME; or none
 * digests PATH sha-256             of files, for clients that want them; or none
 * </pre>
 *
 * <p>For each kind of line, and for each name of a field, the one with the longest path decides,
 * alone. A path is what a request names.
 */
public final class WebRules {
  /** The largest text. */
  public static final int MAX_BYTES = 1 << 20;

  private final Map<String, WebSection> sections;

  WebRules(Map<String, WebSection> sections) {
    this.sections = sections;
  }

  /**
   * Reads a text.
   *
   * @param source its name, for messages
   * @return {@code Invalid} with source, line and reason for the first fault
   */
  public static Completion<WebRules> parse(String source, String text) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(text, "text");
    return Refused.catching(() -> new WebParser(source).parse(text));
  }

  /**
   * Reads a file of the host. Blocks.
   *
   * @throws UpcallException {@code Invalid} with file, line and reason for a file that has no rules
   *     or is larger than {@link #MAX_BYTES}; {@code Device} with the host's reason
   */
  public static WebRules read(Path file) {
    Objects.requireNonNull(file, "file");
    try {
      return UpcallException.value(parse(file.toString(), HostText.read(file, MAX_BYTES)));
    } catch (IllegalArgumentException none) {
      throw UpcallException.of(new Failure.Invalid(file + ": " + none.getMessage()));
    } catch (IOException failed) {
      throw UpcallException.of(
          new Failure.Device("reading the rules " + file, HostWords.of(failed)));
    }
  }

  /**
   * The rules that hold at a path.
   *
   * @param path absolute, without a slash at its end unless it is the root
   */
  public WebSection at(String path) {
    Objects.requireNonNull(path, "path");
    String above = path;
    while (above.length() > 1) {
      WebSection found = sections.get(above);
      if (found != null) {
        return found;
      }
      above = above.substring(0, Math.max(0, above.lastIndexOf('/')));
    }
    return sections.getOrDefault("/", WebSection.NOTHING);
  }
}
