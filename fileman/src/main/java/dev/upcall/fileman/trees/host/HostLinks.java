package dev.upcall.fileman.trees.host;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/** Makes symbolic links with exactly the target given; Java's own drops double and last slashes. */
public final class HostLinks {
  private HostLinks() {}

  /** Makes a link; fails when something is there. */
  public static void create(Path path, String target) throws IOException {
    Path asJavaHasIt = path.getFileSystem().getPath(target);
    if (asJavaHasIt.toString().equals(target)) {
      Files.createSymbolicLink(path, asJavaHasIt);
      return;
    }
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    Linker linker = Linker.nativeLinker();
    Optional<MemorySegment> function = linker.defaultLookup().find("symlink");
    if (function.isEmpty()) {
      Files.createSymbolicLink(path, asJavaHasIt);
      return;
    }
    MethodHandle symlink =
        linker.downcallHandle(
            function.get(),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      int failed =
          (int)
              symlink.invokeExact(
                  arena.allocateFrom(target), arena.allocateFrom(path.toAbsolutePath().toString()));
      if (failed != 0) {
        throw new FileSystemException(path.toString(), null, "the system refused to make the link");
      }
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
