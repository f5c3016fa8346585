package dev.upcall.httpd.listing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.FileInfo;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.SitePage;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A directory for programs; {@code docs/http.md} has the form. */
final class JsonListing implements ListingFormat {
  private static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

  /** In the place of a kind: what the entry is cannot be read. */
  private static final String UNREADABLE = "unreadable";

  private static final long NANOS_IN_SECOND = 1_000_000_000L;

  private final ListingQuery query;

  /** How many entries there are, once that is known; null if it is not. */
  private @Nullable Integer total;

  JsonListing(ListingQuery query) {
    this.query = query;
  }

  /** Writes one value. */
  private interface Value {
    void write(JsonGenerator json) throws IOException;
  }

  @Override
  public void head(
      StringBuilder out, String path, @Nullable EntryCount count, @Nullable String previous) {
    total = count == null || count.isBounded() ? null : (Integer) count.total();
    out.append("{\"path\":");
    append(out, json -> json.writeString(path));
    out.append(",\"entries\":[\n");
  }

  @Override
  public void entry(
      StringBuilder out, boolean first, SitePage.Entry entry, @Nullable LinkTarget link) {
    out.append(first ? "" : ",\n");
    append(
        out,
        json -> {
          json.writeStartObject();
          json.writeStringField("name", entry.name());
          if (entry.info().isPresent()) {
            write(json, entry.info().get());
          } else {
            json.writeStringField("kind", UNREADABLE);
          }
          if (link != null) {
            json.writeStringField("target", link.path());
            json.writeStringField("leadsTo", link.found().map(FileInfo::kindName).orElse(null));
          }
          json.writeEndObject();
        });
  }

  private static void write(JsonGenerator json, FileInfo info) throws IOException {
    json.writeStringField("kind", info.kindName());
    if (info.isFile()) {
      json.writeNumberField("sizeBytes", info.sizeBytes());
      json.writeNumberField("storedBytes", info.stored().bytes());
    }
    json.writeStringField("modified", time(info.times().modifiedNanos()));
    json.writeNumberField("version", info.version());
    if (info.isFile()) {
      json.writeStringField("etag", "\"" + info.entityTag() + "\"");
      json.writeStringField("mediaType", info.mediaType());
    }
  }

  @Override
  public void foot(
      StringBuilder out, int entries, @Nullable String previous, @Nullable String next) {
    out.append(entries == 0 ? "" : "\n").append("],\"total\":").append(total);
    reference(out, "first", query.first());
    reference(out, "previous", previous);
    reference(out, "next", next);
    out.append("}\n");
  }

  private static void reference(StringBuilder out, String field, @Nullable String page) {
    out.append(",\"").append(field).append("\":");
    append(out, json -> json.writeString(page));
  }

  private static void append(StringBuilder out, Value value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      value.write(json);
    } catch (IOException impossible) {
      throw new UncheckedIOException("writing to memory", impossible);
    }
    out.append(text.getBuffer());
  }

  private static String time(long nanos) {
    long second = Math.floorDiv(nanos, NANOS_IN_SECOND);
    return Instant.ofEpochSecond(second, Math.floorMod(nanos, NANOS_IN_SECOND)).toString();
  }
}
