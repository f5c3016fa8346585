package dev.upcall;

import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.EditPolicy;
import dev.upcall.content.Permissions;
import dev.upcall.content.Times;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which metadata to set; what is empty leaves a field as it is.
 *
 * @param mode permission bits (the low 12 bits are kept)
 * @param owner user id in the low, group id in the high 32 bits
 * @param createdNanos birth, nanoseconds since 1970
 * @param modifiedNanos last change of content, nanoseconds since 1970
 * @param expiry when the file is gone by itself; what is no file refuses any but {@link
 *     Expiry#NEVER} as {@code Invalid}
 * @param attributes attributes to set by name; an empty value removes the attribute. Names are
 *     well-formed text; a file has at most {@link #MAX_ATTRIBUTES}, whose names and values together
 *     have at most {@link dev.upcall.segment.layout.Inode#MAX_ATTRIBUTES_BYTES} bytes
 */
public record MetadataChange(
    OptionalInt mode,
    OptionalLong owner,
    OptionalLong createdNanos,
    OptionalLong modifiedNanos,
    Optional<Expiry> expiry,
    SortedMap<String, byte[]> attributes) {
  /** The most attributes of a file: with their lengths they must fit an inode. */
  public static final int MAX_ATTRIBUTES = 40;

  /** The attributes that a directory hands down to what is made in it. */
  public static final List<String> HANDED_DOWN =
      List.of(EditPolicy.ATTRIBUTE, Dedup.ATTRIBUTE, Compression.ATTRIBUTE);

  /** Nothing. */
  public static final MetadataChange NONE =
      new MetadataChange(
          OptionalInt.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          Optional.empty(),
          Collections.emptySortedMap());

  /** Copies the map; the arrays must not be changed. */
  public MetadataChange {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(createdNanos, "createdNanos");
    Objects.requireNonNull(modifiedNanos, "modifiedNanos");
    Objects.requireNonNull(expiry, "expiry");
    Objects.requireNonNull(attributes, "attributes");
    attributes.values().forEach(value -> Objects.requireNonNull(value, "a value in attributes"));
    attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
  }

  /** And the permission bits. */
  public MetadataChange withMode(int newMode) {
    return new MetadataChange(
        OptionalInt.of(newMode), owner, createdNanos, modifiedNanos, expiry, attributes);
  }

  /** And the owner. */
  public MetadataChange withOwner(long newOwner) {
    return new MetadataChange(
        mode, OptionalLong.of(newOwner), createdNanos, modifiedNanos, expiry, attributes);
  }

  /** And the permission bits, as the JDK names them; what else is in the mode is taken away. */
  public MetadataChange withPermissions(Set<PosixFilePermission> permissions) {
    return withMode(Permissions.mode(Objects.requireNonNull(permissions, "permissions")));
  }

  /** And the time of birth, between the years 1677 and 2262. */
  public MetadataChange withCreated(Instant created) {
    return withCreatedNanos(Times.nanosOf(created, "created"));
  }

  /** As {@link #withCreated}, in nanoseconds since 1970. */
  public MetadataChange withCreatedNanos(long nanos) {
    return new MetadataChange(
        mode, owner, OptionalLong.of(nanos), modifiedNanos, expiry, attributes);
  }

  /** And the time of the last change of content, between the years 1677 and 2262. */
  public MetadataChange withModified(Instant modified) {
    return withModifiedNanos(Times.nanosOf(modified, "modified"));
  }

  /** As {@link #withModified}, in nanoseconds since 1970. */
  public MetadataChange withModifiedNanos(long nanos) {
    return new MetadataChange(
        mode, owner, createdNanos, OptionalLong.of(nanos), expiry, attributes);
  }

  /** And when the file is gone by itself. */
  public MetadataChange withExpiry(Expiry newExpiry) {
    Objects.requireNonNull(newExpiry, "expiry");
    return new MetadataChange(
        mode, owner, createdNanos, modifiedNanos, Optional.of(newExpiry), attributes);
  }

  /**
   * And what is copied together when the file is edited in the middle, or of a directory, what will
   * be made in it; {@link EditPolicy#NONE} takes a choice back.
   */
  public MetadataChange withEditPolicy(EditPolicy policy) {
    Objects.requireNonNull(policy, "policy");
    return withAttribute(EditPolicy.ATTRIBUTE, policy.value());
  }

  /**
   * And whether the file shares what others have already when it is put whole, or of a directory,
   * what will be made in it. Stored content stays as it is.
   */
  public MetadataChange withDedup(Dedup option) {
    Objects.requireNonNull(option, "option");
    return withAttribute(Dedup.ATTRIBUTE, option.value());
  }

  /**
   * And how much work is done to store the file's content in fewer blocks when it is put whole, or
   * of a directory, that of what will be made in it. Stored content stays as it is. A store without
   * a codec refuses any but {@link Compression#NONE} as {@code Unsupported}.
   */
  public MetadataChange withCompression(Compression degree) {
    Objects.requireNonNull(degree, "degree");
    return withAttribute(Compression.ATTRIBUTE, degree.value());
  }

  /** And an attribute. */
  public MetadataChange withAttribute(String name, byte[] value) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(value, "value");
    SortedMap<String, byte[]> more = new TreeMap<>(attributes);
    more.put(name, value);
    return new MetadataChange(mode, owner, createdNanos, modifiedNanos, expiry, more);
  }
}
