package dev.upcall.bench.workload;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** How often the kernel has put another thread onto the processor of one of ours. */
public final class ContextSwitches {
  private static final int SELF = 0;

  /** The numbers of {@code struct rusage} on 64 bits: four of times, then fourteen counts. */
  private static final int NUMBERS = 18;

  /** Threads that slept by themselves. */
  private static final int VOLUNTARY = 16;

  /** Threads that were pushed. */
  private static final int INVOLUNTARY = 17;

  private ContextSwitches() {}

  /** Of all threads that this process has had, those that ended included. */
  public static long ofThisProcess() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment usage =
          arena.allocate(MemoryLayout.sequenceLayout(NUMBERS, ValueLayout.JAVA_LONG));
      int failed = (int) Calls.GET_USAGE.invokeExact(SELF, usage);
      if (failed != 0) {
        throw new IOException("getrusage failed");
      }
      return usage.getAtIndex(ValueLayout.JAVA_LONG, VOLUNTARY)
          + usage.getAtIndex(ValueLayout.JAVA_LONG, INVOLUNTARY);
    } catch (IOException failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new IllegalStateException("getrusage cannot be called", impossible);
    }
  }

  /** Found when it is first called. */
  private static final class Calls {
    static final MethodHandle GET_USAGE =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("getrusage"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private Calls() {}
  }
}
