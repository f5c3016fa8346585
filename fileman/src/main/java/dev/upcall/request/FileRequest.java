package dev.upcall.request;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FileOperation;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A change of the namespace as a value. Everything that decides its effect is inside; the time
 * comes with the batch that carries it. Symbolic links in the middle of a path are always followed.
 *
 * <p>Where a request has a {@link FileCondition}, it is looked at before everything else that the
 * request needs of its target; the shorter constructor leaves it out ({@link FileCondition#NONE}).
 *
 * <p>A path may be given as text, as everywhere else; one that can be no path is {@link
 * UpcallException.Invalid} here, when the request is made.
 *
 * <p>Failures that all may have: {@code NotFound} and {@code NotADirectory} (the way to the name),
 * {@code LinkLoop}, {@code Invalid}, and those of the condition.
 */
public sealed interface FileRequest extends Change<Optional<FileInfo>>
    permits FileRequest.Put,
        FileRequest.CreateDirectory,
        FileRequest.SymbolicLink,
        FileRequest.Delete,
        FileRequest.DeleteTree,
        FileRequest.Rename,
        FileRequest.Clone,
        FileRequest.Splice,
        FileRequest.CopyRange,
        FileRequest.SetMetadata,
        FileRequest.SetProperty,
        FileRequest.RemoveProperty,
        TableRequest {
  /** The largest size of a file. */
  long MAX_FILE_BYTES = Long.MAX_VALUE / 2;

  /** Permission bits of a new file. */
  int DEFAULT_FILE_MODE = 0644;

  /** Permission bits of a new directory. */
  int DEFAULT_DIRECTORY_MODE = 0755;

  /** Permission bits of a symbolic link. */
  int SYMBOLIC_LINK_MODE = 0777;

  /** The longest target of a symbolic link, in bytes of UTF-8. */
  int MAX_TARGET_BYTES = 600;

  /** The most bytes of ranges that one batch copies. */
  long MAX_COPIED_BYTES = 16L << 30;

  /** The longest name of a property, in bytes of UTF-8. */
  int MAX_PROPERTY_NAME_BYTES = 255;

  /** The largest value of a property. */
  int MAX_PROPERTY_BYTES = 1024;

  /** As what it is counted when it is asked alone; what has no name there is a batch of one. */
  @Override
  default FileOperation operation() {
    return switch (this) {
      case CreateDirectory _ -> FileOperation.CREATE_DIRECTORY;
      case SymbolicLink _ -> FileOperation.SYMBOLIC_LINK;
      case Delete _ -> FileOperation.DELETE;
      case DeleteTree _ -> FileOperation.DELETE_TREE;
      case Rename _ -> FileOperation.RENAME;
      case Clone _ -> FileOperation.CLONE;
      case Splice _ -> FileOperation.SPLICE;
      case CopyRange _ -> FileOperation.COPY_RANGE;
      case SetMetadata _ -> FileOperation.SET_METADATA;
      case Put _, SetProperty _, RemoveProperty _ -> FileOperation.BATCH;
      case TableRequest table -> table.operation();
    };
  }

  /** What it does, in a few words for messages. */
  @Override
  default String purpose() {
    return switch (this) {
      case Put put -> "put " + put.path();
      case CreateDirectory create -> "create directory " + create.path();
      case SymbolicLink link -> "link " + link.path();
      case Delete delete -> "delete " + delete.path();
      case DeleteTree delete -> "delete tree " + delete.path();
      case Rename rename -> "rename " + rename.from() + " to " + rename.to();
      case Clone clone -> "clone " + clone.from() + " to " + clone.to();
      case Splice splice -> "splice " + splice.path();
      case CopyRange copy -> "copy a range of " + copy.from().path() + " to " + copy.to();
      case SetMetadata set -> "set metadata of " + set.path();
      case SetProperty set -> "set property " + set.name();
      case RemoveProperty remove -> "remove property " + remove.name();
      case TableRequest table -> table.purpose();
    };
  }

  /** The paths that it names, in their order; none of a property. */
  @Override
  default List<StorePath> paths() {
    return switch (this) {
      case Put put -> List.of(put.path());
      case CreateDirectory create -> List.of(create.path());
      case SymbolicLink link -> List.of(link.path());
      case Delete delete -> List.of(delete.path());
      case DeleteTree delete -> List.of(delete.path());
      case Rename rename -> List.of(rename.from(), rename.to());
      case Clone clone -> List.of(clone.from(), clone.to());
      case Splice splice -> List.of(splice.path());
      case CopyRange copy -> List.of(copy.from().path(), copy.to());
      case SetMetadata set -> List.of(set.path());
      case SetProperty _, RemoveProperty _ -> List.of();
      case TableRequest table -> List.of(table.path());
    };
  }

  /**
   * Makes or replaces a whole file, or the value of an entry of a table ({@link StorePath#entry});
   * the condition is in the options. Failures: {@code IsADirectory}, {@code TooLarge} (attributes).
   */
  record Put(StorePath path, FileContent content, PutOptions options) implements FileRequest {
    /** Checks that nothing is missing. */
    public Put {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(content, "content");
      Objects.requireNonNull(options, "options");
    }

    /** By the path as text. */
    public Put(CharSequence path, FileContent content, PutOptions options) {
      this(Paths.parsed("path", path), content, options);
    }

    /** Over what is there, below a directory that is there. */
    public Put(CharSequence path, FileContent content) {
      this(path, content, PutOptions.DEFAULT);
    }
  }

  /**
   * Makes a directory. With {@link Parents#MAKE} an existing directory is a success; else {@code
   * AlreadyExists}. Something else under the name is {@code AlreadyExists} (the last name) or
   * {@code NotADirectory} (on the way).
   */
  record CreateDirectory(StorePath path, Parents parents, MetadataChange metadata)
      implements FileRequest {
    /** Checks that nothing is missing. */
    public CreateDirectory {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(parents, "parents");
      Objects.requireNonNull(metadata, "metadata");
    }

    /** Below a directory that is there, with the standard permissions. */
    public CreateDirectory(CharSequence path) {
      this(path, Parents.MUST_EXIST, MetadataChange.NONE);
    }

    /** By the path as text. */
    public CreateDirectory(CharSequence path, Parents parents, MetadataChange metadata) {
      this(Paths.parsed("path", path), parents, metadata);
    }
  }

  /**
   * Makes a symbolic link. The target is kept as it is, with whatever it contains: 1 to {@link
   * #MAX_TARGET_BYTES} bytes without NUL; it need not exist. Fails with {@code AlreadyExists}.
   */
  record SymbolicLink(StorePath path, String target, MetadataChange metadata)
      implements FileRequest {
    /** Checks that nothing is missing. */
    public SymbolicLink {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(metadata, "metadata");
    }

    /** By the path as text. */
    public SymbolicLink(CharSequence path, String target, MetadataChange metadata) {
      this(Paths.parsed("path", path), target, metadata);
    }

    /** By the path as text, with the standard permissions. */
    public SymbolicLink(CharSequence path, String target) {
      this(path, target, MetadataChange.NONE);
    }
  }

  /**
   * Deletes a file, a symbolic link (not its target) or an empty directory. Failures: {@code
   * DirectoryNotEmpty}; the root is {@code Invalid}.
   *
   * @param condition of what is deleted (of a link itself, which is no directory)
   */
  record Delete(StorePath path, FileCondition condition) implements FileRequest {
    /** Checks that nothing is missing. */
    public Delete {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(condition, "condition");
    }

    /** Whatever version it has. */
    public Delete(CharSequence path) {
      this(path, FileCondition.NONE);
    }

    /** By the path as text. */
    public Delete(CharSequence path, FileCondition condition) {
      this(Paths.parsed("path", path), condition);
    }
  }

  /**
   * Deletes whatever is there with all below it, at once; the space comes back in the background.
   * The root is {@code Invalid}.
   *
   * @param condition of what is deleted; a directory's version says nothing of what lies deeper
   */
  record DeleteTree(StorePath path, FileCondition condition) implements FileRequest {
    /** Checks that nothing is missing. */
    public DeleteTree {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(condition, "condition");
    }

    /** Whatever version it has. */
    public DeleteTree(CharSequence path) {
      this(path, FileCondition.NONE);
    }

    /** By the path as text. */
    public DeleteTree(CharSequence path, FileCondition condition) {
      this(Paths.parsed("path", path), condition);
    }
  }

  /**
   * Renames a file, symbolic link or whole directory, atomically and at the cost of one entry. Onto
   * itself it does nothing, whatever the condition. A directory cannot go below itself ({@code
   * Invalid}). What is there gives way: a file or link to a file or link, an empty directory to a
   * directory; else {@code IsADirectory}, {@code NotADirectory}, {@code DirectoryNotEmpty}.
   *
   * @param target the condition of what is under the new name (of a link itself)
   */
  record Rename(StorePath from, StorePath to, FileCondition target) implements FileRequest {
    /** Checks that nothing is missing. */
    public Rename {
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
      Objects.requireNonNull(target, "target");
    }

    /** By what may be there. */
    public Rename(CharSequence from, CharSequence to, Existence target) {
      this(from, to, FileCondition.of(Objects.requireNonNull(target, "target")));
    }

    /** By the paths as text. */
    public Rename(CharSequence from, CharSequence to, FileCondition target) {
      this(Paths.parsed("from", from), Paths.parsed("to", to), target);
    }
  }

  /**
   * Makes or replaces a file with the content that another has, at once, whatever its size: both
   * share what is on the volume, and each may be changed, replaced or deleted afterwards without
   * the other. The clone is a file of its own, with its own id, version and times; mode, owner and
   * attributes are those of the source; an expiry is not taken along. What a handle has written and
   * not committed is not in it. Links lead to the source; a link under the new name gives way. Onto
   * itself it does nothing, whatever the condition. A transaction locks the source as if it changed
   * it. Failures: {@code IsADirectory} (either side: directories cannot be cloned), {@code Invalid}
   * (files that change content with each other in one batch), {@code TooLarge} (clones of small
   * files that the same batch brings, together more than a quarter of the off-heap memory).
   *
   * @param target the condition of what is under the new name (of a link itself)
   */
  record Clone(StorePath from, StorePath to, FileCondition target) implements FileRequest {
    /** Checks that nothing is missing. */
    public Clone {
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
      Objects.requireNonNull(target, "target");
    }

    /** By what may be there. */
    public Clone(CharSequence from, CharSequence to, Existence target) {
      this(from, to, FileCondition.of(Objects.requireNonNull(target, "target")));
    }

    /** By the paths as text. */
    public Clone(CharSequence from, CharSequence to, FileCondition target) {
      this(Paths.parsed("from", from), Paths.parsed("to", to), target);
    }
  }

  /**
   * Puts bytes in the place of a range of a file, and what lies behind moves: an insert, a cut, or
   * both at once; bytes at the end are appended. In the file nothing is moved, so it costs about as
   * much as writing the bytes ({@code FileHandle.splice}). The range must end within the file as
   * the requests before leave it, and the file may not become larger than {@link #MAX_FILE_BYTES}:
   * else {@code Invalid}, which says the size; so is a directory, or a symbolic link, which is not
   * followed. {@code Invalid}, too, where the same batch brings the file's content or clones it.
   *
   * @param offset of the first byte that goes, or before which the others come
   * @param removed how many bytes go
   * @param bytes what comes in their place, counted as content given as bytes ({@code
   *     FileManagerConfig.maxStagingBytes}); must not be changed before the completion
   * @param condition of the file
   */
  record Splice(StorePath path, long offset, long removed, byte[] bytes, FileCondition condition)
      implements FileRequest {
    /** Checks that nothing is missing. */
    public Splice {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(bytes, "bytes");
      Objects.requireNonNull(condition, "condition");
    }

    /** Whatever version it has. */
    public Splice(CharSequence path, long offset, long removed, byte[] bytes) {
      this(path, offset, removed, bytes, FileCondition.NONE);
    }

    /** By the path as text. */
    public Splice(
        CharSequence path, long offset, long removed, byte[] bytes, FileCondition condition) {
      this(Paths.parsed("path", path), offset, removed, bytes, condition);
    }
  }

  /**
   * A range of a file.
   *
   * @param path of the file; links lead to it
   * @param offset of the first byte
   * @param bytes how many; {@link #TO_END} is all that there are from there on
   */
  record Range(StorePath path, long offset, long bytes) {
    /** All bytes from the offset on, as many as there are when the request is applied. */
    public static final long TO_END = Long.MAX_VALUE;

    /** Checks that nothing is missing. */
    public Range {
      Objects.requireNonNull(path, "path");
    }

    /** By the path as text. */
    public Range(CharSequence path, long offset, long bytes) {
      this(Paths.parsed("path", path), offset, bytes);
    }

    /** The whole of a file. */
    public static Range all(CharSequence path) {
      return new Range(path, 0, TO_END);
    }
  }

  /** How a range comes to its place. */
  enum Placing {
    /** Before what is there, which moves. */
    INSERT,
    /** Over what is there; the file grows where that is not enough. */
    OVERWRITE
  }

  /**
   * Puts a range of one file into another, or elsewhere into the same, byte by byte as it is when
   * the request is applied: both share what is on the volume, and each may be changed or deleted
   * afterwards without the other. A range of a file that is copied into itself is what the file was
   * before. So files are joined, divided and taken out of each other without copying: only what has
   * no place yet, and pieces of less than a block, are copied. A transaction locks the source as if
   * it changed it. Failures: {@code Invalid} (a range that does not lie within its file, a place
   * behind the target's end, a target of more than {@link #MAX_FILE_BYTES}: it says the size; a
   * directory; a link in the place of the target; a source that the same batch has changed before,
   * if it is not the target, or a target of which it brings or clones the content), {@code
   * TooLarge} (more than {@link #MAX_COPIED_BYTES} in one batch; a range of too many pieces; more
   * changes than a record of the log takes), {@code VolumeFull}; nothing has happened then.
   *
   * @param from what is copied
   * @param to the file that gets it
   * @param offset where in it
   * @param placing whether what is there moves or gives way
   * @param target the condition of the file that gets it
   */
  record CopyRange(Range from, StorePath to, long offset, Placing placing, FileCondition target)
      implements FileRequest {
    /** Checks that nothing is missing. */
    public CopyRange {
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
      Objects.requireNonNull(placing, "placing");
      Objects.requireNonNull(target, "target");
    }

    /** Whatever version the target has. */
    public CopyRange(Range from, CharSequence to, long offset, Placing placing) {
      this(from, to, offset, placing, FileCondition.NONE);
    }

    /** By the path as text. */
    public CopyRange(
        Range from, CharSequence to, long offset, Placing placing, FileCondition target) {
      this(from, Paths.parsed("to", to), offset, placing, target);
    }
  }

  /**
   * Sets metadata. Failure: {@code TooLarge} (attributes).
   *
   * @param condition of what {@code links} leads to
   */
  record SetMetadata(
      StorePath path, LinkPolicy links, MetadataChange change, FileCondition condition)
      implements FileRequest {
    /** Checks that nothing is missing. */
    public SetMetadata {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(links, "links");
      Objects.requireNonNull(change, "change");
      Objects.requireNonNull(condition, "condition");
    }

    /** Whatever version it has. */
    public SetMetadata(CharSequence path, LinkPolicy links, MetadataChange change) {
      this(path, links, change, FileCondition.NONE);
    }

    /** By the path as text. */
    public SetMetadata(
        CharSequence path, LinkPolicy links, MetadataChange change, FileCondition condition) {
      this(Paths.parsed("path", path), links, change, condition);
    }
  }

  /**
   * Sets a small property of the store, not of a file: a program's own state, committed together
   * with files.
   *
   * @param name well-formed text of 1 to {@link #MAX_PROPERTY_NAME_BYTES} bytes; begin it with the
   *     program's name
   * @param value at most {@link #MAX_PROPERTY_BYTES}; must not be changed
   */
  record SetProperty(String name, byte[] value) implements FileRequest {
    /** Checks that nothing is missing. */
    public SetProperty {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(value, "value");
    }
  }

  /** Removes a property; harmless when it is absent. */
  record RemoveProperty(String name) implements FileRequest {
    /** Checks that nothing is missing. */
    public RemoveProperty {
      Objects.requireNonNull(name, "name");
    }
  }
}
