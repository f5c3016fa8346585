package dev.upcall;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Media types by the extension of a name, unless an attribute says otherwise. */
public final class MediaTypes {
  /** The attribute that overrides the table; its value is ASCII. */
  public static final String ATTRIBUTE = "media-type";

  /** What is said of names that the table does not know. */
  public static final String UNKNOWN = "application/octet-stream";

  private static final String RESOURCE = "media-types.txt";
  private static final Map<String, String> BY_EXTENSION = load();

  private MediaTypes() {}

  /** The media type of a file with this name and these attributes. */
  public static String of(String name, Map<String, byte[]> attributes) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(attributes, "attributes");
    byte[] given = attributes.get(ATTRIBUTE);
    return given == null ? ofName(name) : new String(given, StandardCharsets.US_ASCII);
  }

  /** The media type that the table gives to a name. */
  public static String ofName(String name) {
    Objects.requireNonNull(name, "name");
    int dot = name.lastIndexOf('.');
    if (dot < 0 || dot == name.length() - 1) {
      return UNKNOWN;
    }
    String extension = name.substring(dot + 1).toLowerCase(Locale.ROOT);
    return BY_EXTENSION.getOrDefault(extension, UNKNOWN);
  }

  private static Map<String, String> load() {
    Map<String, String> table = new LinkedHashMap<>();
    try (InputStream resource =
            Objects.requireNonNull(MediaTypes.class.getResourceAsStream(RESOURCE), RESOURCE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(resource, StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.isBlank() || line.startsWith("#") ? new String[0] : line.split(" +");
        for (int i = 1; i < words.length; i++) {
          table.put(words[i], words[0]);
        }
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return Collections.unmodifiableMap(table);
  }
}
