package dev.upcall.cli.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.TestShell;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.config.TrafficConfig;
import dev.upcall.specweb.document.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code upcall blocks}: of traces by hand, and of a store's own. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class BlocksCommandsTest {
  private static final String BY_HAND =
      """
      fio version 3 iolog
      0 /dev/x add
      0 /dev/x open
      0 /dev/x read 0 8192
      1000 /dev/x read 8192 4096
      2000 /dev/x write 40960 4096
      2500 /dev/x datasync 0 0
      3000 /dev/x read 81920 4096
      4000 /dev/x write 45056 4096
      """;

  @TempDir Path here;

  private TestShell shell() {
    return new TestShell(here);
  }

  private TestShell run(int code, String... args) {
    TestShell shell = shell();
    assertEquals(code, shell.run(args), () -> shell.err() + shell.out());
    return shell;
  }

  private void byHand() throws IOException {
    Files.writeString(here.resolve("trace"), BY_HAND);
  }

  @Test
  void theMeasuresOfATraceByHand() throws IOException {
    byHand();
    JsonTree stat = JsonTree.parse(run(ExitCode.OK, "blocks", "stat", "trace", "--json").out());
    assertEquals("iolog3", stat.get("form").text());
    assertEquals(6, stat.get("entries").number());
    assertEquals(32, stat.get("reads").get("sectors").number());
    assertEquals(16, stat.get("writes").get("sectors").number());
    assertEquals(1.0 / 3, stat.get("reads").get("sequentiality").number(), 1e-9);
    assertEquals(16, stat.get("reads").get("meanStreamSectors").number());
    assertEquals(0.5, stat.get("writes").get("sequentiality").number());
    assertEquals(1, stat.get("syncs").number());
    assertEquals(1_000_000, stat.get("meanInterarrivalNanos").number());
    assertEquals(6, stat.get("footprintPages").number());
    String text = run(ExitCode.OK, "blocks", "stat", "trace").out();
    assertTrue(
        text.lines()
            .map(line -> line.replaceAll(" +", " "))
            .toList()
            .containsAll(
                List.of(
                    "mean stream, sectors 16.00 16.00",
                    "sequentiality 0.33 0.50",
                    "mean interarrival, ms 1.00")),
        text);
  }

  @Test
  void requestsAreShownOneALine() throws IOException {
    byHand();
    List<String> lines =
        run(ExitCode.OK, "blocks", "show", "trace", "--skip=2", "--most=2").out().lines().toList();
    assertEquals(3, lines.size(), lines::toString);
    assertEquals("2.0000 write 10 1 foreground_write nobody", words(lines.get(1)));
    assertEquals("2.5000 sync 0 0 log nobody", words(lines.get(2)));
    JsonTree all = JsonTree.parse(run(ExitCode.OK, "blocks", "show", "trace", "--json").out());
    assertEquals(6, all.get("requests").elements().size());
  }

  private static String words(String line) {
    return line.strip().replaceAll(" +", " ");
  }

  @Test
  void aPlotIsAPageOfItsOwn() throws IOException {
    byHand();
    run(ExitCode.OK, "blocks", "plot", "trace", "page.html");
    String page = Files.readString(here.resolve("page.html"));
    assertTrue(page.contains("<svg") && page.contains("place on the device, MiB"), page);
    assertFalse(page.contains("http://") || page.contains("https://"), "it needs nothing else");
    run(ExitCode.FAILED, "blocks", "plot", "trace", "page.html");
  }

  @ParameterizedTest
  @ValueSource(strings = {"upcall", "iolog2", "iolog3", "blkparse"})
  void eachFormHasTheSameMeasures(String form) throws IOException {
    byHand();
    run(ExitCode.OK, "blocks", "convert", "trace", "other", "--to=" + form);
    JsonTree before = JsonTree.parse(run(ExitCode.OK, "blocks", "stat", "trace", "--json").out());
    JsonTree after = JsonTree.parse(run(ExitCode.OK, "blocks", "stat", "other", "--json").out());
    assertEquals(form, after.get("form").text());
    for (String what : List.of("reads", "writes", "spanNanos", "syncs", "footprintPages")) {
      assertEquals(before.get(what), after.get(what), what);
    }
    run(ExitCode.FAILED, "blocks", "convert", "trace", "other", "--to=" + form);
  }

  @Test
  void aTraceOfAStoreIsMeasuredByWhoAsked() throws IOException {
    UpcallConfig traced =
        UpcallConfig.DEFAULT.withTraffic(TrafficConfig.NONE.withFile(here.resolve("trace")));
    try (Upcall store = Upcall.create(here.resolve("s.upcall"), traced)) {
      for (int i = 0; i < 30; i++) {
        store.write("/f" + i, new byte[5000]);
      }
      store.checkpoint();
    }
    JsonTree stat = JsonTree.parse(run(ExitCode.OK, "blocks", "stat", "trace", "--json").out());
    List<String> askers =
        stat.get("askers").elements().stream().map(asker -> asker.get("name").text()).toList();
    assertTrue(askers.contains("checkpoint"), askers::toString);
    assertTrue(askers.stream().anyMatch(name -> name.startsWith("thread ")), askers::toString);
    String all = run(ExitCode.OK, "blocks", "show", "trace", "--most=0").out();
    assertEquals(stat.get("entries").number() + 1, all.lines().count());
    run(ExitCode.OK, "blocks", "convert", "trace", "log", "--to=iolog3");
    assertTrue(run(ExitCode.OK, "blocks", "stat", "log").out().contains("iolog3"));
  }

  @Test
  void aCutTraceIsUsedAsFarAsItGoesAndThatIsSaid() throws IOException {
    byHand();
    run(ExitCode.OK, "blocks", "convert", "trace", "ours", "--to=upcall");
    byte[] whole = Files.readAllBytes(here.resolve("ours"));
    Files.write(here.resolve("cut"), Arrays.copyOf(whole, whole.length - 1));
    TestShell ours = run(ExitCode.PARTLY, "blocks", "stat", "cut");
    assertTrue(ours.err().contains("block 1, at byte 64: the file is cut"), ours.err());
    Files.writeString(here.resolve("cut.log"), BY_HAND.substring(0, BY_HAND.length() - 8));
    TestShell fio = run(ExitCode.PARTLY, "blocks", "stat", "cut.log");
    assertTrue(
        fio.err().contains("read to its last whole entry, number 5: line 9: the file is cut"),
        fio.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "stat none | none",
        "stat odd | odd: it is no block trace",
        "stat back | back: line 3: it is earlier than the one before, by 1 us",
        "convert trace x --to=csv | --to: a trace is written as upcall, iolog2, iolog3 or blkparse",
        "convert trace x --to=iolog2 --device=a\u00a0b | no way to write a blank",
        "show trace --most=-1 | --skip and --most are numbers of requests",
        "replay trace target | say --overwrite",
        "replay trace target --overwrite=trace | is not the target",
        "replay trace target --overwrite=none | is not the target",
        "replay trace --overwrite=target | --overwrite goes with a target",
        "replay trace target --reads-only --size=4k | --size is that of a scratch file",
        "replay trace target --reads-only --speed=-1 | speed is -1.0, must be from 0 to 1000000",
        "replay trace target --reads-only --depth=0 | depth is 0, must be from 1 to 1024",
        "replay trace target --reads-only --io-policy=best | there is no policy 'best'",
        "replay trace target --reads-only --io-policy=cfq,quantum=0 | quantum is 0, must be from 1",
        "replay trace --size=8k | line 8 of the trace reaches to 84 KiB",
        "replay trace small --reads-only | line 8 of the trace reaches to 84 KiB",
        "replay trace none --reads-only | none",
      })
  void whatCannotBeDoneIsSaid(String command, String message) throws IOException {
    byHand();
    Files.writeString(here.resolve("odd"), "odd");
    Files.writeString(
        here.resolve("back"), "fio version 3 iolog\n5 /d read 0 4096\n4 /d read 0 4096\n");
    byte[] before = new byte[1 << 20];
    before[77] = 5;
    Files.write(here.resolve("target"), before);
    Files.write(here.resolve("small"), new byte[8192]);
    TestShell shell = shell();
    String[] args =
        Stream.concat(
                Stream.of("blocks"),
                Arrays.stream(command.split(" ", -1)).map(word -> word.replace('\u00a0', ' ')))
            .toArray(String[]::new);
    assertTrue(List.of(ExitCode.FAILED, ExitCode.USAGE).contains(shell.run(args)), shell.err());
    assertTrue(shell.err().contains(message), shell.err());
    assertEquals(-1, Arrays.mismatch(before, Files.readAllBytes(here.resolve("target"))));
    assertEquals(0, scratches(), "nothing is left");
  }

  private long scratches() throws IOException {
    try (Stream<Path> files = Files.list(here)) {
      return files.filter(file -> file.toString().endsWith(".scratch")).count();
    }
  }

  @Test
  void aReplayOnAScratchFileLeavesNothing() throws IOException {
    byHand();
    JsonTree report =
        JsonTree.parse(run(ExitCode.OK, "blocks", "replay", "trace", "--speed=0", "--json").out());
    assertEquals(6, report.get("played").number());
    assertEquals(0, report.get("failed").number());
    assertEquals(32, report.get("issued").get("reads").get("sectors").number());
    assertEquals(16, report.get("issued").get("writes").get("sectors").number());
    assertTrue(report.get("deviceNanos").number() > 0);
    assertEquals(0, scratches());
  }

  @ParameterizedTest
  @ValueSource(strings = {"noop", "deadline", "anticipatory", "cfq", "fair", "rotating"})
  void aReplayWritesWhereItIsToldTwice(String policy) throws IOException {
    byHand();
    byte[] before = new byte[1 << 20];
    Files.write(here.resolve("target"), before);
    String out =
        run(
                ExitCode.OK,
                "blocks",
                "replay",
                "trace",
                "target",
                "--overwrite=target",
                "--speed=100",
                "--io-policy=" + policy)
            .out();
    assertTrue(out.lines().anyMatch(line -> words(line).equals("played 6")), out);
    byte[] after = Files.readAllBytes(here.resolve("target"));
    assertEquals(before.length, after.length);
    assertEquals(40960, Arrays.mismatch(before, after));
    assertEquals(-1, Arrays.mismatch(before, 49152, before.length, after, 49152, before.length));
  }

  @Test
  void readsAloneChangeNothing() throws IOException {
    byHand();
    Files.write(here.resolve("target"), new byte[1 << 20]);
    Path target = here.resolve("target");
    assertTrue(target.toFile().setReadOnly());
    JsonTree report =
        JsonTree.parse(
            run(ExitCode.OK, "blocks", "replay", "trace", "target", "--reads-only", "--json")
                .out());
    assertEquals(3, report.get("played").number());
    assertEquals(3, report.get("leftOut").number());
    assertTrue(report.get("tookNanos").number() >= 2_500_000, "at the times of the trace");
  }

  @Test
  void aLargerTraceIsFoldedOntoASmallerTargetIfThatIsAskedFor() throws IOException {
    byHand();
    Files.write(here.resolve("small"), new byte[8192]);
    JsonTree report =
        JsonTree.parse(
            run(
                    ExitCode.OK,
                    "blocks",
                    "replay",
                    "trace",
                    "small",
                    "--reads-only",
                    "--scale",
                    "--speed=0",
                    "--json")
                .out());
    assertEquals(3, report.get("played").number());
    assertEquals(2, report.get("issued").get("footprintPages").number());
  }

  @Test
  void whoeverStopsAReplayHasWhatWasMeasured() throws IOException, InterruptedException {
    StringBuilder trace = new StringBuilder("fio version 3 iolog\n");
    for (int i = 0; i < 3000; i++) {
      trace.append(i * 200_000L).append(" /d read ").append(4096 * (i % 10)).append(" 4096\n");
    }
    Files.writeString(here.resolve("long"), trace);
    TestShell shell = shell();
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(() -> shell.run("blocks", "replay", "long", "--json"));
    while (scratches() == 0 && !code.isDone()) {
      Thread.onSpinWait();
    }
    shell.stop.ask();
    assertEquals(ExitCode.PARTLY, code.join(), shell::err);
    JsonTree report = JsonTree.parse(shell.out());
    assertTrue(report.get("stopped").isTrue());
    assertTrue(report.get("played").number() < 3000);
    assertEquals(report.get("played").number(), report.get("done").number());
    assertEquals(0, scratches());
  }
}
