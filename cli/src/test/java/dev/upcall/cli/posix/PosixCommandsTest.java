package dev.upcall.cli.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.TestShell;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.store.StoreAccess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** find, df, cp, chmod and touch. */
class PosixCommandsTest {
  @TempDir Path here;
  private TestShell shell;

  @BeforeEach
  void makeStore() {
    shell = new TestShell(here).variable(StoreAccess.VARIABLE, "s.upcall");
    done("create", "s.upcall", "--volume-size=64m");
    put("/a/one.txt", "1");
    put("/a/two.TXT", "22");
    put("/a/b/large.bin", "x".repeat(5000));
    done("mkdir", "/empty");
  }

  private void put(String path, String content) {
    shell.input(content.getBytes(StandardCharsets.UTF_8));
    done("put", "-", path, "-p");
  }

  private void done(String... args) {
    ended(ExitCode.OK, args);
  }

  private void ended(int code, String... args) {
    assertEquals(code, shell.run(args), () -> String.join(" ", args) + ": " + shell.err());
  }

  private List<String> lines(String... args) {
    done(args);
    return shell.out().lines().toList();
  }

  private String mode(String path) {
    done("stat", path);
    return shell.out().replaceFirst("(?s).*mode: +(\\d+) .*", "$1");
  }

  @Test
  void find_withoutCondition_listsADirectoryBeforeItsEntries() {
    assertEquals(
        List.of("/", "/a", "/a/b", "/a/b/large.bin", "/a/one.txt", "/a/two.TXT", "/empty"),
        lines("find"));
    assertEquals(List.of("/a/b", "/a/b/large.bin", "/empty"), lines("find", "/a/b", "/empty"));
    assertEquals(List.of("/a"), lines("find", "/a", "-maxdepth", "0"));
    ended(ExitCode.FAILED, "find", "/nothing");
  }

  @Test
  void find_withConditions_wantsAllOfThem() {
    assertEquals(List.of("/a/one.txt"), lines("find", "-name", "*.txt"));
    assertEquals(List.of("/a/one.txt", "/a/two.TXT"), lines("find", "/", "--iname=*.txt"));
    assertEquals(List.of("/a/one.txt"), lines("find", "/a", "-name", "[!t]*", "-size", "1"));
    assertEquals(List.of("/a/one.txt"), lines("find", "/a", "-name", "[!t]*", "-size", "1c"));
    assertEquals(List.of("/", "/a", "/a/b", "/empty"), lines("find", "-type", "d"));
    assertEquals(List.of("/a/b/large.bin"), lines("find", "-type", "f", "-size", "+4k"));
    assertEquals(List.of("/a/one.txt", "/a/two.TXT"), lines("find", "-size", "-4k"));
    done("touch", "-d", "2001-02-03T04:05:06Z", "/a/one.txt");
    assertEquals(
        List.of("/a/b/large.bin", "/a/two.TXT"),
        lines("find", "-type", "f", "-newer", "2001-02-03T04:05:06Z"));
    assertEquals(
        List.of("/a/b/large.bin", "/a/two.TXT"),
        lines("find", "-type", "f", "-newer", "/a/one.txt"));
    ended(ExitCode.USAGE, "find", "-newer", "yesterday");
    ended(ExitCode.USAGE, "find", "-type", "x");
    ended(ExitCode.USAGE, "find", "-size", "1x");
    ended(ExitCode.USAGE, "find", "-size", "+-1");
  }

  @Test
  void find_ofNamesThatNobodySees_escapesThemUnlessAskedNotTo() {
    put("/n/a\u202eb\\n", "");
    assertEquals(List.of("/n/a\\u{202e}b\\\\n"), lines("find", "/n", "-type", "f"));
    done("find", "/n", "-type", "f", "-0");
    assertEquals("/n/a\u202eb\\n\0", shell.out());
    assertEquals(List.of("a\\u{202e}b\\\\n"), lines("ls", "/n"));
    done("ls", "/n", "-0");
    assertEquals("a\u202eb\\n\0", shell.out());
    done("find", "/n", "-type", "f", "--json");
    assertTrue(shell.out().contains("\"path\":\"/n/a\u202eb\\\\n\""), shell::out);
    ended(ExitCode.FAILED, "stat", "/n/\u2066");
    assertTrue(shell.err().contains("/n/\\u{2066} does not exist"), shell::err);
  }

  @Test
  void cp_ofFiles_sharesThemAndReplaces() {
    done("cp", "/a/one.txt", "/empty");
    done("cp", "/a/two.TXT", "/empty/one.txt");
    assertEquals(List.of("22"), lines("cat", "/empty/one.txt"));
    ended(ExitCode.PARTLY, "cp", "-n", "/a/one.txt", "/empty/one.txt");
    assertEquals(List.of("22"), lines("cat", "/empty/one.txt"));
    ended(ExitCode.FAILED, "cp", "/a", "/copy");
    assertTrue(shell.err().contains("use cp -r"), shell::err);
    ended(ExitCode.FAILED, "cp", "/a/one.txt", "/a/two.TXT", "/nothing");
    ended(ExitCode.FAILED, "cp", "/a/one.txt", "/a/one.txt");
  }

  @Test
  void cp_ofATree_isACloneOfAll() {
    done("cp", "-r", "/a", "/copy");
    assertEquals(
        List.of("/copy", "/copy/b", "/copy/b/large.bin", "/copy/one.txt", "/copy/two.TXT"),
        lines("find", "/copy"));
    done("cp", "-r", "/a", "/copy");
    assertEquals(List.of("/copy/a/b"), lines("find", "/copy/a", "-name", "b"));
    ended(ExitCode.FAILED, "cp", "-r", "/a", "/a/b");
  }

  @Test
  void chmod_setsModes() {
    done("chmod", "640", "/a/one.txt");
    assertEquals("0640", mode("/a/one.txt"));
    done("chmod", "u+x,go-r", "/a/one.txt");
    assertEquals("0700", mode("/a/one.txt"));
    done("chmod", "-x", "/a/one.txt");
    assertEquals("0600", mode("/a/one.txt"));
    done("chmod", "+w", "/a/one.txt");
    assertEquals("0600", mode("/a/one.txt"));
    done("chmod", "a=r,g+w", "/a/one.txt");
    assertEquals("0464", mode("/a/one.txt"));
    done("chmod", "g=u", "/a/one.txt");
    assertEquals("0444", mode("/a/one.txt"));
    done("chmod", "-R", "u=rwX,go=rX", "/a");
    assertEquals("0755", mode("/a/b"));
    assertEquals("0644", mode("/a/b/large.bin"));
    ended(ExitCode.USAGE, "chmod", "u*x", "/a");
    ended(ExitCode.USAGE, "chmod", "888", "/a");
    ended(ExitCode.FAILED, "chmod", "644", "/nothing");
  }

  @Test
  void touch_makesAFileOrSetsItsTime() {
    done("touch", "/new", "-d", "@1");
    done("stat", "/new", "--json");
    assertTrue(shell.out().contains("\"sizeBytes\":0,"), shell::out);
    assertTrue(shell.out().contains("\"modified\":\"1970-01-01T00:00:01Z\""), shell::out);
    done("touch", "/a/one.txt", "-r", "/new");
    done("stat", "/a/one.txt");
    assertTrue(shell.out().contains("modified:   1970-01-01T00:00:01Z"), shell::out);
    assertEquals(List.of("1"), lines("cat", "/a/one.txt"));
    done("touch", "/a/one.txt");
    done("stat", "/a/one.txt");
    assertFalse(shell.out().contains("modified:   1970"), shell::out);
    done("touch", "-c", "/absent", "--json");
    assertEquals("{\"touched\":[]}\n", shell.out());
    ended(ExitCode.FAILED, "stat", "/absent");
    ended(ExitCode.USAGE, "touch", "/new", "-d", "3000-01-01");
  }

  /**
   * As the tools of every shell: the others are done, each failure is named, and it ends with 1.
   */
  @Test
  void severalOperands_oneOfWhichFails_areDoneAllTheSame() {
    partly(List.of("/x does not exist"), "chmod", "600", "/a/one.txt", "/x", "/a/two.TXT");
    assertEquals("0600", mode("/a/one.txt"));
    assertEquals("0600", mode("/a/two.TXT"));
    partly(List.of("/x/y"), "touch", "-d", "@1", "/x/y", "/a/one.txt");
    partly(List.of("/x", "/y"), "stat", "/x", "/a/one.txt", "/y");
    assertTrue(shell.out().contains("modified:   1970-01-01T00:00:01Z"), shell::out);
    partly(List.of("/x"), "find", "/x", "/empty");
    assertEquals("/empty\n", shell.out());
    partly(List.of("/x"), "cat", "/a/two.TXT", "/x", "/a/one.txt");
    assertEquals("221", shell.out());
    partly(List.of("/x"), "ls", "/a/b", "/x", "/a/one.txt", "/empty");
    assertEquals("one.txt\n\n/a/b:\nlarge.bin\n\n/empty:\n", shell.out());
    partly(List.of("/empty"), "mkdir", "/empty", "/new");
    partly(List.of("/x"), "mv", "/x", "/a/one.txt", "/new");
    partly(List.of("/x"), "cp", "/x", "/a/two.TXT", "/new");
    assertEquals(List.of("/new/one.txt", "/new/two.TXT"), lines("find", "/new", "-type", "f"));
    partly(List.of("/x", "/a is not empty; use rm -r"), "rm", "/x", "/a", "/new/one.txt");
    assertEquals(List.of("/new/two.TXT"), lines("find", "/new", "-type", "f"));
    partly(List.of("/x"), "df", "/x", "/a");
  }

  @Test
  void severalOperands_oneOfWhichFails_areListedWithTheProblems() {
    String problem = "\"problems\":[{\"path\":\"/x\",\"reason\":\"/x does not exist\"}]}\n";
    for (String command :
        List.of(
            "stat /x /a",
            "cat /x /a/one.txt",
            "ls /x /a",
            "find /x /a/b",
            "chmod 700 /x /a",
            "df /x /a",
            "rm /x /a/two.TXT")) {
      ended(ExitCode.FAILED, (command + " --json").split(" ", -1));
      assertTrue(shell.out().endsWith(problem), () -> command + ": " + shell.out());
    }
    put("/a/two.TXT", "22");
    done("cat", "/a/one.txt", "/a/two.TXT", "--json");
    assertTrue(shell.out().endsWith("\"content\":\"MjI=\"}]}\n"), shell::out);
    done("stat", "/a", "/empty", "--json");
    assertTrue(shell.out().startsWith("{\"entries\":[{\"path\":\"/a\","), shell::out);
    done("mkdir", "/p", "/q", "--json");
    assertTrue(shell.out().startsWith("{\"entries\":[{\"path\":\"/p\","), shell::out);
  }

  @Test
  void anOnlyOperand_thatFails_isTheCommandsFailure() {
    ended(ExitCode.FAILED, "stat", "/x", "--json");
    assertEquals("{\"error\":\"/x does not exist\",\"kind\":\"NotFound\"}\n", shell.out());
    ended(ExitCode.USAGE, "rm", "/a/one.txt", "no-path");
    assertEquals(List.of("/a/one.txt"), lines("find", "-name", "one.txt"));
  }

  private void partly(List<String> named, String... args) {
    ended(ExitCode.FAILED, args);
    List<String> said = shell.err().lines().toList();
    assertEquals(named.size(), said.size(), shell::err);
    for (int i = 0; i < named.size(); i++) {
      assertTrue(said.get(i).contains(named.get(i)), shell::err);
    }
  }

  @Test
  void modes_withSpecialBits_areShownAsLsDoes() {
    done("chmod", "1777", "/empty");
    done("chmod", "4755", "/a/one.txt");
    done("chmod", "6644", "/a/two.TXT");
    done("chmod", "1776", "/a/b");
    done("ls", "-l", "/", "/a");
    for (String mode : List.of("drwxrwxrwt", "-rwsr-xr-x", "-rwSr-Sr--", "drwxrwxrwT")) {
      assertTrue(shell.out().contains(mode + " "), () -> mode + ": " + shell.out());
    }
    done("stat", "/empty");
    assertTrue(shell.out().contains("mode:       1777 (drwxrwxrwt)"), shell::out);
  }

  @Test
  void touch_takesTimesAsDigits() {
    for (String[] time :
        new String[][] {
          {"202611291300", "2026-11-29T13:00:00Z"},
          {"2611291300.59", "2026-11-29T13:00:59Z"},
          {"7002010203", "1970-02-01T02:03:00Z"}
        }) {
      done("touch", "-m", "-t", time[0], "/a/one.txt");
      done("stat", "/a/one.txt");
      assertTrue(shell.out().contains("modified:   " + time[1]), shell::out);
    }
    done("touch", "-t", "01020304", "/a/one.txt");
    done("stat", "/a/one.txt");
    assertTrue(shell.out().matches("(?s).*modified: +\\d{4}-01-02T03:04:00Z\n.*"), shell::out);
    ended(ExitCode.USAGE, "touch", "-t", "202613291300", "/a/one.txt");
    ended(ExitCode.USAGE, "touch", "-t", "yesterday", "/a/one.txt");
    ended(ExitCode.USAGE, "touch", "-t", "01020304", "-d", "@1", "/a/one.txt");
  }

  @Test
  void cp_ofATreeWithSlashesAtTheEnds_isANewTree() {
    done("chmod", "700", "/a/b");
    done("touch", "-d", "@1", "/a/one.txt");
    done("cp", "-a", "-f", "/a/", "/copy/");
    assertEquals(List.of("/copy/b/large.bin"), lines("find", "/copy", "-name", "large.bin"));
    assertEquals("0700", mode("/copy/b"));
    done("stat", "/copy/one.txt");
    assertTrue(shell.out().contains("modified:   1970-01-01T00:00:01Z"), shell::out);
    ended(ExitCode.FAILED, "cp", "/a/one.txt", "/file/");
    ended(ExitCode.FAILED, "cp", "-r", "/a/one.txt", "/file/");
    ended(ExitCode.USAGE, "cp", "-n", "-f", "/a/one.txt", "/b");
  }

  @Test
  void find_empty_isFilesWithoutBytesAndDirectoriesWithoutEntries() {
    done("touch", "/a/none");
    assertEquals(List.of("/a/none", "/empty"), lines("find", "-empty"));
    assertEquals(List.of("/a/none"), lines("find", "-empty", "-type", "f"));
  }

  @Test
  void chmod_byReference_saysWhatItDoes() {
    done("chmod", "4710", "/a/one.txt");
    assertEquals(
        List.of(
            "mode of /a/two.TXT changed from 0644 (rw-r--r--) to 4710 (rws--x---)",
            "mode of /a/one.txt stays 4710 (rws--x---)"),
        lines("chmod", "-v", "--reference=/a/one.txt", "/a/two.TXT", "/a/one.txt"));
    assertEquals("4710", mode("/a/two.TXT"));
    ended(ExitCode.USAGE, "chmod", "644");
    ended(ExitCode.FAILED, "chmod", "--reference=/nothing", "/a/one.txt");
  }

  @Test
  void anOptionThatIsNotOffered_saysWhatToUse() {
    for (String[] asked :
        new String[][] {
          {"find / -delete", "xargs -0"},
          {"find / -mtime 3", "-newer"},
          {"ls -la /", "a dot"},
          {"touch -a /a", "no time of reading"},
          {"stat -c %s /a", "--json"},
          {"cp -p /a /b", "-r"}
        }) {
      ended(ExitCode.USAGE, asked[0].split(" ", -1));
      assertTrue(shell.err().contains(asked[1]), () -> asked[0] + ": " + shell.err());
    }
  }

  @Test
  void df_inOtherUnits() {
    assertTrue(lines("df", "-k", "/a").getLast().matches(".* 65536 +\\d+ +\\d+ +\\d+"), shell::out);
    assertTrue(shell.out().contains("size KiB"), shell::out);
    assertTrue(lines("df", "-H").getLast().contains(" 67 MB "), shell::out);
    ended(ExitCode.USAGE, "df", "-H", "-k");
    ended(ExitCode.FAILED, "df", "/nothing");
  }

  @Test
  void df_tellsWhatIsUsedAndFree() {
    assertTrue(
        lines("df").getLast().matches(".*s\\.upcall +67108864 +\\d+ +\\d+ +\\d+"), shell::out);
    assertTrue(lines("df", "-h").getLast().matches(".* 64 MiB +\\S+ [KM]iB .*"), shell::out);
    done("df", "--json");
    assertTrue(shell.out().contains("\"capBytes\":67108864,\"usedBytes\":"), shell::out);
  }
}
