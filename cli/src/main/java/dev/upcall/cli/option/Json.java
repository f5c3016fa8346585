package dev.upcall.cli.option;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.FileInfo;
import dev.upcall.content.EditPolicy;
import dev.upcall.store.OpeningReport;
import dev.upcall.trees.TreeProblem;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How things look in a JSON document on standard output. */
public final class Json {
  private Json() {}

  /** A document with what a reader of this store must know besides, if there is anything. */
  public static void object(PrintStream out, OpeningReport opening, JsonDocument.Fields fields)
      throws IOException {
    JsonDocument.write(
        out,
        json -> {
          fields.write(json);
          Moment.write(json, opening);
        });
  }

  /** Fields of a file, directory or link; the caller's object. */
  public static void info(JsonGenerator json, String path, FileInfo info, @Nullable String target)
      throws IOException {
    json.writeStringField("path", path);
    json.writeStringField("kind", info.kindName());
    json.writeNumberField("id", info.id());
    json.writeNumberField("sizeBytes", info.sizeBytes());
    json.writeStringField("mode", String.format(Locale.ROOT, "%04o", info.mode()));
    json.writeNumberField("uid", info.owner() & 0xFFFF_FFFFL);
    json.writeNumberField("gid", info.owner() >>> 32);
    json.writeStringField("modified", time(info.times().modifiedNanos()));
    json.writeStringField("created", time(info.times().createdNanos()));
    json.writeStringField("changed", time(info.times().changedNanos()));
    if (info.times().hasExpiry()) {
      json.writeStringField("expires", time(info.times().expiresNanos()));
    }
    json.writeNumberField("links", info.links());
    json.writeNumberField("version", info.version());
    json.writeStringField("entityTag", info.entityTag());
    if (info.isFile()) {
      json.writeStringField("mediaType", info.mediaType());
      json.writeNumberField("storedBytes", info.stored().bytes());
      json.writeNumberField("pieces", info.stored().pieces());
    }
    if (!info.editPolicy().equals(EditPolicy.NONE)) {
      json.writeStringField("editPolicy", info.editPolicy().text());
    }
    if (info.compression().isPresent()) {
      json.writeStringField("compression", info.compression().get().text());
    }
    if (info.dedup().isPresent()) {
      json.writeStringField("dedup", info.dedup().get().text());
    }
    if (target != null) {
      json.writeStringField("target", target);
    }
    json.writeObjectFieldStart("attributes");
    for (Map.Entry<String, byte[]> attribute : info.attributes().entrySet()) {
      json.writeBinaryField(attribute.getKey(), attribute.getValue());
    }
    json.writeEndObject();
  }

  /** A field with a list of problems. */
  public static void problems(JsonGenerator json, List<TreeProblem> problems) throws IOException {
    json.writeArrayFieldStart("problems");
    for (TreeProblem problem : problems) {
      json.writeStartObject();
      json.writeStringField("path", problem.path());
      json.writeStringField("reason", problem.reason());
      if (!problem.unreadable().isEmpty()) {
        json.writeArrayFieldStart("unreadable");
        for (TreeProblem.Range range : problem.unreadable()) {
          json.writeStartObject();
          json.writeNumberField("offset", range.offset());
          json.writeNumberField("bytes", range.bytes());
          json.writeEndObject();
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** A time in ISO 8601. */
  public static String time(long nanos) {
    long second = Math.floorDiv(nanos, 1_000_000_000L);
    return Instant.ofEpochSecond(second, Math.floorMod(nanos, 1_000_000_000L)).toString();
  }
}
