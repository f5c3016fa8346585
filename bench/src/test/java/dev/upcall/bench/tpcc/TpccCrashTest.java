package dev.upcall.bench.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.worker.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that runs the transactions of TPC-C is killed at random instants. Each time the
 * conditions of consistency hold, indexes agree with what they are of, and what was acknowledged is
 * there.
 */
class TpccCrashTest {
  /** How many kills the long lane takes. */
  private static final int ROUNDS = Integer.getInteger("upcall.crash.rounds", 24);

  private static final Scale SCALE = Scale.tiny();
  private static final long MEMORY_BYTES = 32L << 20;
  private static final int TERMINALS = 4;
  private static final int LONGEST_MILLIS = 1500;

  @TempDir Path folder;

  @Test
  void consistentAfterTwoKills() throws Exception {
    judge(2);
  }

  @Test
  @Tag("long")
  void consistentAfterManyKills() throws Exception {
    judge(ROUNDS);
  }

  private void judge(int rounds) throws Exception {
    Random random = new Random(31);
    Path acks = folder.resolve("acks");
    long acknowledged = 0;
    for (int round = 0; round < rounds; round++) {
      killOne(round, acks, 100 + random.nextInt(LONGEST_MILLIS));
      acknowledged = check(acks);
    }
    assertTrue(acknowledged > rounds, "acknowledged: " + acknowledged);
    Files.writeString(acks, Files.readString(acks) + "order 1 1 999999\n");
    assertThrows(AssertionError.class, () -> check(acks), "the judge can fail");
  }

  private void killOne(int round, Path acks, int millis) throws Exception {
    Map<String, Object> options =
        TpccExperiment.options(folder.resolve("store"), 32L << 20, "upcall", SCALE, TERMINALS);
    options.put("memory", MEMORY_BYTES);
    options.put("seed", round);
    options.put("acks", acks);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--"))
        .forEach(command::add);
    command.addAll(List.of("-ea", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Worker.class.getName()));
    command.add("tpcc");
    options.forEach((key, value) -> command.add(key + "=" + value));
    Path errors = folder.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String ready = said.readLine();
      assertNotNull(ready, () -> read(errors));
      process.getOutputStream().write("run millis=600000\n".getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      boolean ended = process.waitFor(millis, TimeUnit.MILLISECONDS);
      assertTrue(!ended, () -> read(errors));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }

  /** The findings in the store, and how much was acknowledged. */
  private long check(Path acks) throws IOException {
    List<String> lines = Files.readAllLines(acks);
    try (Database database = Database.open("upcall", folder.resolve("store"), MEMORY_BYTES)) {
      assertEquals(List.of(), Conditions.broken(database, SCALE));
      long paid = lines.stream().filter("paid"::equals).count();
      long atFirst = (long) SCALE.warehouses() * Scale.DISTRICTS * SCALE.customers();
      assertTrue(database.payments() >= atFirst + paid, "a payment is lost");
      List<String> lost =
          database.look(
              work ->
                  lines.stream()
                      .filter(line -> line.startsWith("order "))
                      .filter(line -> work.get(Table.ORDERS, order(line)) == null)
                      .toList());
      assertEquals(List.of(), lost);
    }
    return lines.size();
  }

  private static byte[] order(String line) {
    String[] words = line.split(" ", -1);
    return Rows.key(
        Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
  }
}
