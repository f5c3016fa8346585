package dev.upcall.specweb.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON document in memory, asked by names.
 *
 * @param value a {@code Map}, {@code List}, {@code String}, {@code Number} or {@code Boolean}, or
 *     null for what is not there
 */
public record JsonTree(@Nullable Object value) {
  /** Deeper documents are refused, so that none can take the stack. */
  private static final int MAX_DEPTH = 20;

  /**
   * Reads a document.
   *
   * @throws IOException when it is none, more than one, or deeper than any of ours
   */
  public static JsonTree parse(String text) throws IOException {
    StreamReadConstraints limits =
        StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build();
    JsonFactory factory = JsonFactory.builder().streamReadConstraints(limits).build();
    try (JsonParser parser = factory.createParser(text)) {
      parser.nextToken();
      JsonTree tree = new JsonTree(read(parser));
      if (parser.nextToken() != null) {
        throw new IOException("more than one JSON document");
      }
      return tree;
    }
  }

  private static @Nullable Object read(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new IOException("no JSON document");
    }
    return switch (token) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          object.put(name, read(parser));
        }
        yield object;
      }
      case START_ARRAY -> {
        List<@Nullable Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(read(parser));
        }
        yield array;
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT ->
          parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? (Number) parser.getDoubleValue()
              : (Number) parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  /** A field of an object; what is not there is null inside. */
  public JsonTree get(String name) {
    return new JsonTree(value instanceof Map<?, ?> object ? object.get(name) : null);
  }

  /** Whether there is something, even if it is empty. */
  public boolean isThere() {
    return value != null;
  }

  /** A text, or how a number is written; empty when it is not there. */
  public String text() {
    return value == null ? "" : value.toString();
  }

  /** A number; NaN when it is none. */
  public double number() {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  /** Whether it is the truth and not only there. */
  public boolean isTrue() {
    return Boolean.TRUE.equals(value);
  }

  /** The elements of an array; none when it is none. */
  public List<JsonTree> elements() {
    return value instanceof List<?> array
        ? array.stream().<JsonTree>map(JsonTree::new).toList()
        : List.of();
  }

  /** The fields of an object, in order; none when it is none. */
  public Map<String, JsonTree> fields() {
    Map<String, JsonTree> fields = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> object) {
      object.forEach((name, field) -> fields.put(String.valueOf(name), new JsonTree(field)));
    }
    return fields;
  }
}
