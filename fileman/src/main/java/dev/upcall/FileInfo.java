package dev.upcall;

import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.EditPolicy;
import dev.upcall.content.Kind;
import dev.upcall.content.Permissions;
import dev.upcall.content.Times;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Metadata of a file, directory, symbolic link or table, as of one committed state.
 *
 * @param id the segment's id; stays when the file is renamed, never used again
 * @param name the last name of the path asked for; empty for the root
 * @param kind what it is
 * @param sizeBytes content bytes; 0 for a directory or table, the target's length for a symbolic
 *     link
 * @param times nanoseconds since 1970; {@link #modified} and its like say them as moments
 * @param mode permission bits; kept, not enforced; see {@link #permissions}
 * @param owner user id in the low, group id in the high 32 bits; kept, not enforced
 * @param links how many names lead to it
 * @param version grows with every change of content or metadata
 * @param mediaType from attribute {@value MediaTypes#ATTRIBUTE}, else from the name's extension;
 *     empty for what is no file
 * @param attributes the user's own; the arrays must not be changed
 * @param stored what of its content has its place on the volume
 */
public record FileInfo(
    long id,
    String name,
    Kind kind,
    long sizeBytes,
    Times times,
    int mode,
    long owner,
    int links,
    long version,
    String mediaType,
    SortedMap<String, byte[]> attributes,
    Stored stored) {
  /** Checks that nothing is missing. */
  public FileInfo {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(times, "times");
    Objects.requireNonNull(mediaType, "mediaType");
    Objects.requireNonNull(attributes, "attributes");
    Objects.requireNonNull(stored, "stored");
  }

  /**
   * How content lies on the volume.
   *
   * @param bytes of whole blocks, those shared with clones too; without what lies in the log only,
   *     in the inode, or nowhere because it is a hole
   * @param pieces ranges of these blocks that make up the content: one, unless it was edited in the
   *     middle ({@link FileHandle#splice}); none for what is empty, and for what is no file
   */
  public record Stored(long bytes, long pieces) {
    /** Nothing. */
    public static final Stored NONE = new Stored(0, 0);
  }

  /** Birth. */
  public Instant created() {
    return times.created();
  }

  /** The last change of content; users may have set it. */
  public Instant modified() {
    return times.modified();
  }

  /** The last change of anything. */
  public Instant changed() {
    return times.changed();
  }

  /** From when on it is gone by itself, if it is. */
  public Optional<Instant> expires() {
    return times.expires();
  }

  /** What the lowest nine bits of {@link #mode} grant. */
  public Set<PosixFilePermission> permissions() {
    return Permissions.of(mode);
  }

  /**
   * What is copied together when it is edited in the middle; of a directory, what is handed down.
   */
  public EditPolicy editPolicy() {
    return EditPolicy.of(attributes);
  }

  /**
   * Whether it shares what others have when it is put; of a directory, what is handed down. Empty
   * where nobody has said it, so that the store's setting counts.
   */
  public Optional<Dedup> dedup() {
    return Dedup.of(attributes);
  }

  /**
   * How much work is done to store it in fewer blocks when it is put; of a directory, what is
   * handed down. Empty where nobody has said it, so that the store's setting counts.
   */
  public Optional<Compression> compression() {
    return Compression.of(attributes);
  }

  /** Whether it is a file. */
  public boolean isFile() {
    return kind == Kind.FILE;
  }

  /** Whether it is a directory. */
  public boolean isDirectory() {
    return kind == Kind.DIRECTORY;
  }

  /** Whether it is a symbolic link. */
  public boolean isSymbolicLink() {
    return kind == Kind.SYMBOLIC_LINK;
  }

  /** Whether it is a table. */
  public boolean isTable() {
    return kind == Kind.TABLE;
  }

  /** Its kind in one word, as reports and listings say it: file, directory, link or table. */
  public String kindName() {
    return switch (kind) {
      case FILE -> "file";
      case DIRECTORY -> "directory";
      case SYMBOLIC_LINK -> "link";
      case TABLE -> "table";
    };
  }

  /**
   * A strong validator for HTTP, without quotes: differs whenever content or metadata differ, in
   * this store for ever.
   */
  public String entityTag() {
    return fileVersion().tag();
  }

  /** Which state of which segment this is; for a {@link FileCondition}. */
  public FileVersion fileVersion() {
    return new FileVersion(id, version);
  }

  public FileInfo withMediaType(String type) {
    return new FileInfo(
        id, name, kind, sizeBytes, times, mode, owner, links, version, type, attributes, stored);
  }
}
