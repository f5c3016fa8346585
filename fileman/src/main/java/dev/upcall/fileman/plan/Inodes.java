package dev.upcall.fileman.plan;

import dev.upcall.MetadataChange;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.EditPolicy;
import dev.upcall.content.Kind;
import dev.upcall.content.Texts;
import dev.upcall.content.Times;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes inodes out of inodes. */
final class Inodes {
  private static final int MODE_BITS = 07777;

  private Inodes() {}

  /** A new inode without content, named once. */
  static Inode create(long id, Kind kind, long parent, int mode, long timeNanos) {
    return new Inode(
        id,
        kind,
        1,
        mode,
        0,
        parent,
        new Times(timeNanos, timeNanos, timeNanos),
        0,
        1,
        Collections.emptySortedMap(),
        Layout.EMPTY);
  }

  /** A new symbolic link. */
  static Inode createLink(long id, byte[] target, long timeNanos) {
    Inode link = create(id, Kind.SYMBOLIC_LINK, 0, FileRequest.SYMBOLIC_LINK_MODE, timeNanos);
    return link.withContent(target.length, new Layout.Inline(target));
  }

  /** The target of a symbolic link. */
  static String target(Inode link) {
    return switch (link.layout()) {
      case Layout.Inline(byte[] bytes) -> new String(bytes, StandardCharsets.UTF_8);
      case Layout.Extents _, Layout.Indexed _, Layout.Pieced _, Layout.Unmapped _ ->
          throw new Refused(
              new Failure.Corrupt("namespace", "symbolic link " + link.id(), 0, link.size(), 0));
    };
  }

  /** A new one as its directory wants what is made in it to be stored and edited. */
  static Inode inheriting(Inode made, Inode directory) {
    SortedMap<String, byte[]> attributes = new TreeMap<>(directory.attributes());
    attributes.keySet().retainAll(MetadataChange.HANDED_DOWN);
    return attributes.isEmpty()
        ? made
        : made.withMetadata(
            made.mode(), made.owner(), Collections.unmodifiableSortedMap(attributes));
  }

  /** Content changed at a time. */
  static Inode modified(Inode inode, long timeNanos) {
    Times times = inode.times();
    return inode.withTimes(
        new Times(times.createdNanos(), timeNanos, timeNanos, times.expiresNanos()));
  }

  /** Something else than content changed at a time. */
  static Inode changed(Inode inode, long timeNanos) {
    Times times = inode.times();
    return inode.withTimes(
        new Times(times.createdNanos(), times.modifiedNanos(), timeNanos, times.expiresNanos()));
  }

  /** It stays until somebody deletes it. */
  static Inode withoutExpiry(Inode inode) {
    Times times = inode.times();
    return times.hasExpiry()
        ? inode.withTimes(
            new Times(times.createdNanos(), times.modifiedNanos(), times.changedNanos()))
        : inode;
  }

  /** Sets what a change says at a time. */
  static Inode with(Inode inode, MetadataChange change, long timeNanos, String what) {
    Times old = inode.times();
    long expires =
        change.expiry().map(expiry -> expiry.nanosFrom(timeNanos)).orElse(old.expiresNanos());
    if (!inode.kind().mayExpire() && expires != Times.NEVER) {
      throw new Refused(new Failure.Invalid(what + " is no file and cannot expire"));
    }
    Times times =
        new Times(
            change.createdNanos().orElse(old.createdNanos()),
            change.modifiedNanos().orElse(old.modifiedNanos()),
            old.changedNanos(),
            expires);
    int mode = change.mode().isEmpty() ? inode.mode() : change.mode().getAsInt() & MODE_BITS;
    return inode
        .withMetadata(
            mode,
            change.owner().orElse(inode.owner()),
            merged(inode.attributes(), change.attributes(), what))
        .withTimes(times);
  }

  /** With the mode, owner and attributes of another. */
  static Inode like(Inode inode, Inode other) {
    return inode.withMetadata(other.mode(), other.owner(), other.attributes());
  }

  private static SortedMap<String, byte[]> merged(
      SortedMap<String, byte[]> old, SortedMap<String, byte[]> change, String what) {
    if (change.isEmpty()) {
      return old;
    }
    SortedMap<String, byte[]> merged = new TreeMap<>(old);
    change.forEach(
        (name, value) -> {
          if (value.length == 0) {
            merged.remove(name);
          } else {
            check(name, value, what);
            merged.put(name, value);
          }
        });
    if (merged.size() > MetadataChange.MAX_ATTRIBUTES) {
      throw new Refused(
          new Failure.TooLarge(
              "the set of attributes of " + what,
              merged.size(),
              MetadataChange.MAX_ATTRIBUTES,
              "attributes"));
    }
    long bytes = 0;
    for (var attribute : merged.entrySet()) {
      byte[] name = Texts.utf8(attribute.getKey()).orElse(null);
      if (name == null || name.length == 0) {
        throw new Refused(new Failure.Invalid("an attribute's name is not well-formed text"));
      }
      bytes += name.length + attribute.getValue().length;
    }
    if (bytes > Inode.MAX_ATTRIBUTES_BYTES) {
      throw new Refused(
          new Failure.TooLarge(
              "the set of attributes of " + what, bytes, Inode.MAX_ATTRIBUTES_BYTES));
    }
    return Collections.unmodifiableSortedMap(merged);
  }

  private static void check(String name, byte[] value, String what) {
    if (name.equals(Dedup.ATTRIBUTE) && Dedup.parse(value).isEmpty()) {
      throw new Refused(
          new Failure.Invalid(
              "the %s of %s is \"none\" or \"file\"".formatted(Dedup.ATTRIBUTE, what)));
    }
    if (name.equals(Compression.ATTRIBUTE) && Compression.parse(value).isEmpty()) {
      throw new Refused(
          new Failure.Invalid(
              "the %s of %s is \"none\", \"fast\" or \"balanced\""
                  .formatted(Compression.ATTRIBUTE, what)));
    }
    if (name.equals(EditPolicy.ATTRIBUTE) && EditPolicy.parse(value).isEmpty()) {
      throw new Refused(
          new Failure.Invalid(
              "the %s of %s is \"eos T\" or \"esm P\", with T and P from 1 to %d blocks, or \"starburst\""
                  .formatted(EditPolicy.ATTRIBUTE, what, EditPolicy.MAX_BLOCKS)));
    }
  }
}
