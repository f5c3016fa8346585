package dev.upcall.sim.store.campaign;

import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordRing;
import dev.upcall.sim.store.plan.Canary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * What the machines of one lifetime recorded. It is a directory: the file {@code lifetime}, text,
 * written last, says what was run and how it ended; the file {@code records} has entries as {@code
 * docs/trace.md} draws them, whole and in their order, each machine a run.
 *
 * @param head what was run
 * @param machines what each of them recorded, in the order of their starts
 */
record SimRecording(Head head, List<Machine> machines) {
  private static final String HEAD = "lifetime";
  private static final String RECORDS = "records";
  private static final String STORE = "recording";
  private static final String FIRST_LINE = "a simulated lifetime, version 1";
  private static final String CHECKSUM = "checksum";

  /**
   * What was run, and how it ended.
   *
   * @param build as {@link SimBuild#id}
   * @param plan what the seed meant, as text
   * @param end how it ended
   * @param records how many are in the recording
   * @param leftOut how many came later, and are not
   */
  record Head(
      long seed,
      Canary canary,
      String build,
      String plan,
      String end,
      long records,
      long leftOut) {}

  /**
   * What one machine recorded.
   *
   * @param names that its records mention
   * @param records whole and little-endian
   */
  record Machine(List<String> names, ByteBuffer records) {
    /** How many. */
    int count() {
      return records.limit() / RecordRing.RECORD_BYTES;
    }

    /** Throws where a record is of a kind that this build does not know. */
    private void check() {
      for (int number = 0; number < count(); number++) {
        record(number);
      }
    }

    /** One of them. */
    FlightRecord record(int number) {
      return FlightRecord.read(records, number * RecordRing.RECORD_BYTES);
    }
  }

  /** A directory that holds no recording that can be replayed; the message says why. */
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    Refused(String why) {
      super(why);
    }
  }

  /** The file of the entries. */
  static Path records(Path folder) {
    return folder.resolve(RECORDS);
  }

  /**
   * Makes the directory, or empties that of an earlier recording.
   *
   * @throws Refused if it has something else in it
   */
  static void prepare(Path folder) throws IOException {
    Files.createDirectories(folder);
    try (var found = Files.list(folder)) {
      for (Path file : found.toList()) {
        String name = file.getFileName().toString();
        if (!name.equals(HEAD) && !name.equals(RECORDS)) {
          throw new Refused(folder + " is no recording of the simulator, and not empty either");
        }
      }
    }
    Files.deleteIfExists(folder.resolve(HEAD));
    Files.deleteIfExists(folder.resolve(RECORDS));
  }

  /** Writes what was run, when all entries are there. */
  static void finish(Path folder, Head head) throws IOException {
    String text =
        """
        %s
        seed: %d
        canary: %s
        build: %s
        records: %d
        left out: %d
        bytes: %d
        end: %s
        plan: %s
        """
            .formatted(
                FIRST_LINE,
                head.seed(),
                head.canary(),
                head.build(),
                head.records(),
                head.leftOut(),
                Files.size(folder.resolve(RECORDS)),
                head.end(),
                head.plan());
    Files.writeString(folder.resolve(HEAD), text + CHECKSUM + ": " + checksum(text) + "\n");
  }

  /**
   * Reads all of it.
   *
   * @throws Refused if it is none, or not whole
   */
  static SimRecording read(Path folder) throws IOException {
    Map<String, String> fields = fields(folder);
    byte[] records = Files.exists(records(folder)) ? Files.readAllBytes(records(folder)) : null;
    if (records == null) {
      throw new Refused(folder + " is not whole: its records are missing");
    }
    try {
      long bytes = Long.parseLong(field(fields, "bytes"));
      if (records.length != bytes) {
        throw new Refused(
            "%s is not whole: %d bytes of records, of %d".formatted(folder, records.length, bytes));
      }
      Head head =
          new Head(
              Long.parseLong(field(fields, "seed")),
              canary(folder, field(fields, "canary")),
              field(fields, "build"),
              field(fields, "plan"),
              field(fields, "end"),
              Long.parseLong(field(fields, "records")),
              Long.parseLong(field(fields, "left out")));
      return new SimRecording(head, machines(folder, head, ByteBuffer.wrap(records)));
    } catch (IllegalArgumentException foreign) {
      throw new Refused(folder + " is of another version");
    }
  }

  private static Map<String, String> fields(Path folder) throws IOException {
    Path file = folder.resolve(HEAD);
    if (!Files.isRegularFile(file)) {
      throw new Refused(folder + whatElse(folder));
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    int sum = text.lastIndexOf(CHECKSUM + ": ");
    if (!text.startsWith(FIRST_LINE.substring(0, FIRST_LINE.indexOf(',')))) {
      throw new Refused(folder + " is no recording of the simulator");
    }
    if (!text.startsWith(FIRST_LINE + "\n")) {
      throw new Refused(folder + " is of another version");
    }
    if (sum < 0
        || !text.substring(sum).equals(CHECKSUM + ": " + checksum(text.substring(0, sum)) + "\n")) {
      throw new Refused(file + " is damaged");
    }
    Map<String, String> fields = new LinkedHashMap<>();
    text.lines()
        .skip(1)
        .forEach(
            line -> {
              int colon = line.indexOf(": ");
              fields.put(line.substring(0, colon), line.substring(colon + 2));
            });
    return fields;
  }

  private static String whatElse(Path folder) {
    if (!Files.isDirectory(folder)) {
      return " is no directory";
    }
    if (Files.exists(folder.resolve(STORE))) {
      return " is the recording of a store that was served: replay it with ./upcall trace replay";
    }
    return Files.exists(records(folder))
        ? " is not whole: who recorded it did not finish"
        : " is no recording of the simulator";
  }

  private static String field(Map<String, String> fields, String name) throws Refused {
    String value = fields.get(name);
    if (value == null) {
      throw new Refused("a recording of another version: it has no " + name);
    }
    return value;
  }

  private static Canary canary(Path folder, String name) throws Refused {
    for (Canary one : Canary.values()) {
      if (one.name().equals(name)) {
        return one;
      }
    }
    throw new Refused(folder + " is of a store that is broken in a way unknown here: " + name);
  }

  private static List<Machine> machines(Path folder, Head head, ByteBuffer all) throws Refused {
    all.order(ByteOrder.LITTLE_ENDIAN);
    List<Machine> machines = new ArrayList<>();
    List<String> names = new ArrayList<>();
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    int machine = 1;
    long count = 0;
    while (all.hasRemaining()) {
      int at = all.position();
      SimEntries.Entry entry = SimEntries.read(all, head.seed());
      while (entry != null && entry.machine() > machine) {
        // One that never turned has recorded nothing.
        machines.add(machine(names, records));
        machine++;
        names = new ArrayList<>();
        records = new ByteArrayOutputStream();
      }
      ByteBuffer some = entry == null ? null : entry.records();
      int next = some == null ? names.size() : records.size() / RecordRing.RECORD_BYTES;
      if (entry == null || entry.machine() != machine || entry.first() != next) {
        throw new Refused("%s is damaged at byte %d".formatted(records(folder), at));
      }
      names.addAll(entry.names());
      if (some != null) {
        byte[] bytes = new byte[some.remaining()];
        some.get(bytes);
        records.writeBytes(bytes);
        count += bytes.length / RecordRing.RECORD_BYTES;
      }
    }
    machines.add(machine(names, records));
    machines.forEach(Machine::check);
    if (count != head.records()) {
      throw new Refused("%s is damaged: %d records".formatted(records(folder), count));
    }
    return machines;
  }

  private static Machine machine(List<String> names, ByteArrayOutputStream records) {
    return new Machine(
        List.copyOf(names), ByteBuffer.wrap(records.toByteArray()).order(ByteOrder.LITTLE_ENDIAN));
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }
}
