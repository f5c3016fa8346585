package dev.upcall.nio;

import dev.upcall.MetadataChange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.Objects;

/** Attributes that programs invent; few and small, since they are kept in the inode. */
final class UpcallUserView implements UserDefinedFileAttributeView {
  private final Located file;
  private final boolean follows;

  UpcallUserView(Located file, boolean follows) {
    this.file = file;
    this.follows = follows;
  }

  @Override
  public String name() {
    return "user";
  }

  @Override
  public List<String> list() throws IOException {
    return List.copyOf(file.look(follows).attributes().keySet());
  }

  @Override
  public int size(String name) throws IOException {
    return value(name).length;
  }

  @Override
  public int read(String name, ByteBuffer destination) throws IOException {
    if (Objects.requireNonNull(destination, "dst").isReadOnly()) {
      throw new IllegalArgumentException("Read-only buffer");
    }
    byte[] value = value(name);
    if (value.length > destination.remaining()) {
      throw new FileSystemException(
          file.path().toString(),
          null,
          "attribute '%s' has %d bytes, the buffer takes %d"
              .formatted(name, value.length, destination.remaining()));
    }
    destination.put(value);
    return value.length;
  }

  /** The value; throws where there is none. */
  byte[] value(String name) throws IOException {
    byte[] value = file.look(follows).attributes().get(Objects.requireNonNull(name, "name"));
    if (value == null) {
      throw new FileSystemException(
          file.path().toString(), null, "Unable to get attribute '" + name + "': there is none");
    }
    return value;
  }

  @Override
  public int write(String name, ByteBuffer source) throws IOException {
    Objects.requireNonNull(name, "name");
    byte[] value = new byte[source.remaining()];
    if (value.length == 0) {
      throw new FileSystemException(
          file.path().toString(), null, "attribute '" + name + "': an empty value cannot be kept");
    }
    source.get(value);
    file.setMetadata(follows, MetadataChange.NONE.withAttribute(name, value));
    return value.length;
  }

  @Override
  public void delete(String name) throws IOException {
    value(name);
    file.setMetadata(follows, MetadataChange.NONE.withAttribute(name, new byte[0]));
  }
}
