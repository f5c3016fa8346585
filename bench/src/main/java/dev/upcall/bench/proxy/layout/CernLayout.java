package dev.upcall.bench.proxy.layout;

import dev.upcall.bench.proxy.disk.Directory;
import dev.upcall.bench.proxy.disk.FileSystem;
import dev.upcall.bench.proxy.disk.Inode;
import dev.upcall.bench.proxy.trace.RequestTrace;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A directory for each component of the URL but the last. The directory of an object has a file of
 * metadata with a line for each object, and a lock while one is written. Nothing is kept in the
 * proxy's memory, so each request searches the disk.
 */
final class CernLayout implements Layout {
  private static final int LINE_BYTES = 100;
  private static final int GROWTH_BYTES = 1024;
  private static final int GROWTH_LINES = GROWTH_BYTES / LINE_BYTES;

  private final FileSystem files;
  private final RequestTrace trace;
  private final Directory top;
  private final @Nullable Directory[] hosts;
  private final @Nullable Folder[] folders;
  private final Inode[] objects;
  private int made;

  private static final class Folder {
    private final Directory directory;
    private @Nullable Inode metadata;
    private int lines;

    Folder(Directory directory) {
      this.directory = directory;
    }
  }

  CernLayout(FileSystem files, RequestTrace trace) {
    this.files = files;
    this.trace = trace;
    this.top = files.createDirectory(files.root(), nextGroup());
    this.hosts = new Directory[trace.hosts()];
    this.folders = new Folder[trace.hosts() * RequestTrace.folders()];
    this.objects = new Inode[trace.objects()];
  }

  /** A new directory goes to the group with the fewest, which is each in turn. */
  private int nextGroup() {
    return made++ % files.groups();
  }

  @Override
  public void write(int object) {
    Folder folder = folderOf(object);
    files.searchInVain(folder.directory);
    Inode lock = files.create(folder.directory);
    Inode file = files.create(folder.directory);
    files.append(folder.directory, file, trace.sizeBytes(object));
    objects[object] = file;
    addLine(folder);
    files.remove(folder.directory, lock);
  }

  private Folder folderOf(int object) {
    int host = trace.host(object);
    int at = host * RequestTrace.folders() + trace.folder(object);
    Folder known = folders[at];
    if (known != null) {
      files.find(known.directory);
      return known;
    }
    Directory above = hosts[host];
    if (above == null) {
      files.find(top);
      above = files.createDirectory(top, nextGroup());
      hosts[host] = above;
    } else {
      files.find(above);
    }
    Folder folder = new Folder(files.createDirectory(above, nextGroup()));
    folders[at] = folder;
    return folder;
  }

  private void addLine(Folder folder) {
    Inode metadata = folder.metadata;
    if (metadata == null) {
      metadata = files.create(folder.directory);
      folder.metadata = metadata;
    } else {
      files.find(folder.directory, metadata);
    }
    if (folder.lines % GROWTH_LINES == 0) {
      files.append(folder.directory, metadata, GROWTH_BYTES);
    } else {
      files.changeEnd(metadata);
    }
    folder.lines++;
  }

  @Override
  public void read(int object) {
    int at = trace.host(object) * RequestTrace.folders() + trace.folder(object);
    Folder folder = Objects.requireNonNull(folders[at]);
    Inode metadata = Objects.requireNonNull(folder.metadata);
    files.find(folder.directory);
    files.searchInVain(folder.directory);
    files.find(folder.directory, metadata);
    files.read(metadata);
    Inode file = Objects.requireNonNull(objects[object]);
    files.find(folder.directory, file);
    files.read(file);
  }
}
