package dev.upcall.nio;

import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.completion.Failure;
import dev.upcall.nio.channel.Failures;
import dev.upcall.nio.content.Contents;
import dev.upcall.nio.content.OpenFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What paths lead to: relative ones from the root on, or from an open directory, whatever that is
 * called by now. Any threads.
 */
final class Lookups {
  /** As many as the store follows, and Linux. */
  private static final int MAX_LINKS = 40;

  private final UpcallReads reads;
  private final long directory;
  private final Runnable check;

  /**
   * Looks.
   *
   * @param directory where relative paths begin, by its id
   * @param check throws when nothing may be looked at any more
   */
  Lookups(UpcallReads reads, long directory, Runnable check) {
    this.reads = reads;
    this.directory = directory;
    this.check = check;
  }

  /** Refuses when nothing may be looked at any more. */
  void check() {
    check.run();
  }

  /**
   * Where a path is in the store; its last name need not exist. Throws {@link UpcallException}, as
   * all here but {@link #realPath}.
   */
  StorePath place(UpcallPath path) {
    long start = path.isAbsolute() ? FileManager.ROOT_ID : directory;
    if (start != FileManager.ROOT_ID && path.isEmpty()) {
      throw UpcallException.of(new Failure.NotFound("a path without a name"));
    }
    StorePath place =
        start != FileManager.ROOT_ID || path.hasDots()
            ? UpcallException.value(StorePath.parse(start, path.withoutRoot()))
            : path.stored();
    if (OpenFiles.isHidden(place)) {
      throw UpcallException.of(new Failure.NotFound(path.toString()));
    }
    return place;
  }

  /** What a path leads to. */
  FileInfo stat(UpcallPath path, LinkPolicy links) {
    StorePath place = place(path);
    Contents.Look look = path.system().mount().contents().look(place, links);
    if (!look.isKnown()) {
      return reads.stat(place, links);
    }
    FileInfo there = look.there();
    if (there == null) {
      throw UpcallException.of(new Failure.NotFound(place.toString()));
    }
    return there;
  }

  /** What a path leads to; null where there is nothing, or where nothing can be. */
  @Nullable FileInfo statIfThere(UpcallPath path, LinkPolicy links) {
    try {
      return stat(path, links);
    } catch (UpcallException failed) {
      if (failed.failure() instanceof Failure.NotFound
          || failed.failure() instanceof Failure.NotADirectory) {
        return null;
      }
      throw failed;
    }
  }

  /** See {@link Path#toRealPath}. */
  Path realPath(UpcallPath path, boolean follows) throws IOException {
    return Failures.of(
        path,
        () -> {
          UpcallPath absolute = UpcallPath.of(path.toAbsolutePath());
          String real =
              follows ? real(place(absolute)).toString() : withoutDotsBehindNames(absolute);
          return path.system().getPath(real);
        });
  }

  /** Links stay, and so does what follows one as {@code ..}. */
  private String withoutDotsBehindNames(UpcallPath absolute) {
    UpcallPath result = absolute.system().getPath("/");
    for (String name : absolute.names()) {
      boolean up = name.equals("..");
      if (up && !stat(result, LinkPolicy.NO_FOLLOW).isSymbolicLink()) {
        Path parent = result.getParent();
        result = parent == null ? result : UpcallPath.of(parent);
      } else if (!name.equals(".")) {
        result = UpcallPath.of(result.resolve(name));
      }
    }
    stat(result, LinkPolicy.NO_FOLLOW);
    return result.toString();
  }

  /** The same place by a way without links; it must exist, and the way as the kernel walks it. */
  private StorePath real(StorePath place) {
    Deque<String> ahead = new ArrayDeque<>(place.names());
    StorePath real = StorePath.ROOT;
    boolean goesOn = true; // whether it is a directory, so that a name may follow
    int links = 0;
    while (!ahead.isEmpty()) {
      String name = ahead.removeFirst();
      if (!goesOn) {
        throw UpcallException.of(new Failure.NotADirectory(place.toString()));
      }
      if (name.equals("..")) {
        real = real.parent();
      } else if (!name.isEmpty() && !name.equals(".")) {
        StorePath next = below(real, name);
        FileInfo there = reads.stat(next, LinkPolicy.NO_FOLLOW);
        if (there.isSymbolicLink()) {
          links++;
          if (links > MAX_LINKS) {
            throw UpcallException.of(new Failure.LinkLoop(place.toString()));
          }
          String target = reads.readLink(next);
          real = target.startsWith("/") ? StorePath.ROOT : real;
          String[] names = target.split("/", -1);
          for (int i = names.length - 1; i >= 0; i--) {
            ahead.addFirst(names[i]);
          }
        } else {
          real = next;
          goesOn = there.isDirectory();
        }
      }
    }
    return real;
  }

  private static StorePath below(StorePath directory, String name) {
    return Failures.parsed(directory.isRoot() ? "/" + name : directory + "/" + name);
  }
}
