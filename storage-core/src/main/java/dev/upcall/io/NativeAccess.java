package dev.upcall.io;

import dev.upcall.completion.Failure;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether this JVM lets the store call the system: io_uring, locks of files, direct I/O. Where a
 * JVM warns of such calls, as JDK 25 does unless told otherwise, it warns here.
 */
public final class NativeAccess {
  private static final String MODULES =
      "dev.upcall.core,io.netty.common,io.netty.transport.unix.common";

  private NativeAccess() {}

  /**
   * Where the JVM was asked to, its compilers get longer time slices ({@link CompilerSlices}).
   * Needs calls that are not {@link #missing}. Any thread.
   */
  public static void prepare() {
    if (CompilerSlices.isWanted()) {
      CompilerSlices.lengthen(LargePages.calls());
    }
  }

  /**
   * What opening a store changes of this JVM's compiler threads, as a line for the user; null if
   * nothing: only the system property {@value CompilerSlices#PROPERTY} asks for it. Any thread.
   */
  public static @Nullable String changesOfCompilers() {
    return CompilerSlices.isWanted()
        ? "the compiler threads of this JVM get time slices of %d ms, so that others go first"
            .formatted(TimeUnit.NANOSECONDS.toMillis(CompilerSlices.SLICE_NANOS))
        : null;
  }

  /** Why a volume cannot be opened in this JVM, and which flag is missing; or null. Any thread. */
  public static Failure.@Nullable Device missing(String volume) {
    try {
      // The cheapest of the calls that a JVM restricts.
      MemorySegment.NULL.reinterpret(0);
      return null;
    } catch (IllegalCallerException denied) {
      String modules = NativeAccess.class.getModule().isNamed() ? MODULES : "ALL-UNNAMED";
      return new Failure.Device(
          "opening " + volume,
          "this JVM was told to deny native calls, which a store makes to read and write its"
              + " volume; start Java with --enable-native-access="
              + modules);
    }
  }
}
