package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.option.Arguments;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.store.StoreAccess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names on the command line are taken as they are given, or refused. */
class ArgumentsTest {
  @TempDir Path here;

  /** In a process of its own: only there are arguments bytes. The shell's printf makes them. */
  @ParameterizedTest
  @CsvSource({
    "C.UTF-8, put - /a\\377b --create, is not valid UTF-8",
    "C.UTF-8, put - /a\\303b --create, is not valid UTF-8",
    "C.UTF-8, put \\377 /a --create, is not valid UTF-8",
    "C, put - /\\303\\274 --create, LC_ALL=C.UTF-8",
    "C.UTF-8, put - /\\303\\274 --create, 0 bytes",
    "C.UTF-8, put - /\\357\\277\\275 --create, 0 bytes",
  })
  void aNameThatIsNoTextIsRefused(String locale, String command, String words) throws Exception {
    Path log = here.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(
            "sh",
            "-c",
            "exec \"$0\" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
                + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp \"$1\" \"$2\" $(printf \"$3\")"
                + " --store s.upcall --volume-size 64m --memory 24m",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            System.getProperty("java.class.path"),
            Main.class.getName(),
            command);
    builder.environment().put("LC_ALL", locale);
    Process process =
        builder
            .directory(here.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .start();
    int code = process.waitFor();
    String said = Files.readString(log);
    boolean done = words.endsWith("bytes");
    assertEquals(done ? ExitCode.OK : ExitCode.USAGE, code, said);
    assertTrue(said.startsWith("upcall: ") && said.contains(words), said);
    assertEquals(done, Files.exists(here.resolve("s.upcall")));
  }

  @Test
  void theLastArgumentsAreThoseOfTheCommand() {
    byte[] given = "java\0-cp\0x\0Main\0\0\uFFFD\0".getBytes(StandardCharsets.UTF_8);
    Arguments.check(List.of("", "\uFFFD"), given);
    CommandFailure refused = null;
    try {
      Arguments.check(List.of("", "a"), given);
    } catch (CommandFailure wrong) {
      refused = wrong;
    }
    assertTrue(refused != null && refused.getMessage().contains("encoding"));
  }

  @Test
  void aStoreInTheVariableIsRefusedLikewise() {
    TestShell shell = new TestShell(here).variable(StoreAccess.VARIABLE, "s\uFFFD.upcall");
    assertEquals(ExitCode.USAGE, shell.run("put", "-", "/a", "--create"));
    assertTrue(shell.err().contains("UPCALL_STORE is not valid UTF-8"), shell::err);
  }

  /** A file whose name begins with @ is that file, and no list of arguments. */
  @Test
  void anAtSignIsPartOfAName() throws Exception {
    Path list = Files.writeString(here.resolve("list"), "/from-the-list");
    TestShell shell = new TestShell(here);
    assertEquals(ExitCode.FAILED, shell.run("put", "@" + list, "/a", "--create", "--store=s"));
    assertTrue(shell.err().contains("@" + list), shell::err);
  }
}
