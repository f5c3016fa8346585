package dev.upcall.nio;

import dev.upcall.FileInfo;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What one look found.
 *
 * @param store which store, by the name of its volume
 * @param info what it says
 */
record UpcallFileAttributes(String store, FileInfo info) implements PosixFileAttributes {
  /** One file of one store, whatever it is called. */
  private record Key(String store, long id) {}

  @Override
  public FileTime lastModifiedTime() {
    return FileTime.from(info.times().modifiedNanos(), TimeUnit.NANOSECONDS);
  }

  /** A store does not note who reads: the time of the last change, as the JDK advises. */
  @Override
  public FileTime lastAccessTime() {
    return lastModifiedTime();
  }

  @Override
  public FileTime creationTime() {
    return FileTime.from(info.times().createdNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean isRegularFile() {
    return info.isFile();
  }

  @Override
  public boolean isDirectory() {
    return info.isDirectory();
  }

  @Override
  public boolean isSymbolicLink() {
    return info.isSymbolicLink();
  }

  @Override
  public boolean isOther() {
    return info.isTable();
  }

  @Override
  public long size() {
    return info.sizeBytes();
  }

  @Override
  public Object fileKey() {
    return new Key(store, info.id());
  }

  @Override
  public UserPrincipal owner() {
    return Principals.user(info.owner());
  }

  @Override
  public GroupPrincipal group() {
    return Principals.group(info.owner());
  }

  @Override
  public Set<PosixFilePermission> permissions() {
    return Permissions.of(info.mode());
  }
}
