package dev.upcall.fileman;

import org.jspecify.annotations.Nullable;

/**
 * How a whole file is made or replaced. A file that is replaced keeps its id; its version grows.
 *
 * @param existence what must be or must not be there
 * @param parents whether missing parent directories are made
 * @param links whether a symbolic link under the name is followed (and its target made or replaced)
 *     or itself replaced
 * @param expectedVersion the version that the replaced file must have, else {@code Conflict}; null
 *     for any
 * @param metadata what else to set; what it leaves out is kept from a replaced file, or has the
 *     defaults
 */
public record PutOptions(
    Existence existence,
    boolean parents,
    LinkPolicy links,
    @Nullable Long expectedVersion,
    MetadataChange metadata) {
  /** Make or replace, parent must exist, links followed. */
  public static final PutOptions DEFAULT =
      new PutOptions(Existence.ANY, false, LinkPolicy.FOLLOW, null, MetadataChange.NONE);

  /** Make or replace, missing parents are made, links followed. */
  public static final PutOptions WITH_PARENTS =
      new PutOptions(Existence.ANY, true, LinkPolicy.FOLLOW, null, MetadataChange.NONE);

  /** The same with other expectations. */
  public PutOptions withExistence(Existence other) {
    return new PutOptions(other, parents, links, expectedVersion, metadata);
  }

  /** The same with another treatment of a symbolic link. */
  public PutOptions withLinks(LinkPolicy other) {
    return new PutOptions(existence, parents, other, expectedVersion, metadata);
  }

  /** The same for one version only. */
  public PutOptions withExpectedVersion(long version) {
    return new PutOptions(existence, parents, links, version, metadata);
  }

  /** The same with metadata to set. */
  public PutOptions withMetadata(MetadataChange other) {
    return new PutOptions(existence, parents, links, expectedVersion, other);
  }
}
