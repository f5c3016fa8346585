package dev.upcall.bench.host;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** The kernel writes what is dirty in any file of the machine, and waits for it. Any thread. */
public final class KernelSync {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle SYNC =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("sync"), FunctionDescriptor.ofVoid());

  private KernelSync() {}

  /** Does it. */
  public static void run() {
    try {
      SYNC.invokeExact();
    } catch (Throwable impossible) {
      throw new IllegalStateException("sync cannot be called", impossible);
    }
  }
}
