package dev.upcall;

import dev.upcall.content.Kind;
import dev.upcall.content.Texts;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.TableRequest;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What files are, said again in nested maps and without any thought of speed: the judge of the file
 * manager. Written from the contract, not from the planners.
 */
final class ModelFiles {
  private static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal() {
      super(null, null, false, false);
    }
  }

  /** A file, directory, link or table. */
  static final class Node {
    final Kind kind;
    final long serial;
    int changes;
    byte[] content = {};

    /** Whose content of before the batch it has; 0 for content that the batch has brought. */
    long origin;

    /** Whether the batch has edited what was there before. */
    boolean edited;

    String target = "";
    int mode;
    long expiresNanos = Long.MAX_VALUE;
    TreeMap<String, Node> entries = new TreeMap<>(ModelFiles::byBytes);

    /** Of a table. */
    TreeMap<byte[], byte[]> values = new TreeMap<>(Arrays::compareUnsigned);

    @Nullable Node parent;

    Node(Kind kind, int mode, long serial) {
      this.kind = kind;
      this.serial = serial;
      this.mode = mode;
    }

    Node copy(@Nullable Node newParent) {
      Node copy = new Node(kind, mode, serial);
      copy.changes = changes;
      copy.content = content;
      copy.origin = serial;
      copy.target = target;
      copy.expiresNanos = expiresNanos;
      copy.parent = newParent;
      copy.values.putAll(values);
      entries.forEach((name, entry) -> copy.entries.put(name, entry.copy(copy)));
      return copy;
    }
  }

  private record Place(Node directory, String name, @Nullable Node node, List<String> missing) {}

  /** Which node, and how often it had been changed. */
  record State(long serial, int changes) {}

  private long lastSerial;
  private long nowNanos;
  Node root = new Node(Kind.DIRECTORY, 0755, 0);

  /** What the store calls some states that were seen. */
  Map<FileVersion, State> states = new HashMap<>();

  /** What the store calls some directories that were seen, by now perhaps gone. */
  Map<Long, Long> directories = new HashMap<>();

  TreeMap<String, byte[]> properties = new TreeMap<>();

  ModelFiles copy() {
    ModelFiles copy = new ModelFiles();
    copy.lastSerial = lastSerial;
    copy.nowNanos = nowNanos;
    copy.states = states;
    copy.directories = directories;
    copy.root = root.copy(null);
    copy.properties = new TreeMap<>(properties);
    return copy;
  }

  private static int byBytes(String a, String b) {
    return Arrays.compareUnsigned(Texts.utf8(a).orElseThrow(), Texts.utf8(b).orElseThrow());
  }

  /** What has expired is gone, and nothing else is different. */
  void pass(long toNanos) {
    nowNanos = toNanos;
    expire(root);
  }

  private void expire(Node directory) {
    directory.entries.values().removeIf(node -> node.expiresNanos <= nowNanos);
    directory.entries.values().forEach(this::expire);
  }

  /** All or nothing, at a time; false when it is refused. */
  boolean batch(List<FileRequest> requests, long atNanos) {
    ModelFiles next = copy();
    try {
      for (FileRequest request : requests) {
        next.pass(atNanos);
        next.apply(request);
      }
      next.pass(atNanos);
      next.requireNobodyChangesPlaces();
      next.requireEditedIsNotCloned();
    } catch (Refusal refused) {
      return false;
    }
    lastSerial = next.lastSerial;
    root = next.root;
    properties = next.properties;
    return true;
  }

  /** The file under a path, links followed; null when there is none. */
  @Nullable Node find(StorePath path) {
    try {
      return place(path, true).node();
    } catch (Refusal refused) {
      return null;
    }
  }

  private void apply(FileRequest request) {
    switch (request) {
      case FileRequest.Put put -> put(put);
      case FileRequest.CreateDirectory create -> createDirectory(create);
      case FileRequest.SymbolicLink link -> {
        Place place = place(link.path(), false);
        require(place.node() == null && place.missing().size() == 1);
        Node node = newNode(Kind.SYMBOLIC_LINK, 0777);
        node.target = link.target();
        enter(place.directory(), place.name(), node);
      }
      case FileRequest.Delete delete -> {
        Place place = existing(delete.path(), delete.condition());
        require(place.node().entries.isEmpty());
        leave(place);
      }
      case FileRequest.DeleteTree delete -> {
        leave(existing(delete.path(), delete.condition()));
      }
      case FileRequest.Rename rename -> rename(rename);
      case FileRequest.Clone clone -> cloneFile(clone);
      case FileRequest.Splice splice -> splice(splice);
      case FileRequest.CopyRange copy -> copyRange(copy);
      case FileRequest.SetMetadata set -> {
        Node node = place(set.path(), set.links() == LinkPolicy.FOLLOW).node();
        require(holds(set.condition(), node));
        require(node != null);
        node.changes++;
        set(node, set.change());
      }
      case FileRequest.SetProperty set -> properties.put(set.name(), set.value());
      case FileRequest.RemoveProperty remove -> properties.remove(remove.name());
      case TableRequest.CreateTable create -> createTable(create);
      case TableRequest.PutEntry put -> {
        TreeMap<byte[], byte[]> values = table(put).values;
        require(holds(put.expect(), values.get(put.key())));
        values.put(put.key(), put.value());
      }
      case TableRequest.RemoveEntry remove -> {
        TreeMap<byte[], byte[]> values = table(remove).values;
        require(holds(remove.expect(), values.get(remove.key())));
        values.remove(remove.key());
      }
      case TableRequest.RemoveRange remove -> {
        List<byte[]> keys = new ArrayList<>(in(table(remove).values, remove.range()).keySet());
        for (byte[] key : keys.subList(0, Math.min(remove.limit(), keys.size()))) {
          table(remove).values.remove(key);
        }
      }
    }
  }

  private void set(Node node, MetadataChange change) {
    node.mode = change.mode().orElse(node.mode);
    node.expiresNanos =
        switch (change.expiry().orElse(null)) {
          case null -> node.expiresNanos;
          case Expiry.Never _ -> Long.MAX_VALUE;
          case Expiry.At(long nanos) -> nanos;
          case Expiry.After(long nanos) -> nowNanos + nanos;
        };
    require(node.kind.mayExpire() || node.expiresNanos == Long.MAX_VALUE);
  }

  private void putEntry(FileRequest.Put put) {
    TreeMap<byte[], byte[]> values = table(put.path().parent()).values;
    byte[] key = put.path().key();
    switch (put.options().condition().existence()) {
      case ANY -> {}
      case MUST_EXIST -> require(values.containsKey(key));
      case MUST_NOT_EXIST -> require(!values.containsKey(key));
    }
    values.put(key, ((FileContent.Bytes) put.content()).bytes());
  }

  private void put(FileRequest.Put put) {
    if (put.path().isEntry()) {
      putEntry(put);
      return;
    }
    PutOptions options = put.options();
    Place place = place(put.path(), options.links() == LinkPolicy.FOLLOW);
    Node node = place.node();
    require(node == null || node.kind != Kind.DIRECTORY && node.kind != Kind.TABLE);
    require(holds(options.condition(), node));
    if (node == null || node.kind == Kind.SYMBOLIC_LINK) {
      Node directory =
          node == null ? parents(place, options.parents() == Parents.MAKE) : place.directory();
      node = newNode(Kind.FILE, 0644);
      enter(directory, place.name(), node);
    }
    node.changes++;
    node.content = ((FileContent.Bytes) put.content()).bytes();
    node.origin = 0;
    node.edited = false;
    node.expiresNanos = Long.MAX_VALUE;
    set(node, options.metadata());
  }

  private void cloneFile(FileRequest.Clone clone) {
    Node from = place(clone.from(), true).node();
    require(from != null && from.kind == Kind.FILE);
    Place to = place(clone.to(), false);
    Node node = to.node();
    if (node == from) {
      return;
    }
    require(holds(clone.target(), node));
    require(node == null || node.kind != Kind.DIRECTORY && node.kind != Kind.TABLE);
    if (node == null || node.kind == Kind.SYMBOLIC_LINK) {
      require(node != null || to.missing().size() == 1);
      node = newNode(Kind.FILE, from.mode);
      enter(to.directory(), to.name(), node);
    }
    node.changes++;
    node.mode = from.mode;
    require(!from.edited);
    node.content = from.content;
    node.origin = from.origin;
    node.edited = false;
    node.expiresNanos = Long.MAX_VALUE;
  }

  private void splice(FileRequest.Splice splice) {
    Node node = existing(splice.path(), splice.condition()).node();
    require(node.kind == Kind.FILE && node.origin == node.serial);
    int offset = (int) splice.offset();
    int behind = offset + (int) splice.removed();
    require(splice.offset() == offset && offset >= 0 && splice.removed() >= 0);
    require(splice.removed() <= node.content.length && behind <= node.content.length);
    node.changes++;
    node.edited = true;
    node.content = spliced(node.content, offset, behind - offset, splice.bytes());
  }

  private void copyRange(FileRequest.CopyRange copy) {
    Node source = place(copy.from().path(), true).node();
    require(source != null && source.kind == Kind.FILE);
    Node node = existing(copy.to(), copy.target()).node();
    require(node.kind == Kind.FILE && node.origin == node.serial);
    require(source == node || source.origin == source.serial && !source.edited);
    int from = (int) copy.from().offset();
    require(copy.from().offset() == from && from >= 0 && from <= source.content.length);
    int left = source.content.length - from;
    long asked = copy.from().bytes() == FileRequest.Range.TO_END ? left : copy.from().bytes();
    require(asked >= 0 && asked <= left);
    int bytes = (int) asked;
    int offset = (int) copy.offset();
    require(copy.offset() == offset && offset >= 0 && offset <= node.content.length);
    int removed =
        copy.placing() == FileRequest.Placing.INSERT
            ? 0
            : Math.min(bytes, node.content.length - offset);
    byte[] copied = Arrays.copyOfRange(source.content, from, from + bytes);
    node.changes++;
    node.edited = true;
    node.content = spliced(node.content, offset, removed, copied);
  }

  private static byte[] spliced(byte[] before, int offset, int removed, byte[] bytes) {
    ByteArrayOutputStream spliced = new ByteArrayOutputStream();
    spliced.write(before, 0, offset);
    spliced.writeBytes(bytes);
    spliced.write(before, offset + removed, before.length - offset - removed);
    return spliced.toByteArray();
  }

  private void requireEditedIsNotCloned() {
    Map<Long, Long> origins = new HashMap<>();
    collect(root, origins);
    Set<Long> cloned = new HashSet<>();
    origins.forEach(
        (file, origin) -> {
          if (!file.equals(origin)) {
            cloned.add(origin);
          }
        });
    requireEditedIsNotCloned(root, cloned);
  }

  /** Nobody's content is both changed in its place and lent to others. */
  private static void requireEditedIsNotCloned(Node node, Set<Long> cloned) {
    require(!node.edited || !cloned.contains(node.serial));
    node.entries.values().forEach(entry -> requireEditedIsNotCloned(entry, cloned));
  }

  /** Files that have each other's content of before the batch, and not their own. */
  private void requireNobodyChangesPlaces() {
    Map<Long, Long> origins = new HashMap<>();
    collect(root, origins);
    for (long file : origins.keySet()) {
      long at = file;
      for (int i = 0; i < origins.size() && origins.getOrDefault(at, at) != at; i++) {
        at = origins.get(at);
        require(at != file);
      }
    }
  }

  private static void collect(Node node, Map<Long, Long> origins) {
    if (node.kind == Kind.FILE) {
      origins.put(node.serial, node.origin == 0 ? node.serial : node.origin);
    }
    node.entries.values().forEach(entry -> collect(entry, origins));
  }

  private void createDirectory(FileRequest.CreateDirectory create) {
    boolean made = create.parents() == Parents.MAKE;
    Place place = place(create.path(), made);
    if (place.node() != null) {
      require(made && place.node().kind == Kind.DIRECTORY);
      return;
    }
    Node directory = parents(place, made);
    enter(directory, place.name(), newNode(Kind.DIRECTORY, 0755));
  }

  private void createTable(TableRequest.CreateTable create) {
    boolean made = create.parents() == Parents.MAKE;
    Place place = place(create.path(), made);
    if (place.node() != null) {
      require(made && place.node().kind == Kind.TABLE);
      return;
    }
    Node table = newNode(Kind.TABLE, 0644);
    enter(parents(place, made), place.name(), table);
    set(table, create.metadata());
  }

  private Node table(TableRequest request) {
    return table(request.path());
  }

  private Node table(StorePath path) {
    Node node = place(path, true).node();
    require(node != null && node.kind == Kind.TABLE);
    return node;
  }

  private static boolean holds(Expect expect, byte @Nullable [] value) {
    return switch (expect) {
      case Expect.Any _ -> true;
      case Expect.Absent _ -> value == null;
      case Expect.Present _ -> value != null;
      case Expect.Value(byte[] expected) -> Arrays.equals(expected, value);
    };
  }

  /** The entries of a range. */
  static SortedMap<byte[], byte[]> in(TreeMap<byte[], byte[]> values, KeyRange range) {
    byte[] below = range.below().orElse(null);
    if (below == null) {
      return values.tailMap(range.from());
    }
    return Arrays.compareUnsigned(range.from(), below) >= 0
        ? Collections.emptySortedMap()
        : values.subMap(range.from(), below);
  }

  /** The paths of all tables. */
  List<StorePath> tables() {
    List<StorePath> paths = new ArrayList<>();
    tables(root, "", paths);
    return paths;
  }

  private static void tables(Node node, String at, List<StorePath> paths) {
    node.entries.forEach(
        (name, entry) -> {
          if (entry.kind == Kind.TABLE) {
            paths.add(StorePath.of(at + "/" + name));
          }
          tables(entry, at + "/" + name, paths);
        });
  }

  private void rename(FileRequest.Rename rename) {
    Place from = existing(rename.from(), FileCondition.NONE);
    Place to = place(rename.to(), false);
    if (to.node() == from.node()) {
      return;
    }
    Node target = to.node();
    require(target != null || to.missing().size() == 1);
    for (Node at = to.directory(); at != null; at = at.parent) {
      require(at != from.node());
    }
    require(holds(rename.target(), target));
    if (target != null) {
      require((target.kind == Kind.DIRECTORY) == (from.node().kind == Kind.DIRECTORY));
      require((target.kind == Kind.TABLE) == (from.node().kind == Kind.TABLE));
      require(!to.name().isEmpty() && target.entries.isEmpty());
    }
    leave(from);
    from.node().changes++;
    enter(to.directory(), to.name(), from.node());
  }

  private Node parents(Place place, boolean make) {
    require(make || place.missing().size() == 1);
    Node directory = place.directory();
    for (String name : place.missing().subList(0, place.missing().size() - 1)) {
      Node made = newNode(Kind.DIRECTORY, 0755);
      enter(directory, name, made);
      directory = made;
    }
    return directory;
  }

  private static void enter(Node directory, String name, Node node) {
    node.parent = directory;
    directory.changes++;
    directory.entries.put(name, node);
  }

  private static void leave(Place place) {
    place.directory().changes++;
    place.directory().entries.remove(place.name());
  }

  private Node newNode(Kind kind, int mode) {
    return new Node(kind, mode, ++lastSerial);
  }

  /** Whether a condition holds of what a path leads to, or of nothing. */
  private boolean holds(FileCondition condition, @Nullable Node node) {
    boolean exists = node != null;
    State state = exists ? new State(node.serial, node.changes) : null;
    return (exists || condition.existence() != Existence.MUST_EXIST)
        && (!exists || condition.existence() != Existence.MUST_NOT_EXIST)
        && (!exists || !condition.directory() || node.kind == Kind.DIRECTORY)
        && condition.anyOf().map(versions -> isOneOf(versions, state)).orElse(true)
        && !isOneOf(condition.noneOf(), state);
  }

  private boolean isOneOf(List<FileVersion> versions, @Nullable State state) {
    return state != null && versions.stream().map(states::get).anyMatch(state::equals);
  }

  /** The node under a path, links followed or not; null when there is none. */
  @Nullable Node look(StorePath path, LinkPolicy links) {
    try {
      return place(path, links == LinkPolicy.FOLLOW).node();
    } catch (Refusal refused) {
      return null;
    }
  }

  private Place existing(StorePath path, FileCondition condition) {
    Place place = place(path, false);
    require(holds(condition, place.node()));
    require(place.node() != null && !place.name().isEmpty());
    return place;
  }

  private Place place(StorePath path, boolean follow) {
    Deque<String> way = new ArrayDeque<>(path.names());
    Node at = start(path);
    int links = 0;
    while (!way.isEmpty()) {
      String name = way.removeFirst();
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      if (name.equals("..")) {
        at = at.parent == null ? at : at.parent;
        continue;
      }
      Node next = at.entries.get(name);
      if (next == null) {
        require(!way.contains(".."));
        List<String> missing = new ArrayList<>(List.of(name));
        way.stream().filter(n -> !n.isEmpty() && !n.equals(".")).forEach(missing::add);
        return new Place(at, missing.getLast(), null, missing);
      }
      boolean last = way.isEmpty();
      if (next.kind == Kind.SYMBOLIC_LINK && (!last || follow)) {
        links++;
        require(links <= 40);
        if (next.target.startsWith("/")) {
          at = root;
        }
        List<String> names = List.of(next.target.split("/"));
        names.reversed().forEach(way::addFirst);
      } else if (last) {
        return new Place(at, name, next, List.of());
      } else {
        require(next.kind == Kind.DIRECTORY);
        at = next;
      }
    }
    return new Place(at, "", at, List.of());
  }

  /**
   * Where a path begins: the directory with that serial, wherever it is; one that is gone is not.
   */
  private Node start(StorePath path) {
    if (path.directoryId() == FileManager.ROOT_ID) {
      return root;
    }
    Long serial = directories.get(path.directoryId());
    Node start = serial == null ? null : find(root, serial);
    require(start != null);
    return start;
  }

  private static @Nullable Node find(Node node, long serial) {
    if (node.serial == serial) {
      return node;
    }
    for (Node entry : node.entries.values()) {
      Node found = find(entry, serial);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static void require(boolean fact) {
    if (!fact) {
      throw new Refusal();
    }
  }
}
