package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.completion.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What can be had of a store in which something cannot be read: everything else. */
final class Damage {
  private Damage() {}

  /** Whether a failure says that something on the volume cannot be read. */
  static boolean isIn(Failure failure) {
    return failure instanceof Failure.Corrupt || failure instanceof Failure.Device;
  }

  /** Whether a read of one entry has failed for a reason that leaves the others as they are. */
  static boolean isOfOneEntry(Failure failure) {
    return switch (failure) {
      case Failure.Corrupt _,
          Failure.Device _,
          Failure.NotFound _,
          Failure.AlreadyExists _,
          Failure.NotADirectory _,
          Failure.IsADirectory _,
          Failure.DirectoryNotEmpty _,
          Failure.LinkLoop _,
          Failure.Invalid _,
          Failure.Conflict _,
          Failure.VersionMismatch _,
          Failure.TooLarge _,
          Failure.Unsupported _,
          Failure.Busy _,
          Failure.Deadlock _,
          Failure.LockTimeout _ ->
          true;
      case Failure.VolumeFull _, Failure.ReadOnly _, Failure.Closed _, Failure.Cancelled _ -> false;
    };
  }

  /**
   * A page of a directory. Where it cannot be listed, because what is known of an entry cannot be
   * read, each of its names is looked at alone.
   *
   * @param told hears of each path of which nothing can be read; it is left out
   * @throws UpcallException where the names themselves cannot be read, and as {@code list} does
   */
  static Listing list(
      UpcallReads store,
      String directory,
      String after,
      int limit,
      BiConsumer<String, Failure> told) {
    try {
      return store.list(directory, after, limit);
    } catch (UpcallException refused) {
      if (!isIn(refused.failure())) {
        throw refused;
      }
    }
    Listing.Range range = new Listing.Range(Listing.Direction.ASCENDING, limit);
    Listing.Names names = store.names(directory, after.isEmpty() ? range : range.withBeyond(after));
    List<FileInfo> entries = new ArrayList<>();
    for (String name : names.names()) {
      look(store, SourceWalk.child(directory, name), told).ifPresent(entries::add);
    }
    Optional<String> next =
        names.hasMore() ? Optional.of(names.names().getLast()) : Optional.empty();
    return new Listing(store.stat(directory), entries, next);
  }

  /** An entry; none of one that was removed, or has expired, since its name was read. */
  private static Optional<FileInfo> look(
      UpcallReads store, String path, BiConsumer<String, Failure> told) {
    try {
      return Optional.of(store.stat(path, LinkPolicy.NO_FOLLOW));
    } catch (UpcallException.NotFound gone) {
      return Optional.empty();
    } catch (UpcallException refused) {
      if (!isIn(refused.failure())) {
        throw refused;
      }
      told.accept(path, refused.failure());
      return Optional.empty();
    }
  }
}
