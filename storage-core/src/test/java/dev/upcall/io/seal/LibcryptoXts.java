package dev.upcall.io.seal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * XTS-AES-256 by OpenSSL's library, which has its own AES, too: a judge besides {@link NaiveXts}
 * where the library is there. ({@code openssl enc} refuses this mode.)
 */
public final class LibcryptoXts {
  private static final int UNIT_NUMBER_BYTES = 16;

  private final MethodHandle newContext;
  private final MethodHandle cipher;
  private final MethodHandle begin;
  private final MethodHandle update;
  private final MethodHandle free;

  private LibcryptoXts(SymbolLookup library) {
    newContext = function(library, "EVP_CIPHER_CTX_new", FunctionDescriptor.of(ADDRESS));
    cipher = function(library, "EVP_aes_256_xts", FunctionDescriptor.of(ADDRESS));
    begin =
        function(
            library, "EVP_DecryptInit_ex", numberOf(ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    update =
        function(
            library, "EVP_DecryptUpdate", numberOf(ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_INT));
    free = function(library, "EVP_CIPHER_CTX_free", FunctionDescriptor.ofVoid(ADDRESS));
  }

  private static FunctionDescriptor numberOf(MemoryLayout... arguments) {
    return FunctionDescriptor.of(JAVA_INT, arguments);
  }

  private static MethodHandle function(SymbolLookup library, String name, FunctionDescriptor of) {
    return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), of);
  }

  /** The library's, or null where it is not installed. */
  public static @Nullable LibcryptoXts find() {
    try {
      return new LibcryptoXts(SymbolLookup.libraryLookup("libcrypto.so.3", Arena.global()));
    } catch (IllegalArgumentException notThere) {
      return null;
    }
  }

  /** The plain text of a block of a volume. */
  public byte[] decryptBlock(byte[] key, long block, byte[] sealed) {
    byte[] number =
        ByteBuffer.allocate(UNIT_NUMBER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(0, block)
            .array();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment context = (MemorySegment) newContext.invokeExact();
      MemorySegment keyBytes = arena.allocateFrom(JAVA_BYTE, key);
      MemorySegment numberBytes = arena.allocateFrom(JAVA_BYTE, number);
      MemorySegment from = arena.allocateFrom(JAVA_BYTE, sealed);
      MemorySegment into = arena.allocate(sealed.length);
      MemorySegment written = arena.allocate(JAVA_INT);
      try {
        MemorySegment xts = (MemorySegment) cipher.invokeExact();
        succeeded((int) begin.invokeExact(context, xts, MemorySegment.NULL, keyBytes, numberBytes));
        succeeded((int) update.invokeExact(context, into, written, from, sealed.length));
      } finally {
        free.invokeExact(context);
      }
      if (written.get(JAVA_INT, 0) != sealed.length) {
        throw new AssertionError("decrypted: " + written.get(JAVA_INT, 0));
      }
      return into.toArray(JAVA_BYTE);
    } catch (Error | RuntimeException broken) {
      throw broken;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static void succeeded(int result) {
    if (result != 1) {
      throw new AssertionError("libcrypto says " + result);
    }
  }
}
