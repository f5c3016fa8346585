package dev.upcall.cli.volume;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.cli.option.Sizes;
import dev.upcall.store.SpaceUse;
import dev.upcall.store.TableUse;
import dev.upcall.store.VerifyReport;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** The sums that a walk has counted, as commands say them. */
final class SpaceText {
  private SpaceText() {}

  /** As objects {@code space} and {@code tables}. */
  static void write(JsonGenerator json, VerifyReport counted) throws IOException {
    write(json, counted.space());
    TableUse tables = counted.tables();
    json.writeObjectFieldStart("tables");
    json.writeNumberField("tables", tables.tables());
    json.writeNumberField("entries", tables.entries());
    json.writeNumberField("valueBytes", tables.valueBytes());
    json.writeNumberField("pages", tables.pages());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, SpaceUse space) throws IOException {
    json.writeObjectFieldStart("space");
    json.writeNumberField("logicalBytes", space.logicalBytes());
    json.writeNumberField("storedBytes", space.storedBytes());
    json.writeNumberField("savedByCompressionBytes", space.savedByCompressionBytes());
    json.writeNumberField("savedBySharingBytes", space.savedBySharingBytes());
    json.writeNumberField("holeBytes", space.holeBytes());
    json.writeNumberField("inlineBytes", space.inlineBytes());
    json.writeNumberField("unusedBytes", space.unusedBytes());
    json.writeNumberField("fixedBytes", space.fixedBytes());
    json.writeNumberField("metadataBytes", space.metadataBytes());
    json.writeNumberField("leavingBytes", space.leavingBytes());
    json.writeNumberField("snapshotBytes", space.snapshotBytes());
    json.writeNumberField("freeBytes", space.freeBytes());
    json.writeEndObject();
  }

  /** As two sums, a line for each number, and a line for tables. */
  static String lines(VerifyReport counted) {
    SpaceUse space = counted.space();
    TableUse tables = counted.tables();
    Map<String, Long> lines = new LinkedHashMap<>();
    lines.put("logical, all sizes of files", space.logicalBytes());
    lines.put("  stored in blocks", space.storedBytes());
    lines.put("  saved by compression", space.savedByCompressionBytes());
    lines.put("  saved by sharing", space.savedBySharingBytes());
    lines.put("  holes", space.holeBytes());
    lines.put("  in metadata, being small", space.inlineBytes());
    lines.put("  less: unused parts of blocks", -space.unusedBytes());
    lines.put("size of the volume", space.volumeBytes());
    lines.put("  stored content", space.storedBytes());
    lines.put("  metadata", space.metadataBytes());
    lines.put("  superblocks, log, free-space map", space.fixedBytes());
    lines.put("  deleted content on its way back", space.leavingBytes());
    lines.put("  of snapshots alone", space.snapshotBytes());
    lines.put("  free", space.freeBytes());
    StringJoiner text = new StringJoiner(System.lineSeparator());
    lines.forEach(
        (name, bytes) ->
            text.add(String.format(Locale.ROOT, "%-34s%,20d  %s", name, bytes, shown(bytes))));
    return text.add(
            String.format(
                Locale.ROOT,
                "%,d tables have %,d entries with values of %,d bytes, in %,d pages",
                tables.tables(),
                tables.entries(),
                tables.valueBytes(),
                tables.pages()))
        .toString();
  }

  private static String shown(long bytes) {
    return bytes < 0 ? "-" + Sizes.show(-bytes) : Sizes.show(bytes);
  }
}
