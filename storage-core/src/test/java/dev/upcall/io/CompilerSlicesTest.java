package dev.upcall.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sets the slices of this very JVM, which nobody else looks at. */
class CompilerSlicesTest {
  private static final LibC CALLS = LargePages.calls();

  private static List<Path> threads(boolean compilers) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/task"))) {
      return all.filter(thread -> CompilerSlices.isCompiler(thread) == compilers).toList();
    }
  }

  private static void setAll(long nanos) throws IOException {
    for (Path compiler : threads(/* compilers= */ true)) {
      assertEquals(0, CALLS.setSlice(CompilerSlices.number(compiler), nanos));
    }
  }

  /** What the kernel makes of a slice that it was told. */
  private static long known(long nanos) {
    int self = Math.toIntExact(ProcessHandle.current().pid());
    long before = CALLS.slice(self);
    assertTrue(before >= 0, "sched_getattr: " + before);
    assertEquals(0, CALLS.setSlice(self, nanos));
    long set = CALLS.slice(self);
    assertEquals(0, CALLS.setSlice(self, 0));
    return set;
  }

  @Test
  void theCompilersGetALongSliceAndNobodyElse() throws IOException {
    assertFalse(threads(/* compilers= */ true).isEmpty());
    setAll(0);
    long expected = known(CompilerSlices.SLICE_NANOS);
    List<Path> others = threads(/* compilers= */ false);
    long usual = CALLS.slice(CompilerSlices.number(others.getFirst()));
    CompilerSlices.lengthen(CALLS);
    for (Path compiler : threads(/* compilers= */ true)) {
      assertEquals(expected, CALLS.slice(CompilerSlices.number(compiler)), compiler.toString());
    }
    assertEquals(usual, CALLS.slice(CompilerSlices.number(others.getFirst())));
  }

  @Test
  void theirPriorityStaysAsItIs() throws IOException {
    Path compiler = threads(/* compilers= */ true).getFirst();
    String before = priority(compiler);
    setAll(0);
    CompilerSlices.lengthen(CALLS);
    assertEquals(before, priority(compiler));
  }

  /** Policy, priority and niceness, which follow each other in the kernel's line of a thread. */
  private static String priority(Path thread) throws IOException {
    String line = Files.readString(thread.resolve("stat"), UTF_8);
    List<String> behindName = List.of(line.substring(line.lastIndexOf(')') + 2).split(" "));
    return behindName.get(15) + " " + behindName.get(16) + " " + behindName.get(38);
  }

  @Test
  void prepare_withoutTheProperty_leavesTheCompilersAlone() throws IOException {
    setAll(0);
    int compiler = CompilerSlices.number(threads(/* compilers= */ true).getFirst());
    long before = CALLS.slice(compiler);
    NativeAccess.prepare();
    assertEquals(before, CALLS.slice(compiler));
    assertNull(NativeAccess.changesOfCompilers());
  }

  @Test
  void prepare_withTheProperty_lengthensTheirSlices() throws IOException {
    setAll(0);
    int compiler = CompilerSlices.number(threads(/* compilers= */ true).getFirst());
    long before = CALLS.slice(compiler);
    long expected = known(CompilerSlices.SLICE_NANOS);
    System.setProperty(CompilerSlices.PROPERTY, "true");
    try {
      NativeAccess.prepare();
      boolean several = Runtime.getRuntime().availableProcessors() > 1;
      assertEquals(several, NativeAccess.changesOfCompilers() != null);
      assertEquals(several ? expected : before, CALLS.slice(compiler));
    } finally {
      System.clearProperty(CompilerSlices.PROPERTY);
    }
  }

  @Test
  void aLongerSliceStays() throws IOException {
    long longest = 100_000_000;
    long expected = known(longest);
    setAll(longest);
    CompilerSlices.lengthen(CALLS);
    for (Path compiler : threads(/* compilers= */ true)) {
      // A kernel that knows no slices says 0 of all of them.
      assertEquals(expected, CALLS.slice(CompilerSlices.number(compiler)), compiler.toString());
    }
  }

  @Test
  void aThreadThatThereIsNotIsRefused() {
    assertTrue(CALLS.setSlice(Integer.MAX_VALUE, 0) < 0);
    assertTrue(CALLS.slice(Integer.MAX_VALUE) < 0);
  }
}
