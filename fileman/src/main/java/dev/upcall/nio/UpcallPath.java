package dev.upcall.nio;

import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.content.Texts;
import dev.upcall.nio.channel.Failures;
import dev.upcall.nio.watch.Directories;
import dev.upcall.nio.watch.StoreWatchService;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A path as on Linux: names between slashes, absolute or relative to the root. Its algebra is that
 * of the JDK's own paths there, compared with them by a test. Immutable.
 */
final class UpcallPath implements Path {
  private final UpcallFileSystem fileSystem;
  private final String text;

  /** The names, or one empty name; made when first asked for, by whichever thread. */
  private @Nullable List<String> names;

  /** The path for the store, if this is absolute and without dots; as {@link #names}. */
  private @Nullable StorePath stored;

  private UpcallPath(UpcallFileSystem fileSystem, String text) {
    this.fileSystem = fileSystem;
    this.text = text;
  }

  /** Parses: slashes that say nothing go. */
  static UpcallPath parse(UpcallFileSystem fileSystem, String text) {
    if (text.indexOf('\0') >= 0) {
      throw new InvalidPathException(text, "Nul character not allowed");
    }
    if (Texts.utf8(text).isEmpty()) {
      throw new InvalidPathException(text, "not well-formed text (an unpaired surrogate)");
    }
    return new UpcallPath(fileSystem, withoutExtraSlashes(text));
  }

  private static String withoutExtraSlashes(String text) {
    boolean last = text.length() > 1 && text.endsWith("/");
    if (!last && !text.contains("//")) {
      return text;
    }
    StringBuilder normal = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (next != '/' || normal.isEmpty() || normal.charAt(normal.length() - 1) != '/') {
        normal.append(next);
      }
    }
    if (normal.length() > 1 && normal.charAt(normal.length() - 1) == '/') {
      normal.setLength(normal.length() - 1);
    }
    return normal.toString();
  }

  /** A path as one of ours; throws {@link ProviderMismatchException}. */
  static UpcallPath of(Path path) {
    if (Objects.requireNonNull(path, "path") instanceof UpcallPath ours) {
      return ours;
    }
    throw new ProviderMismatchException("not a path in an Upcall store: " + path);
  }

  /** What its parts are joined to: they are clean already. */
  private UpcallPath with(String cleanText) {
    return new UpcallPath(fileSystem, cleanText);
  }

  private UpcallPath joined(boolean absolute, List<String> some) {
    String relative = String.join("/", some);
    return with(absolute ? "/" + relative : relative);
  }

  /** The names; one empty name for the empty path, none for the root. */
  List<String> names() {
    List<String> known = names;
    if (known == null) {
      known = text.equals("/") ? List.of() : List.of(withoutRoot().split("/", -1));
      names = known;
    }
    return known;
  }

  /** Whether a name is {@code .} or {@code ..}. */
  boolean hasDots() {
    return text.indexOf('.') >= 0 && names().stream().anyMatch(UpcallPath::isDots);
  }

  /** Whether the last name is {@code .} or {@code ..}. */
  boolean endsInDots() {
    return !names().isEmpty() && isDots(names().getLast());
  }

  private static boolean isDots(String name) {
    return name.equals(".") || name.equals("..");
  }

  /**
   * The absolute form as the store parses it. Asked where {@link #hasDots} says no; throws the
   * store's failure for a name that it cannot have.
   */
  StorePath stored() {
    StorePath known = stored;
    if (known == null) {
      known = Failures.parsed(of(toAbsolutePath()).text);
      stored = known;
    }
    return known;
  }

  /** The names with slashes between them: the text, without the slash that makes it absolute. */
  String withoutRoot() {
    return isAbsolute() ? text.substring(1) : text;
  }

  boolean isEmpty() {
    return text.isEmpty();
  }

  @Override
  public FileSystem getFileSystem() {
    return fileSystem;
  }

  /** The file system as what it is. */
  UpcallFileSystem system() {
    return fileSystem;
  }

  @Override
  public boolean isAbsolute() {
    return text.startsWith("/");
  }

  @Override
  public @Nullable Path getRoot() {
    return isAbsolute() ? with("/") : null;
  }

  @Override
  public @Nullable Path getFileName() {
    return names().isEmpty() ? null : with(names().getLast());
  }

  @Override
  public @Nullable Path getParent() {
    int count = names().size();
    if (count <= 1) {
      return count == 0 ? null : getRoot();
    }
    return with(text.substring(0, text.lastIndexOf('/')));
  }

  @Override
  public int getNameCount() {
    return names().size();
  }

  @Override
  public Path getName(int index) {
    if (index < 0 || index >= names().size()) {
      throw new IllegalArgumentException(
          "index is " + index + ", the path has " + names().size() + " names");
    }
    return with(names().get(index));
  }

  @Override
  public Path subpath(int beginIndex, int endIndex) {
    if (beginIndex < 0 || beginIndex >= endIndex || endIndex > names().size()) {
      throw new IllegalArgumentException(
          "no names from " + beginIndex + " to " + endIndex + " in a path of " + names().size());
    }
    return joined(/* absolute= */ false, names().subList(beginIndex, endIndex));
  }

  @Override
  public boolean startsWith(Path other) {
    if (!(Objects.requireNonNull(other, "other") instanceof UpcallPath that)
        || that.fileSystem != fileSystem
        || that.isAbsolute() != isAbsolute()) {
      return false;
    }
    int count = that.names().size();
    return count <= names().size() && names().subList(0, count).equals(that.names());
  }

  @Override
  public boolean endsWith(Path other) {
    if (!(Objects.requireNonNull(other, "other") instanceof UpcallPath that)
        || that.fileSystem != fileSystem) {
      return false;
    }
    if (that.isAbsolute() || that.isEmpty() || isEmpty()) {
      return that.text.equals(text);
    }
    int skipped = names().size() - that.names().size();
    return skipped >= 0 && names().subList(skipped, names().size()).equals(that.names());
  }

  @Override
  public Path normalize() {
    if (!hasDots()) {
      return this;
    }
    Deque<String> kept = new ArrayDeque<>();
    for (String name : names()) {
      if (!name.equals("..")) {
        if (!name.equals(".")) {
          kept.addLast(name);
        }
      } else if (!kept.isEmpty() && !kept.getLast().equals("..")) {
        kept.removeLast();
      } else if (!isAbsolute()) {
        kept.addLast(name);
      }
    }
    return joined(isAbsolute(), new ArrayList<>(kept));
  }

  @Override
  public Path resolve(Path other) {
    UpcallPath that = of(other);
    if (that.isAbsolute() || isEmpty()) {
      return that;
    }
    if (that.isEmpty()) {
      return this;
    }
    return with(text.endsWith("/") ? text + that.text : text + "/" + that.text);
  }

  @Override
  public Path relativize(Path other) {
    UpcallPath child = of(other);
    if (child.equals(this)) {
      return with("");
    }
    if (isAbsolute() != child.isAbsolute()) {
      throw new IllegalArgumentException("'other' is different type of Path");
    }
    if (isEmpty()) {
      return child;
    }
    boolean dots = hasDots() || child.hasDots();
    List<String> from = withoutEmpty(dots ? of(normalize()) : this);
    List<String> to = withoutEmpty(dots ? of(child.normalize()) : child);
    int same = 0;
    while (same < Math.min(from.size(), to.size()) && from.get(same).equals(to.get(same))) {
      same++;
    }
    List<String> up = from.subList(same, from.size());
    if (up.stream().anyMatch(UpcallPath::isDots)) {
      throw new IllegalArgumentException(
          "Unable to compute relative path from " + this + " to " + other);
    }
    List<String> way = new ArrayList<>(Collections.nCopies(up.size(), ".."));
    way.addAll(to.subList(same, to.size()));
    return joined(/* absolute= */ false, way);
  }

  private static List<String> withoutEmpty(UpcallPath path) {
    return path.isEmpty() ? List.of() : path.names();
  }

  @Override
  public URI toUri() {
    return fileSystem.uriOf(of(toAbsolutePath()).text);
  }

  @Override
  public Path toAbsolutePath() {
    if (isAbsolute()) {
      return this;
    }
    return with("/" + text);
  }

  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    return fileSystem.lookups().realPath(this, Links.follows(options));
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers)
      throws IOException {
    Directories watched = fileSystem.changes().directories();
    if (Objects.requireNonNull(watcher, "watcher") instanceof StoreWatchService service
        && watched != null
        && service.watches(watched)) {
      return fileSystem.register(this, service, StoreWatchService.kinds(events, modifiers));
    }
    throw new ProviderMismatchException("a watch service of another file system");
  }

  /** By text; 0 only for what is equal, so paths of several file systems can be in one set. */
  @Override
  public int compareTo(Path other) {
    UpcallPath that = (UpcallPath) other;
    int byText = Listing.compareNames(text, that.text);
    return byText != 0 ? byText : Long.compare(fileSystem.number(), that.fileSystem.number());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UpcallPath that
        && that.fileSystem == fileSystem
        && that.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
