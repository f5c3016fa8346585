package dev.upcall;

import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import java.util.Objects;

/**
 * How a whole file is made or replaced. A file that is replaced keeps its id; its version grows.
 *
 * @param condition what must be or must not be there; of what {@code links} leads to
 * @param parents what happens when parent directories are missing
 * @param links whether a symbolic link under the name is followed (and its target made or replaced)
 *     or itself replaced
 * @param metadata what else to set; what it leaves out is kept from a replaced file, or has the
 *     defaults. The expiry of a replaced file is not kept: whoever puts anew says anew how long
 */
public record PutOptions(
    FileCondition condition, Parents parents, LinkPolicy links, MetadataChange metadata) {
  /** Make or replace, parent must exist, links followed. */
  public static final PutOptions DEFAULT =
      new PutOptions(
          FileCondition.NONE, Parents.MUST_EXIST, LinkPolicy.FOLLOW, MetadataChange.NONE);

  /** Make or replace, missing parents are made, links followed. */
  public static final PutOptions WITH_PARENTS =
      new PutOptions(FileCondition.NONE, Parents.MAKE, LinkPolicy.FOLLOW, MetadataChange.NONE);

  /** Checks that nothing is missing. */
  public PutOptions {
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(parents, "parents");
    Objects.requireNonNull(links, "links");
    Objects.requireNonNull(metadata, "metadata");
  }

  /** The same with another expectation of existence. */
  public PutOptions withExistence(Existence other) {
    return withCondition(condition.withExistence(other));
  }

  /** The same under another condition, its expectation of existence included. */
  public PutOptions withCondition(FileCondition other) {
    return new PutOptions(other, parents, links, metadata);
  }

  /** The same, and missing parent directories are made. */
  public PutOptions withParents() {
    return new PutOptions(condition, Parents.MAKE, links, metadata);
  }

  /** The same with another treatment of a symbolic link. */
  public PutOptions withLinks(LinkPolicy other) {
    return new PutOptions(condition, parents, other, metadata);
  }

  /** The same with an expiry. */
  public PutOptions withExpiry(Expiry expiry) {
    return withMetadata(metadata.withExpiry(expiry));
  }

  /** The same with another choice whether blocks of a file with the same content are shared. */
  public PutOptions withDedup(Dedup option) {
    return withMetadata(metadata.withDedup(option));
  }

  /** The same with another compression. */
  public PutOptions withCompression(Compression degree) {
    return withMetadata(metadata.withCompression(degree));
  }

  /** The same with metadata to set. */
  public PutOptions withMetadata(MetadataChange other) {
    return new PutOptions(condition, parents, links, other);
  }
}
