package dev.upcall.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.fileman.blocking.TestedStore;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * What a program with a store says on its standard error, by the flags that Java was started with.
 * The disk of threads, which is there on every kernel; the ring needs no other flag.
 */
class FlagsTest {
  private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

  /** As an embedder has it: the rules of the house bring a logger along. */
  private static final String CLASS_PATH =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
          .filter(entry -> !entry.contains("slf4j"))
          .collect(Collectors.joining(File.pathSeparator));

  @TempDir Path folder;

  @Test
  void withoutFlagsOnlyTheJdkSaysWhatItSaysOfEveryNativeCall() throws Exception {
    List<String> said = said("done", List.of(), TestedStore.CHANNEL);
    assertTrue(said.getFirst().startsWith("WARNING: A restricted method in "), said::toString);
    assertEquals(1, said.stream().filter(line -> line.contains(NATIVE)).count(), said::toString);
    assertTrue(
        said.stream().allMatch(line -> line.startsWith("WARNING: ") || line.isEmpty()),
        said::toString);
    assertTrue(said.stream().noneMatch(line -> line.contains("Unsafe")), said::toString);
  }

  @ParameterizedTest
  @EachEngine
  void withNativeAccessNothingIsSaid(TestedStore tested) throws Exception {
    assertEquals(List.of(), said("done", List.of(NATIVE), tested));
  }

  @ParameterizedTest
  @EachEngine
  void nothingNeedsUnsafeMemory(TestedStore tested) throws Exception {
    List<String> flags = List.of(NATIVE, "--sun-misc-unsafe-memory-access=deny");
    assertEquals(List.of(), said("done", flags, tested));
  }

  @ParameterizedTest
  @EachEngine
  void whatIsDeniedIsSaidInOneSentence(TestedStore tested) throws Exception {
    List<String> said = said("refused", List.of("--illegal-native-access=deny"), tested);
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.getFirst().endsWith("start Java with " + NATIVE), said::toString);
  }

  /** Runs {@link OneWrite}, which ends with a word on its standard output. */
  private List<String> said(String word, List<String> flags, TestedStore tested)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(
        List.of(
            "-cp",
            CLASS_PATH,
            OneWrite.class.getName(),
            folder.resolve("volume.upcall").toString(),
            tested.config().engine().name(),
            tested.config().drive().disk().name()));
    Path errors = folder.resolve("stderr");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    List<String> said = Files.readAllLines(errors);
    assertEquals(word, out.strip(), said::toString);
    return said;
  }
}
