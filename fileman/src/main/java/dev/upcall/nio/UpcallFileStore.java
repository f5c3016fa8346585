package dev.upcall.nio;

import dev.upcall.UpcallException;
import dev.upcall.io.Disk;
import dev.upcall.nio.channel.Failures;
import dev.upcall.store.StoreInfo;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The volume of a store: what it may grow to, and what of that is free. */
final class UpcallFileStore extends FileStore {
  private final String volume;
  private final boolean readOnly;
  private final Supplier<StoreInfo> info;

  UpcallFileStore(String volume, boolean readOnly, Supplier<StoreInfo> info) {
    this.volume = volume;
    this.readOnly = readOnly;
    this.info = info;
  }

  @Override
  public String name() {
    return volume;
  }

  @Override
  public String type() {
    return "upcall";
  }

  @Override
  public boolean isReadOnly() {
    return readOnly;
  }

  private StoreInfo info() throws IOException {
    try {
      return info.get();
    } catch (UpcallException failed) {
      throw Failures.exception(failed, volume, null);
    }
  }

  @Override
  public long getTotalSpace() throws IOException {
    return info().capBytes();
  }

  @Override
  public long getUsableSpace() throws IOException {
    return readOnly ? 0 : getUnallocatedSpace();
  }

  @Override
  public long getUnallocatedSpace() throws IOException {
    StoreInfo now = info();
    return now.capBytes() - now.sizeBytes() + now.freeBytes();
  }

  @Override
  public long getBlockSize() {
    return Disk.BLOCK_BYTES;
  }

  @Override
  public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
    return List.of(
            BasicFileAttributeView.class,
            FileOwnerAttributeView.class,
            PosixFileAttributeView.class,
            UserDefinedFileAttributeView.class)
        .contains(type);
  }

  @Override
  public boolean supportsFileAttributeView(String name) {
    return UpcallFileSystem.VIEWS.contains(Objects.requireNonNull(name, "name"));
  }

  @Override
  public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> type) {
    Objects.requireNonNull(type, "type");
    return null;
  }

  @Override
  public Object getAttribute(String attribute) throws IOException {
    return switch (attribute) {
      case "totalSpace" -> getTotalSpace();
      case "usableSpace" -> getUsableSpace();
      case "unallocatedSpace" -> getUnallocatedSpace();
      default -> throw new UnsupportedOperationException("'" + attribute + "' not recognized");
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UpcallFileStore store && store.volume.equals(volume);
  }

  @Override
  public int hashCode() {
    return volume.hashCode();
  }

  @Override
  public String toString() {
    return volume + " (upcall)";
  }
}
