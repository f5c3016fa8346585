package dev.upcall.fileman.plan;

import dev.upcall.StorePath;
import dev.upcall.request.FileRequest;
import dev.upcall.request.TableRequest;
import dev.upcall.txn.lock.LockKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What requests do and to which paths, for messages of those that know of segments only. */
final class LockWords {
  private static final int MOST = 3;

  private LockWords() {}

  /** What requests do, the first of many. */
  static String purpose(List<FileRequest> requests) {
    return requests.isEmpty()
        ? "nothing"
        : some(requests.stream().limit(MOST).map(FileRequest::purpose).toList(), requests.size());
  }

  /**
   * The path of a request that leads to something, or those of some of which one does.
   *
   * @param segments the segment that each request makes or changes; 0: none
   */
  static String name(LockKey key, List<FileRequest> requests, long[] segments) {
    List<StorePath> paths =
        switch (key.kind()) {
          case PROPERTY -> List.of();
          case SEGMENT -> ofSegment(key.id(), requests, segments);
          case NAME -> ofName(key.name(), requests);
          case ENTRY -> ofSegment(key.id(), requests, segments);
        };
    List<String> texts = paths.stream().map(StorePath::toString).toList();
    return switch (texts.size()) {
      case 0 -> key.toString();
      case 1 -> texts.getFirst();
      default -> "one of " + some(texts, texts.size());
    };
  }

  /** The one that has it for its own, or all that give way to others or lend them content. */
  private static List<StorePath> ofSegment(long id, List<FileRequest> requests, long[] segments) {
    Set<StorePath> paths = new LinkedHashSet<>();
    for (int i = 0; i < requests.size(); i++) {
      Roles roles = roles(requests.get(i));
      if (i < segments.length && segments[i] == id) {
        return roles.own();
      }
      paths.addAll(roles.others());
    }
    return List.copyOf(paths);
  }

  /**
   * The paths of one request.
   *
   * @param own of what it makes or changes
   * @param others of what else it locks
   */
  private record Roles(List<StorePath> own, List<StorePath> others) {}

  private static Roles roles(FileRequest request) {
    return switch (request) {
      case FileRequest.Rename rename -> roles(rename.from(), rename.to());
      case FileRequest.Clone clone -> roles(clone.to(), clone.from());
      case FileRequest.CopyRange copy -> roles(copy.to(), copy.from().path());
      case FileRequest.Put _,
          FileRequest.CreateDirectory _,
          FileRequest.SymbolicLink _,
          FileRequest.Delete _,
          FileRequest.DeleteTree _,
          FileRequest.Splice _,
          FileRequest.SetMetadata _,
          FileRequest.SetProperty _,
          FileRequest.RemoveProperty _,
          TableRequest _ ->
          new Roles(request.paths(), request.paths());
    };
  }

  private static Roles roles(StorePath own, StorePath other) {
    return new Roles(List.of(own), List.of(other));
  }

  /** Those that end in a name; where links lead elsewhere, all. */
  private static List<StorePath> ofName(String name, List<FileRequest> requests) {
    Set<StorePath> all = new LinkedHashSet<>();
    requests.forEach(request -> all.addAll(request.paths()));
    Set<StorePath> ending = new LinkedHashSet<>(all);
    ending.removeIf(path -> !path.lastName().equals(name));
    return List.copyOf(ending.isEmpty() ? all : ending);
  }

  private static String some(List<String> words, int all) {
    String first = String.join(", ", words.stream().limit(MOST).toList());
    return all <= MOST ? first : first + " and " + (all - MOST) + " more";
  }
}
