package dev.upcall.bench.host;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Runs a command to which the kernel refuses io_uring, as Docker does: this process installs a
 * seccomp filter that answers {@code io_uring_setup} with {@code EPERM}, and becomes the command.
 * Linux on x86-64 and ARM, where that call has the same number.
 */
public final class WithoutRing {
  private static final int PR_SET_NO_NEW_PRIVS = 38;
  private static final int PR_SET_SECCOMP = 22;
  private static final long SECCOMP_MODE_FILTER = 2;
  private static final int IO_URING_SETUP = 425;
  private static final int EPERM = 1;

  private static final short LOAD_WORD = 0x20;
  private static final short JUMP_IF_EQUAL = 0x15;
  private static final short RETURN = 0x06;
  private static final int SECCOMP_RET_ERRNO = 0x50000;
  private static final int SECCOMP_RET_ALLOW = 0x7fff0000;
  private static final int INSTRUCTIONS = 4;
  private static final int INSTRUCTION_BYTES = 8;
  private static final int PROGRAM_BYTES = 16;

  private static final Linker LINKER = Linker.nativeLinker();

  private WithoutRing() {}

  /**
   * Becomes the command that the arguments are; ends with 1 where the kernel refuses the filter.
   */
  public static void main(String[] arguments) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle prctl =
          LINKER.downcallHandle(
              LINKER.defaultLookup().findOrThrow("prctl"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG),
              Linker.Option.firstVariadicArg(1));
      MemorySegment none = MemorySegment.NULL;
      int promised = (int) prctl.invokeExact(PR_SET_NO_NEW_PRIVS, 1L, none, 0L, 0L);
      int filtered =
          (int) prctl.invokeExact(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter(arena), 0L, 0L);
      if (promised != 0 || filtered != 0) {
        throw new IllegalStateException("the kernel refuses a seccomp filter");
      }
      MethodHandle execvp =
          LINKER.downcallHandle(
              LINKER.defaultLookup().findOrThrow("execvp"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
      MemorySegment words = arena.allocate(ValueLayout.ADDRESS, arguments.length + 1);
      for (int i = 0; i < arguments.length; i++) {
        words.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(arguments[i]));
      }
      int result = (int) execvp.invokeExact(words.getAtIndex(ValueLayout.ADDRESS, 0), words);
      throw new IllegalStateException(arguments[0] + " cannot be run: " + result);
    }
  }

  /** A {@code struct sock_fprog}: is the call's number that one? */
  private static MemorySegment filter(Arena arena) {
    MemorySegment code = arena.allocate((long) INSTRUCTIONS * INSTRUCTION_BYTES, INSTRUCTION_BYTES);
    instruction(code, 0, LOAD_WORD, 0, 0);
    instruction(code, 1, JUMP_IF_EQUAL, 1, IO_URING_SETUP);
    instruction(code, 2, RETURN, 0, SECCOMP_RET_ERRNO | EPERM);
    instruction(code, 3, RETURN, 0, SECCOMP_RET_ALLOW);
    MemorySegment program = arena.allocate(PROGRAM_BYTES, Long.BYTES);
    program.set(ValueLayout.JAVA_SHORT, 0, (short) INSTRUCTIONS);
    program.set(ValueLayout.ADDRESS, Long.BYTES, code);
    return program;
  }

  private static void instruction(MemorySegment code, int at, short what, int skip, int operand) {
    long offset = (long) at * INSTRUCTION_BYTES;
    code.set(ValueLayout.JAVA_SHORT, offset, what);
    code.set(ValueLayout.JAVA_BYTE, offset + 3, (byte) skip);
    code.set(ValueLayout.JAVA_INT, offset + 4, operand);
  }
}
