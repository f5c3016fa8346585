package dev.upcall.httpd.files;

import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.config.Limits;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.SitePage;
import dev.upcall.request.Resolved;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Unfinished uploads are found by no link and are in no page; the sites of both servers ask. */
public final class HiddenUploads {
  private HiddenUploads() {}

  /**
   * How many entries of a directory are asked for, so that as many as were wanted can be shown.
   *
   * @param directory by a path that no link is on
   */
  public static int limit(StorePath directory, int wanted) {
    boolean oneMore = holdsPlace(directory) && wanted > 0 && wanted < Listing.MAX_ENTRIES;
    return oneMore ? wanted + 1 : wanted;
  }

  private static boolean holdsPlace(StorePath directory) {
    return Objects.requireNonNull(directory, "directory").isRoot();
  }

  /** A page without the directory of unfinished uploads. */
  public static SitePage shown(StorePath directory, int wanted, SitePage all) {
    Objects.requireNonNull(all, "all");
    Limits.atLeast("wanted", wanted, 1);
    if (!holdsPlace(directory)) {
      return all;
    }
    List<SitePage.Entry> others =
        all.entries().stream()
            .filter(entry -> !entry.name().equals(ResumableUploads.PLACE.lastName()))
            .toList();
    if (others.size() <= wanted) {
      return new SitePage(others, all.nextAfter());
    }
    List<SitePage.Entry> shown = others.subList(0, wanted);
    return new SitePage(shown, Optional.of(shown.getLast().name()));
  }

  /** Names without that of the directory of unfinished uploads. */
  public static Listing.Names shown(StorePath directory, int wanted, Listing.Names all) {
    Objects.requireNonNull(all, "all");
    Limits.atLeast("wanted", wanted, 1);
    if (!holdsPlace(directory)) {
      return all;
    }
    List<String> others =
        all.names().stream()
            .filter(name -> !name.equals(ResumableUploads.PLACE.lastName()))
            .toList();
    List<String> shown = others.subList(0, Math.min(wanted, others.size()));
    return new Listing.Names(shown, all.hasMore() || shown.size() < others.size());
  }

  /** Where a path leads; {@code NotFound} where links lead to unfinished uploads. */
  public static Completion<Resolved> outside(StorePath path, Completion<Resolved> found) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(found, "found");
    return found instanceof Completion.Done<Resolved>(Resolved way) && isAmong(way.led())
        ? missing(path)
        : found;
  }

  /** There is nothing at a path that leads to unfinished uploads. */
  static <T> Completion<T> missing(StorePath path) {
    return Completion.failed(new Failure.NotFound(path.toString()));
  }

  /**
   * The path of a directory that no link is on, where one leads there; else the path itself.
   *
   * @param way where it leads
   */
  public static StorePath itself(StorePath directory, Resolved way) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(way, "way");
    boolean leads = !way.led().isEmpty() && way.info().filter(FileInfo::isDirectory).isPresent();
    return leads ? way.led().getLast() : directory;
  }

  /** Whether one of the places to which links have led is among unfinished uploads. */
  static boolean isAmong(List<StorePath> led) {
    return !led.isEmpty() && led.stream().anyMatch(ResumableUploads::isInPlace);
  }
}
