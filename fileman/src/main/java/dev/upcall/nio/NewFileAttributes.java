package dev.upcall.nio;

import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a look found of a file that is not committed yet. Its times and its key it has from its
 * commit: whoever asks for them has it committed first. A file that was deleted before has neither.
 *
 * @param sizeBytes of its content
 * @param mode permission bits
 * @param committed has it committed, and looks; null if it is gone. The program's thread waits for
 *     that; on the store's own it is refused, as each call that waits
 */
record NewFileAttributes(
    long sizeBytes, int mode, Supplier<@Nullable PosixFileAttributes> committed)
    implements PosixFileAttributes {
  private static final FileTime NONE = FileTime.fromMillis(0);

  @Override
  public FileTime lastModifiedTime() {
    PosixFileAttributes found = committed.get();
    return found == null ? NONE : found.lastModifiedTime();
  }

  @Override
  public FileTime lastAccessTime() {
    return lastModifiedTime();
  }

  @Override
  public FileTime creationTime() {
    PosixFileAttributes found = committed.get();
    return found == null ? NONE : found.creationTime();
  }

  @Override
  public boolean isRegularFile() {
    return true;
  }

  @Override
  public boolean isDirectory() {
    return false;
  }

  @Override
  public boolean isSymbolicLink() {
    return false;
  }

  @Override
  public boolean isOther() {
    return false;
  }

  @Override
  public long size() {
    return sizeBytes;
  }

  @Override
  public @Nullable Object fileKey() {
    PosixFileAttributes found = committed.get();
    return found == null ? null : found.fileKey();
  }

  @Override
  public UserPrincipal owner() {
    return Principals.user(0);
  }

  @Override
  public GroupPrincipal group() {
    return Principals.group(0);
  }

  @Override
  public Set<PosixFilePermission> permissions() {
    return Permissions.of(mode);
  }
}
