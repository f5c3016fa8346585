package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.option.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code upcall compression}, and what it makes of the files that are put next. */
class CompressionCommandTest {
  private static final String TEXT =
      "What is said again and again takes little room.\n".repeat(4000);

  @TempDir Path here;

  private TestShell shell;

  @BeforeEach
  void makeStore() {
    shell = new TestShell(here);
    ok(TEXT, "put", "-", "/d/plain", "-p", "--create", "--store=s.upcall", "--volume-size=64m");
  }

  private String ok(String input, String... args) {
    int code = shell.input(input.getBytes(StandardCharsets.UTF_8)).run(args);
    assertEquals(ExitCode.OK, code, shell::err);
    return shell.out();
  }

  private void refused(int code, String words, String... args) {
    assertEquals(code, shell.run(args), shell::out);
    assertTrue(shell.err().contains(words), shell::err);
  }

  @Test
  void aChoiceHoldsForWhatIsPutNext() {
    ok("", "compression", "/d");
    assertTrue(shell.err().contains("/d: not chosen"), shell::err);
    ok("", "compression", "/d", "balanced");
    assertTrue(shell.err().contains("/d: balanced"), shell::err);
    ok(TEXT, "put", "-", "/d/small");
    String stat = ok("", "stat", "/d/small");
    assertTrue(stat.contains("size:       192000\nstored:     12288\n"), stat);
    assertTrue(stat.contains("compression: balanced\n"), stat);
    assertTrue(ok("", "stat", "/d/plain").contains("stored:     192512\n"), shell::out);
    assertEquals(TEXT, ok("", "cat", "/d/small"));
    String list = ok("", "ls", "-ls", "/d");
    assertTrue(list.lines().anyMatch(line -> line.matches(" +192512 -rw.* 192000 .*plain")), list);
    assertTrue(list.lines().anyMatch(line -> line.matches(" +12288 -rw.* 192000 .*small")), list);
    refused(ExitCode.USAGE, "-s is for -l", "ls", "-s", "/d");
    ok("", "compression", "/d", "none", "-R");
    assertTrue(shell.err().contains("/d: none, and 2 below"), shell::err);
    String json = ok("", "stat", "/d/plain", "--json");
    assertTrue(json.contains("\"compression\":\"none\""), json);
    assertEquals(TEXT, ok("", "cat", "/d/small"));
    ok("", "verify", "--deep");
    assertTrue(shell.err().contains(" read, 44 more saved by compression, and "), shell::err);
    refused(ExitCode.USAGE, "none, fast or balanced, not 'best'", "compression", "/d", "best");
    refused(ExitCode.USAGE, "needs a choice", "compression", "/d", "-R");
    refused(ExitCode.FAILED, "/e does not exist", "compression", "/e", "fast");
  }

  @Test
  void theEngineOfThreadsReadsIt() {
    ok("", "compression", "/d", "fast");
    ok(TEXT, "put", "-", "/d/small");
    assertEquals(TEXT, ok("", "cat", "/d/small", "--engine=threads"));
    assertEquals(
        TEXT.substring(100_000), ok("", "cat", "/d/small", "--offset=100000", "--engine=threads"));
  }

  @Test
  void theEngineOfThreadsRefusesToCompress_andUndoesIt() {
    ok("", "compression", "/d", "fast", "-R");
    String words = "/d/plain cannot be compressed here: the engine of threads stores plainly";
    refused(ExitCode.FAILED, words, "rewrite", "/d/plain", "--engine=threads");
    refused(ExitCode.FAILED, words, "rewrite", "/", "-R", "--engine=virtual");
    ok("", "rewrite", "/d/plain");
    assertTrue(ok("", "stat", "/d/plain").contains("stored:     12288\n"), shell::out);
    ok("", "compression", "/d", "none", "-R");
    ok("", "rewrite", "/d/plain", "--engine=threads");
    assertTrue(ok("", "stat", "/d/plain").contains("stored:     192512\n"), shell::out);
  }

  @Test
  void anImportFollowsTheChoice() throws Exception {
    Files.writeString(Files.createDirectories(here.resolve("in")).resolve("text"), TEXT);
    ok("", "compression", "/d", "fast");
    ok("", "import", "in", "--into=/d", "--store=s.upcall");
    assertTrue(ok("", "stat", "/d/text").contains("stored:     12288\n"), shell::out);
  }

  @Test
  void oldContentIsBroughtToAChoiceAndBack() {
    ok("", "compression", "/d", "balanced", "-R");
    String before = ok("", "stat", "/d/plain");
    ok("", "rewrite", "/d/plain");
    assertTrue(
        shell.err().contains("/d/plain: 12288 bytes in 1 pieces were 192512 in 1"), shell::err);
    String after = ok("", "stat", "/d/plain");
    for (String kept : "size: modified: created: id: mode: owner: links: compression:".split(" ")) {
      assertEquals(line(before, kept), line(after, kept));
    }
    assertEquals(TEXT, ok("", "cat", "/d/plain"));
    ok("", "compression", "/d", "none", "-R");
    ok("abc", "put", "-", "/d/little");
    refused(ExitCode.FAILED, "/d is a directory; -R", "rewrite", "/d");
    refused(ExitCode.USAGE, "--rate is at least 1", "rewrite", "/d", "-R", "--rate=0");
    ok("", "rewrite", "/d", "-R");
    assertTrue(shell.err().contains("/d: 1 of 1 files are stored anew"), shell::err);
    assertTrue(ok("", "stat", "/d/plain").contains("stored:     192512\n"), shell::out);
    String json = ok("", "rewrite", "/", "-R", "--json");
    assertTrue(json.contains("\"files\":0,\"rewritten\":0"), json);
    ok("", "verify", "--deep");
  }

  @Test
  void aLinkIsFollowedWhereItIsNamed_andNotBelow() throws Exception {
    Path in = Files.createDirectories(here.resolve("in"));
    Files.createSymbolicLink(in.resolve("file"), Path.of("../d/plain"));
    Files.createSymbolicLink(in.resolve("directory"), Path.of("/d"));
    Files.createSymbolicLink(in.resolve("nowhere"), Path.of("nothing"));
    ok("", "import", "in", "--into=/e", "--store=s.upcall");
    ok("", "compression", "/d", "fast", "-R");
    ok("", "rewrite", "/e", "-R");
    assertTrue(shell.err().contains("/e: 0 of 0 files are stored anew"), shell::err);
    ok("", "rewrite", "/e/file");
    assertTrue(ok("", "stat", "/d/plain").contains("stored:     12288\n"), shell::out);
    ok("", "compression", "/d", "none", "-R");
    ok("", "rewrite", "/e/directory", "-R");
    assertTrue(ok("", "stat", "/d/plain").contains("stored:     192512\n"), shell::out);
    refused(ExitCode.FAILED, "does not exist", "rewrite", "/e/nowhere", "-R");
  }

  @Test
  void anOptionSaysItWhereNobodyElseDoes() throws Exception {
    Files.writeString(Files.createDirectories(here.resolve("in/deep")).resolve("text"), TEXT);
    ok("", "import", "in", "--into=/e", "--store=s.upcall", "--compression=fast");
    assertTrue(ok("", "stat", "/e/deep/text").contains("stored:     12288\n"), shell::out);
    ok(TEXT, "put", "-", "/d/b", "--compression=balanced", "--dedup=file");
    ok(TEXT, "put", "-", "/d/c", "--dedup=file");
    String count = ok("", "info", "--count", "--json");
    assertTrue(count.contains("\"savedBySharingBytes\":192512,"), count);
    assertTrue(count.contains("\"savedByCompressionBytes\":360448,"), count);
    ok("", "compression", "/d", "none");
    ok(TEXT, "put", "-", "/d/d", "--compression=balanced");
    assertTrue(ok("", "stat", "/d/d").contains("stored:     192512\n"), shell::out);
    for (String wrong :
        List.of("--compression=best", "--dedup=all", "--gather=100k", "--gather=32m")) {
      refused(ExitCode.USAGE, wrong.split("=", -1)[0].substring(2), "put", "-", "/d/e", wrong);
    }
    refused(
        ExitCode.USAGE,
        "need the engine fsm",
        "put",
        "-",
        "/e",
        "--dedup=file",
        "--engine=threads");
  }

  @Test
  void aGatherIsAsLargeAsIsSaid() {
    String text = noise(3_000_000);
    for (String gather : List.of("64k", "16m")) {
      ok(text, "put", "-", "/d/" + gather, "--gather=" + gather, "--memory=128m");
      assertEquals(text, ok("", "cat", "/d/" + gather));
      String config = ok("", "config", "--gather=" + gather, "--memory=128m");
      String bytes = gather.equals("64k") ? "65536" : "16777216";
      assertTrue(
          config
              .lines()
              .anyMatch(line -> line.contains("content.gatherBytes") && line.contains(bytes)),
          config);
    }
    refused(
        ExitCode.USAGE,
        "an eighth of memoryBytes",
        "put",
        "-",
        "/d/e",
        "--gather=16m",
        "--memory=64m");
    ok("", "verify", "--deep");
  }

  private static String line(String stat, String label) {
    return stat.lines().filter(line -> line.startsWith(label)).findFirst().orElseThrow();
  }

  @Test
  void aTreeIsRewrittenUntilTheVolumeIsFullAndGoesOnWhenThereIsRoom() {
    String text = noise(6_000_000);
    ok("", "mkdir", "/t");
    String short0 = text.substring(0, 600_000);
    for (int i = 0; i < 3; i++) {
      ok(i == 0 ? short0 : text, "put", "-", "/t/" + i);
    }
    ok("", "mkdir", "/room");
    ok(short0, "put", "-", "/room/a");
    ok(short0, "put", "-", "/room/b");
    assertTrue(fill(text, "/room/") > 1, shell::err);
    ok("", "compression", "/t", "fast", "-R");
    fill(short0, "/room/less");
    fill(short0.substring(0, 80_000), "/room/least");
    refused(ExitCode.FAILED, "0 of 3 files are stored anew", "rewrite", "/t", "-R");
    assertTrue(shell.err().contains("make room and run it again"), shell::err);
    ok("", "rm", "/room/a", "/room/b");
    refused(ExitCode.FAILED, "/t/1: ", "rewrite", "/t", "-R");
    assertTrue(
        shell.err().contains("1 of 3 files are stored anew, the others as they were"), shell::err);
    assertEquals(text, ok("", "cat", "/t/1"));
    ok("", "rm", "/room/0");
    ok("", "rewrite", "/t", "-R", "--rate=1g");
    assertTrue(shell.err().contains("2 of 2 files are stored anew"), shell::err);
    assertEquals(text, ok("", "cat", "/t/2"));
    assertEquals(short0, ok("", "cat", "/t/0"));
    ok("", "verify", "--deep");
  }

  private int fill(String text, String path) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    int files = 0;
    while (shell.input(content).run("put", "-", path + files) == ExitCode.OK) {
      files++;
    }
    return files;
  }

  /** Text that can be compressed a little. */
  private static String noise(int length) {
    StringBuilder text = new StringBuilder(length);
    SplittableRandom random = new SplittableRandom(1);
    while (text.length() < length) {
      text.append((char) ('0' + random.nextInt(64)));
    }
    return text.toString();
  }

  @Test
  void aStopLeavesFilesAsTheyAre() {
    ok("", "compression", "/d", "balanced", "-R");
    shell.stop.ask();
    assertEquals(ExitCode.INTERRUPTED, shell.run("rewrite", "/d", "-R"), shell::err);
    assertTrue(shell.err().contains("not to its end"), shell::err);
  }
}
