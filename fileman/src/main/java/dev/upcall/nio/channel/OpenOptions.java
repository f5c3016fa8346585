package dev.upcall.nio.channel;

import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * How a channel is opened, checked as the JDK checks it on Linux.
 *
 * @param options what was asked for, with what that implies
 * @param followsLinks whether a symbolic link at the end is followed
 */
public record OpenOptions(EnumSet<StandardOpenOption> options, boolean followsLinks) {
  /**
   * What a channel was opened for.
   *
   * @param read whether it reads
   * @param write whether it writes
   * @param append whether it writes at the end only
   */
  public record Access(boolean read, boolean write, boolean append) {}

  /**
   * Parses.
   *
   * @throws UnsupportedOperationException for an option that this provider does not know
   * @throws IllegalArgumentException for options that contradict each other
   */
  public static OpenOptions of(Set<? extends OpenOption> given) {
    OpenOptions parsed = parsed(given);
    if (parsed.has(StandardOpenOption.APPEND)) {
      if (parsed.has(StandardOpenOption.READ)) {
        throw new IllegalArgumentException("READ + APPEND not allowed");
      }
      if (parsed.has(StandardOpenOption.TRUNCATE_EXISTING)) {
        throw new IllegalArgumentException("APPEND + TRUNCATE_EXISTING not allowed");
      }
    }
    return parsed;
  }

  /**
   * As {@link #of} for an asynchronous channel, which cannot append: whatever else is wanted with
   * that is not looked at.
   */
  public static OpenOptions ofAsynchronous(Set<? extends OpenOption> given) {
    OpenOptions parsed = parsed(given);
    if (parsed.has(StandardOpenOption.APPEND)) {
      throw new UnsupportedOperationException("APPEND not allowed");
    }
    return parsed;
  }

  private static OpenOptions parsed(Set<? extends OpenOption> given) {
    EnumSet<StandardOpenOption> options = EnumSet.noneOf(StandardOpenOption.class);
    boolean follows = true;
    for (OpenOption option : given) {
      switch (Objects.requireNonNull(option, "option")) {
        case StandardOpenOption standard -> options.add(standard);
        case LinkOption _ -> follows = false;
        default -> throw new UnsupportedOperationException(option + " not supported");
      }
    }
    if (!options.contains(StandardOpenOption.READ) && !options.contains(StandardOpenOption.WRITE)) {
      options.add(
          options.contains(StandardOpenOption.APPEND)
              ? StandardOpenOption.WRITE
              : StandardOpenOption.READ);
    }
    return new OpenOptions(options, follows);
  }

  public boolean has(StandardOpenOption option) {
    return options.contains(option);
  }

  /** What the channel may do. */
  public Access access() {
    return new Access(has(StandardOpenOption.READ), writes(), has(StandardOpenOption.APPEND));
  }

  public boolean writes() {
    return has(StandardOpenOption.WRITE);
  }

  /** Whether what exists is refused. */
  public boolean createsNew() {
    return writes() && has(StandardOpenOption.CREATE_NEW);
  }

  /** Whether what is missing is made. */
  public boolean creates() {
    return writes() && (has(StandardOpenOption.CREATE) || has(StandardOpenOption.CREATE_NEW));
  }

  public boolean truncates() {
    return writes() && has(StandardOpenOption.TRUNCATE_EXISTING);
  }

  /** Whether a link at the end is followed: not if the name goes with the channel. */
  public boolean follows() {
    return followsLinks && !has(StandardOpenOption.DELETE_ON_CLOSE);
  }

  /** Whether each write is durable when it returns, whatever the file system does else. */
  public boolean isDurable() {
    return has(StandardOpenOption.SYNC) || has(StandardOpenOption.DSYNC);
  }
}
