package dev.upcall.bench.host;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Tells the kernel how a mapped file is used. Any thread. */
public final class MappedFaults {
  private static final int MADV_RANDOM = 1;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle MADVISE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("madvise"),
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));

  private MappedFaults() {}

  /**
   * A fault in this memory, which is a mapped file's from a page on, reads one page and nothing
   * around it.
   *
   * @throws IOException when the kernel refuses that
   */
  public static void onePage(MemorySegment mapped) throws IOException {
    int result;
    try {
      result = (int) MADVISE.invokeExact(mapped, mapped.byteSize(), MADV_RANDOM);
    } catch (Throwable impossible) {
      throw new IllegalStateException("madvise cannot be called", impossible);
    }
    if (result != 0) {
      throw new IOException("the kernel refuses madvise(MADV_RANDOM) for a mapped file");
    }
  }
}
