package dev.upcall.nio;

import dev.upcall.MetadataChange;
import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Attributes that every file has. The same under the names {@code basic}, {@code owner} and {@code
 * posix}.
 */
final class UpcallPosixView implements PosixFileAttributeView {
  private final Located file;
  private final boolean follows;
  private final String name;

  UpcallPosixView(Located file, boolean follows, String name) {
    this.file = file;
    this.follows = follows;
    this.name = name;
  }

  /** A view of a type that this can be; null for another. */
  static <V extends FileAttributeView> @Nullable V of(
      Located file, Class<V> type, boolean follows) {
    String name =
        type == BasicFileAttributeView.class
            ? "basic"
            : type == FileOwnerAttributeView.class
                ? "owner"
                : type == PosixFileAttributeView.class ? "posix" : null;
    return name == null ? null : type.cast(new UpcallPosixView(file, follows, name));
  }

  @Override
  public String name() {
    return name;
  }

  /** As on the host, below a file nothing is found by a path; from an open directory it is told. */
  @Override
  public PosixFileAttributes readAttributes() throws IOException {
    return file.isByPath()
        ? file.attributes(follows)
        : new UpcallFileAttributes(file.system().mount().volume(), file.look(follows));
  }

  /**
   * The time of the last access is not kept, and what is said of it is left out. A time that a
   * store cannot keep becomes the next that it can, as in the host's file systems.
   */
  @Override
  public void setTimes(
      @Nullable FileTime lastModifiedTime,
      @Nullable FileTime lastAccessTime,
      @Nullable FileTime createTime)
      throws IOException {
    if (lastModifiedTime == null && lastAccessTime == null && createTime == null) {
      return;
    }
    MetadataChange change = MetadataChange.NONE;
    if (lastModifiedTime != null) {
      change = change.withModifiedNanos(lastModifiedTime.to(TimeUnit.NANOSECONDS));
    }
    if (createTime != null) {
      change = change.withCreatedNanos(createTime.to(TimeUnit.NANOSECONDS));
    }
    MetadataChange times = change;
    file.setMetadata(follows, _ -> times);
  }

  @Override
  public UserPrincipal getOwner() throws IOException {
    return readAttributes().owner();
  }

  @Override
  public void setOwner(UserPrincipal owner) throws IOException {
    Objects.requireNonNull(owner, "owner");
    long present = file.look(follows).owner();
    file.setMetadata(follows, MetadataChange.NONE.withOwner(Principals.withUser(present, owner)));
  }

  @Override
  public void setGroup(GroupPrincipal group) throws IOException {
    Objects.requireNonNull(group, "group");
    long present = file.look(follows).owner();
    file.setMetadata(follows, MetadataChange.NONE.withOwner(Principals.withGroup(present, group)));
  }

  @Override
  public void setPermissions(Set<PosixFilePermission> permissions) throws IOException {
    Objects.requireNonNull(permissions, "permissions");
    file.setMetadata(
        follows,
        there -> MetadataChange.NONE.withMode(Permissions.bits(there.mode(), permissions)));
  }
}
