package dev.upcall.cli.shell;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Files that a server reads again when a command asks for it. Any thread, one at a time. */
public final class ReloadedFiles {
  private @Nullable Supplier<List<String>> reading;

  /**
   * A server began.
   *
   * @param files reads its files and puts them in force, all or none; gives back a sentence about
   *     each, or throws
   */
  public synchronized void serves(Supplier<List<String>> files) {
    reading = files;
  }

  /** Has them read; gives back a sentence about each, or nothing where no server serves. */
  public synchronized Optional<List<String>> reload() {
    return Optional.ofNullable(reading).map(Supplier::get);
  }
}
