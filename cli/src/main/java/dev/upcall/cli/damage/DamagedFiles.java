package dev.upcall.cli.damage;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import dev.upcall.completion.Failure;
import dev.upcall.store.VerifyReport;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.Trees;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The names of files whose content a verification found damaged. */
public final class DamagedFiles {
  /** Where the report names no file. */
  public static final DamagedFiles NONE = new DamagedFiles(Map.of());

  private static final int PIECE_BYTES = 64 << 10;

  /** A file with several names is named by so many at most. */
  private static final int MAX_NAMES = 10;

  private final Map<VerifyReport.InFile, List<Place>> places;

  /**
   * A damaged place in a file.
   *
   * @param snapshot the named snapshot in which it has that name; empty for the store itself
   * @param offsetBytes where the damaged block begins; -1 where that is not known
   */
  public record Place(String snapshot, String path, long offsetBytes) {
    @Override
    public String toString() {
      return path
          + (snapshot.isEmpty() ? "" : " in snapshot " + snapshot)
          + (offsetBytes < 0 ? "" : ", from its byte " + offsetBytes + " on");
    }
  }

  private DamagedFiles(Map<VerifyReport.InFile, List<Place>> places) {
    this.places = places;
  }

  /** Looks for the names, over all of the tree, if there is a file to be named. */
  public static DamagedFiles of(FsmUpcall store, VerifyReport report) {
    Map<String, List<VerifyReport.InFile>> bySnapshot = new TreeMap<>();
    for (VerifyReport.Problem problem : report.problems()) {
      problem
          .inFile()
          .ifPresent(
              file ->
                  bySnapshot.computeIfAbsent(file.snapshot(), _ -> new ArrayList<>()).add(file));
    }
    Map<VerifyReport.InFile, List<Place>> places = new HashMap<>();
    bySnapshot.forEach((snapshot, files) -> find(store, snapshot, files, places));
    return new DamagedFiles(places);
  }

  private static void find(
      FsmUpcall store,
      String snapshot,
      List<VerifyReport.InFile> files,
      Map<VerifyReport.InFile, List<Place>> places) {
    if (snapshot.isEmpty()) {
      find(store, files, places);
      return;
    }
    try (UpcallSnapshot then = store.snapshot(snapshot)) {
      find(then, files, places);
    } catch (UpcallException.NotFound dropped) {
      // Nobody can read its files any more.
      places.keySet().removeIf(file -> file.snapshot().equals(snapshot));
    }
  }

  private static void find(
      UpcallReads reads,
      List<VerifyReport.InFile> files,
      Map<VerifyReport.InFile, List<Place>> places) {
    Map<Long, List<VerifyReport.InFile>> byId = new HashMap<>();
    files.forEach(file -> byId.computeIfAbsent(file.segment(), id -> new ArrayList<>()).add(file));
    Iterator<TreeEntry> walk = Trees.walk(reads, "/").iterator();
    for (TreeEntry entry = next(walk); entry != null; entry = next(walk)) {
      for (VerifyReport.InFile file : byId.getOrDefault(entry.info().id(), List.of())) {
        List<Place> named = places.computeIfAbsent(file, same -> new ArrayList<>());
        if (named.size() < MAX_NAMES) {
          String path = entry.path().toString();
          long offset = file.offsetBytes() < 0 ? firstDamage(reads, path) : file.offsetBytes();
          named.add(new Place(file.snapshot(), path, offset));
        }
      }
    }
  }

  /** The next entry; null at the end, and where nothing further can be listed. */
  private static @Nullable TreeEntry next(Iterator<TreeEntry> walk) {
    try {
      return walk.hasNext() ? walk.next() : null;
    } catch (UpcallException.Corrupt | UpcallException.Device unlisted) {
      return null;
    }
  }

  private static long firstDamage(UpcallReads reads, String path) {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    try (Upcall.ReadStream version = reads.read(path)) {
      long at = 0;
      for (int got = version.read(at, piece); got >= 0; got = version.read(at, piece.clear())) {
        at += got;
      }
      return -1;
    } catch (UpcallException unreadable) {
      return unreadable.failure() instanceof Failure.Corrupt corrupt && corrupt.inFile() != null
          ? corrupt.inFile().offsetBytes()
          : -1;
    }
  }

  /** Where a problem is in files that have a name. */
  public List<Place> places(VerifyReport.Problem problem) {
    return problem.inFile().map(file -> places.getOrDefault(file, List.of())).orElse(List.of());
  }

  /** Fields of a problem, in the caller's object; none where it names no file. */
  public void write(JsonGenerator json, VerifyReport.Problem problem) throws IOException {
    List<Place> found = places(problem);
    if (found.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("files");
    for (Place place : found) {
      json.writeStartObject();
      json.writeStringField("path", place.path());
      if (!place.snapshot().isEmpty()) {
        json.writeStringField("snapshot", place.snapshot());
      }
      if (place.offsetBytes() >= 0) {
        json.writeNumberField("offset", place.offsetBytes());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Fields that say where a failure is in a file, in the caller's object; none where it is not. */
  public static void write(JsonGenerator json, Failure failure) throws IOException {
    if (failure instanceof Failure.Corrupt corrupt) {
      json.writeNumberField("offsetBytes", corrupt.offsetBytes());
      Failure.Corrupt.InFile file = corrupt.inFile();
      if (file != null) {
        json.writeStringField("path", file.file());
        json.writeNumberField("offset", file.offsetBytes());
      }
    }
  }
}
