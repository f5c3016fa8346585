package dev.upcall.specweb.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A JSON document, laid out for people: each call writes a field of the object that is being
 * written, the fields of objects inside are written by what is run for them.
 */
public final class JsonWriter {
  private final JsonGenerator json;

  private JsonWriter(JsonGenerator json) {
    this.json = json;
  }

  /** A document that is one object, and a line end. */
  public static String document(Consumer<JsonWriter> fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      JsonWriter writer = new JsonWriter(json);
      writer.braces(() -> fields.accept(writer));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text + "\n";
  }

  /** A text. */
  public void text(String name, String value) {
    write(() -> json.writeStringField(name, value));
  }

  /** A count. */
  public void number(String name, long value) {
    write(() -> json.writeNumberField(name, value));
  }

  /** A measured number; left out when it is not known (not finite). */
  public void number(String name, double value) {
    if (Double.isFinite(value)) {
      write(() -> json.writeNumberField(name, value));
    }
  }

  /** A truth. */
  public void flag(String name, boolean value) {
    write(() -> json.writeBooleanField(name, value));
  }

  /** An object. */
  public void object(String name, Runnable fields) {
    write(() -> json.writeFieldName(name));
    braces(fields);
  }

  /** An object of texts by name. */
  public void texts(String name, Map<String, String> texts) {
    object(name, () -> texts.forEach(this::text));
  }

  /** An array of texts. */
  public void texts(String name, List<String> texts) {
    write(() -> json.writeFieldName(name));
    strings(texts);
  }

  /** An array of arrays of texts. */
  public void rows(String name, List<List<String>> rows) {
    write(() -> json.writeArrayFieldStart(name));
    rows.forEach(this::strings);
    write(json::writeEndArray);
  }

  /** An array of numbers, which must be known (finite). */
  public void numbers(String name, List<? extends Number> numbers) {
    write(() -> json.writeArrayFieldStart(name));
    numbers.forEach(number -> write(() -> json.writeNumber(number.toString())));
    write(json::writeEndArray);
  }

  /** An array of objects, one of each element. */
  public <T> void objects(String name, Collection<T> elements, Consumer<T> fields) {
    write(() -> json.writeArrayFieldStart(name));
    elements.forEach(element -> braces(() -> fields.accept(element)));
    write(json::writeEndArray);
  }

  private void braces(Runnable fields) {
    write(json::writeStartObject);
    fields.run();
    write(json::writeEndObject);
  }

  private void strings(List<String> texts) {
    write(() -> json.writeArray(texts.toArray(String[]::new), 0, texts.size()));
  }

  /** Memory is written to, which does not fail. */
  private static void write(Step step) {
    try {
      step.run();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private interface Step {
    void run() throws IOException;
  }
}
