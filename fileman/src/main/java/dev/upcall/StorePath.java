package dev.upcall;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Texts;
import dev.upcall.txn.TableEntries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A path inside a store, parsed and checked once: from the root on, or from a directory that is
 * known by its id ({@link #parse(long, CharSequence)}).
 *
 * <p>Rules: a path begins with {@code /}; one trailing slash and repeated slashes are ignored; each
 * name is well-formed text (no unpaired surrogate) of 1 to {@link #MAX_NAME_BYTES} bytes of UTF-8,
 * kept exactly as given (not normalised, case matters), without {@code /} and NUL, and is neither
 * {@code .} nor {@code ..}. A path has at most {@link #MAX_NAMES} names.
 *
 * <p>It is its own text, so that wherever a path is asked for as {@link CharSequence} both will do:
 * a text, which is parsed, or one of these, which is not parsed again.
 */
public final class StorePath implements CharSequence {
  /** The longest name, in bytes of UTF-8. */
  public static final int MAX_NAME_BYTES = 255;

  /** The deepest path. */
  public static final int MAX_NAMES = 1000;

  /** The root directory. */
  public static final StorePath ROOT =
      new StorePath(FileManager.ROOT_ID, "/", List.of(), new byte[0][]);

  /**
   * A directory that the store keeps for itself: for files that are open in its {@link
   * Upcall#fileSystem} and have lost their names. Nobody else can put anything there.
   */
  public static final StorePath UNLINKED = ROOT.child(".upcall-unlinked");

  private static final String KEY = "entry 0x";
  private static final String OF = " of ";

  private final long start;
  private final String text;
  private final List<String> names;

  /** The names in UTF-8: whoever looks them up needs them so, and parsing makes them anyway. */
  private final byte[][] encoded;

  /** Of an entry of the table at the names; null for the path of a name. */
  private final byte @Nullable [] key;

  private StorePath(long start, String text, List<String> names, byte[][] encoded) {
    this(start, text, names, encoded, null);
  }

  private StorePath(
      long start, String text, List<String> names, byte[][] encoded, byte @Nullable [] key) {
    this.start = start;
    this.text = text;
    this.names = names;
    this.encoded = encoded;
    this.key = key;
  }

  /** Parses a path; {@code Invalid} says which rule it breaks. */
  public static Completion<StorePath> parse(CharSequence path) {
    return path instanceof StorePath parsed
        ? Completion.done(parsed)
        : Refused.catching(() -> checked(path));
  }

  /**
   * Parses a path that begins at a directory, whatever that is called by now and wherever it is:
   * who moves it, or puts something else in its place, leads nobody astray. It is good at every
   * door, for what is asked and for what is changed; {@code NotFound} says that the directory, or
   * one that it lay in, is gone.
   *
   * <p>Its text, for messages, is the id behind a {@code #}, then the names; it is not parsed.
   *
   * @param directoryId what {@link FileInfo#id} said of the directory
   * @param relative names with slashes between them; none is the directory itself. {@code .} and
   *     {@code ..} are walked as the kernel of a host walks them: {@code ..} is the parent of what
   *     is before it, links followed
   */
  public static Completion<StorePath> parse(long directoryId, CharSequence relative) {
    Objects.requireNonNull(relative, "relative");
    return Refused.catching(() -> parseText(directoryId, relative.toString()));
  }

  /** As {@link #parse(CharSequence)}; throws {@link Refused}. */
  static StorePath checked(CharSequence path) {
    return checked("path", path);
  }

  /** As {@link #checked(CharSequence)} for an argument with a name. */
  static StorePath checked(String argument, CharSequence path) {
    return path instanceof StorePath parsed
        ? parsed
        : parseText(Objects.requireNonNull(path, argument).toString());
  }

  private static StorePath parseText(String path) {
    if (!path.startsWith("/")) {
      throw invalid(path, "a path inside a store begins with /");
    }
    Parts parts = new Parts(path, /* dots= */ false);
    if (parts.names.length == 0) {
      return ROOT;
    }
    String text = parts.normalLength() == path.length() ? path : parts.joined("/");
    return parts.path(FileManager.ROOT_ID, text);
  }

  private static StorePath parseText(long directoryId, String relative) {
    if (relative.startsWith("/")) {
      throw invalid(relative, "a path from a directory on does not begin with /");
    }
    Parts parts = new Parts(relative, /* dots= */ true);
    if (directoryId == FileManager.ROOT_ID && !parts.dotted) {
      return parts.names.length == 0 ? ROOT : parts.path(directoryId, parts.joined("/"));
    }
    String itself = "#" + directoryId;
    return parts.path(directoryId, parts.names.length == 0 ? itself : parts.joined(itself + "/"));
  }

  /** A text taken apart. */
  private static final class Parts {
    final String[] names;
    final byte[][] encoded;
    boolean dotted;

    /**
     * Takes it apart.
     *
     * @param dots whether {@code .} and {@code ..} may stand for names
     */
    Parts(String path, boolean dots) {
      int count = count(path);
      if (count > MAX_NAMES) {
        throw invalid(path, "more than " + MAX_NAMES + " names");
      }
      names = new String[count];
      encoded = new byte[count][];
      int start = 0;
      for (int i = 0; i < count; i++) {
        while (path.charAt(start) == '/') {
          start++;
        }
        int slash = path.indexOf('/', start);
        int end = slash < 0 ? path.length() : slash;
        set(i, path, path.substring(start, end), dots);
        start = end;
      }
    }

    private static int count(String path) {
      int count = 0;
      boolean inside = false;
      for (int i = 0; i < path.length(); i++) {
        boolean wasInside = inside;
        inside = path.charAt(i) != '/';
        count += inside && !wasInside ? 1 : 0;
      }
      return count;
    }

    private void set(int index, String path, String name, boolean dots) {
      byte[] bytes = Texts.utf8(name).orElse(null);
      boolean isDots = dots && isDots(name);
      String wrong = isDots ? null : whatIsWrongWith(name, bytes);
      if (wrong != null || bytes == null) {
        throw invalid(path, String.valueOf(wrong));
      }
      names[index] = name;
      encoded[index] = bytes;
      dotted |= isDots;
    }

    int normalLength() {
      int length = 0;
      for (String name : names) {
        length += 1 + name.length();
      }
      return length;
    }

    String joined(String before) {
      return before + String.join("/", names);
    }

    StorePath path(long start, String text) {
      return new StorePath(start, text, List.of(names), encoded);
    }
  }

  private static boolean isDots(String name) {
    return name.equals(".") || name.equals("..");
  }

  /** Parses a path that is known to be good; throws {@link IllegalArgumentException} otherwise. */
  public static StorePath of(String path) {
    return switch (parse(path)) {
      case Completion.Done<StorePath>(StorePath parsed) -> parsed;
      case Completion.Failed<StorePath>(Failure failure) ->
          throw new IllegalArgumentException(failure.message());
    };
  }

  /**
   * Why a text cannot be a name in a directory, if it cannot. For tools that must report names that
   * they cannot keep.
   */
  public static Optional<String> whatIsWrongWith(String name) {
    Objects.requireNonNull(name, "name");
    return Optional.ofNullable(whatIsWrongWith(name, Texts.utf8(name).orElse(null)));
  }

  private static @Nullable String whatIsWrongWith(String name, byte @Nullable [] bytes) {
    if (name.isEmpty()) {
      return "an empty name";
    }
    if (isDots(name)) {
      return "\"" + name + "\" is not a name";
    }
    if (name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
      return "a name contains neither / nor NUL";
    }
    if (bytes == null) {
      return "a name is not well-formed text (an unpaired surrogate)";
    }
    return bytes.length > MAX_NAME_BYTES
        ? "a name is longer than " + MAX_NAME_BYTES + " bytes"
        : null;
  }

  /**
   * The directory in which it begins: the root's id, or that of {@link #parse(long, CharSequence)}.
   */
  public long directoryId() {
    return start;
  }

  /** The names from where it begins on; empty for the directory itself. */
  public List<String> names() {
    return names;
  }

  /** One of the names in UTF-8, not to be changed. */
  public byte[] encoded(int index) {
    return encoded[index];
  }

  /** Whether this is the root. */
  public boolean isRoot() {
    return names.isEmpty() && start == FileManager.ROOT_ID && key == null;
  }

  /**
   * The path of its first names.
   *
   * @param count how many, 0 to all
   */
  public StorePath before(int count) {
    Objects.checkIndex(count, names.size() + 1);
    StorePath path = this;
    while (path.names.size() > count) {
      path = path.parent();
    }
    return path;
  }

  /** The last name; empty for the directory in which it begins. */
  public String lastName() {
    return names.isEmpty() ? "" : names.getLast();
  }

  /**
   * The path without its last name; that of a path without names is itself, and that of an {@link
   * #entry} is the table's.
   */
  public StorePath parent() {
    if (key != null) {
      return new StorePath(start, ofTable(), names, encoded);
    }
    int longer = names.size() - 1;
    if (longer < 0) {
      return this;
    }
    return longer == 0 && start == FileManager.ROOT_ID
        ? ROOT
        : new StorePath(
            start,
            text.substring(0, text.lastIndexOf('/')),
            names.subList(0, longer),
            Arrays.copyOf(encoded, longer));
  }

  /**
   * The path of a name in this directory; throws {@link IllegalArgumentException} when the name is
   * not one.
   */
  public StorePath child(String name) {
    Objects.requireNonNull(name, "name");
    if (key != null) {
      throw new IllegalArgumentException(text + " is no directory");
    }
    byte[] bytes = Texts.utf8(name).orElse(null);
    String wrong = whatIsWrongWith(name, bytes);
    if (wrong != null || bytes == null) {
      throw new IllegalArgumentException(wrong);
    }
    List<String> longer = new ArrayList<>(names.size() + 1);
    longer.addAll(names);
    longer.add(name);
    byte[][] longerEncoded = Arrays.copyOf(encoded, names.size() + 1);
    longerEncoded[names.size()] = bytes;
    String longerText = isRoot() ? text + name : text + "/" + name;
    return new StorePath(start, longerText, List.copyOf(longer), longerEncoded);
  }

  /**
   * The path of a value: of the entry that has this key in the table at this path. It is good
   * wherever the content of a file is read or put whole, at every door: so values of any size come
   * in and out as streams, and are read by ranges. It is an entry as any other; of the conditions
   * of a put, it may have those that say whether something is there. Everything else that is asked
   * of it is {@code Invalid}.
   *
   * <p>Its text, for messages, names key and table; it is not parsed.
   *
   * @param key 1 to {@code TableRequest.MAX_KEY_BYTES} bytes, which are copied; {@code TooLarge} or
   *     {@code Invalid} otherwise
   */
  public StorePath entry(byte[] key) {
    Failure refused =
        this.key == null
            ? TableEntries.refusesKey(key)
            : new Failure.Invalid(text + " is no table");
    if (refused != null) {
      throw UpcallException.of(refused);
    }
    String hex = HexFormat.of().formatHex(key);
    return new StorePath(start, KEY + hex + OF + text, names, encoded, key.clone());
  }

  /** Whether it is the path of a value: {@link #entry}. */
  public boolean isEntry() {
    return key != null;
  }

  /** The key of a path that {@link #isEntry}. */
  public byte[] key() {
    if (key == null) {
      throw new IllegalStateException(text + " is not the path of an entry");
    }
    return key.clone();
  }

  private String ofTable() {
    return text.substring(text.indexOf(OF) + OF.length());
  }

  /** Whether {@code other} is this path or lies below it (as text; links are not followed). */
  public boolean contains(StorePath other) {
    Objects.requireNonNull(other, "other");
    if (key != null) {
      return equals(other);
    }
    return other.start == start
        && other.names.size() >= names.size()
        && other.names.subList(0, names.size()).equals(names);
  }

  /** The path as text, without a trailing slash except for the root. */
  @Override
  public String toString() {
    return text;
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public char charAt(int index) {
    return text.charAt(index);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StorePath path
        && path.start == start
        && path.names.equals(names)
        && Arrays.equals(path.key, key);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Long.hashCode(start) + names.hashCode()) + Arrays.hashCode(key);
  }

  private static Refused invalid(String path, String why) {
    return new Refused(new Failure.Invalid(printable(path) + ": " + why));
  }

  private static String printable(String path) {
    String shown = path.length() > 300 ? path.substring(0, 300) + "..." : path;
    return shown.replace('\0', '?');
  }
}
