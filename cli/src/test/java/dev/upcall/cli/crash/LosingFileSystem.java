package dev.upcall.cli.crash;

import dev.upcall.cli.crash.LosingTree.Folder;
import dev.upcall.cli.crash.LosingTree.Node;
import dev.upcall.cli.crash.LosingTree.Plain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.cryptomator.jfuse.api.DirFiller;
import org.cryptomator.jfuse.api.Errno;
import org.cryptomator.jfuse.api.FileInfo;
import org.cryptomator.jfuse.api.Fuse;
import org.cryptomator.jfuse.api.FuseBuilder;
import org.cryptomator.jfuse.api.FuseConfig;
import org.cryptomator.jfuse.api.FuseConnInfo;
import org.cryptomator.jfuse.api.FuseMountFailedException;
import org.cryptomator.jfuse.api.FuseOperations;
import org.cryptomator.jfuse.api.Stat;
import org.cryptomator.jfuse.api.Statvfs;
import org.cryptomator.jfuse.api.TimeSpec;

/**
 * A file system that keeps in memory what is written to it until it is synced; so what a sync did
 * not cover can be lost, as when the power fails. Served to the kernel by FUSE, on threads of the
 * library. This process must not map its files: who waits for a page cannot serve it.
 */
final class LosingFileSystem implements FuseOperations, AutoCloseable {
  private static final int BLOCK_BYTES = 4096;
  private static final long BLOCKS = 1L << 24;
  private static final int RENAME_NOREPLACE = 1;

  private final Errno errno;
  private final LosingTree tree;
  private final Path shown;
  private final Path mount;
  private final Map<Node, Instant> modified = new HashMap<>();
  private Fuse fuse;
  private long syncs;
  private long lostBlocks;
  private boolean lies;
  private boolean off;

  /** Serves what is in the directory {@code durable} of a folder at its {@code mount}. */
  LosingFileSystem(Path folder) throws IOException {
    this.errno = builder().errno();
    this.tree = new LosingTree(folder.resolve("nodes"));
    this.shown = Files.createDirectories(folder.resolve("durable"));
    this.mount = Files.createDirectories(folder.resolve("mount"));
  }

  /** Where it is, while it is served. */
  Path mount() {
    return mount;
  }

  /** Where that which is durable is, while it is not served, to be read and changed. */
  Path shown() {
    return shown;
  }

  /** The power is there. */
  void begin() throws IOException {
    synchronized (this) {
      tree.adopt(shown);
      off = false;
    }
    fuse = builder().build(this);
    try {
      fuse.mount("losing", mount, "-f", "-o", "attr_timeout=0,entry_timeout=0,ac_attr_timeout=0");
    } catch (FuseMountFailedException failed) {
      throw new IOException(failed);
    }
  }

  /** The power fails: from now on nothing is written or synced. */
  synchronized void fail() {
    off = true;
  }

  /**
   * Nobody who has a file open is left. Of what was not synced all is lost, or some, or nothing.
   */
  void lose(Random random) throws IOException {
    close();
    synchronized (this) {
      lostBlocks += tree.lose(random);
      tree.show(shown);
    }
  }

  synchronized long syncs() {
    return syncs;
  }

  synchronized long lostBlocks() {
    return lostBlocks;
  }

  /** From now on syncs do nothing: what they promise is not kept. */
  synchronized void lie() {
    lies = true;
  }

  /** Serves it no more. What the kernel still keeps of it is dropped. */
  @Override
  public void close() throws IOException {
    if (fuse != null) {
      try {
        fuse.close();
      } catch (TimeoutException held) {
        throw new IOException("somebody still uses " + mount, held);
      }
      fuse = null;
    }
  }

  private static FuseBuilder builder() {
    FuseBuilder builder = Fuse.builder();
    String library = System.getProperty("upcall.libfuse");
    if (library != null) {
      builder.setLibraryPath(library);
    }
    return builder;
  }

  @Override
  public Errno errno() {
    return errno;
  }

  @Override
  public Set<Operation> supportedOperations() {
    return EnumSet.of(
        Operation.INIT,
        Operation.GET_ATTR,
        Operation.STATFS,
        Operation.CREATE,
        Operation.OPEN,
        Operation.READ,
        Operation.WRITE,
        Operation.TRUNCATE,
        Operation.FSYNC,
        Operation.CHMOD,
        Operation.CHOWN,
        Operation.UTIMENS,
        Operation.MKDIR,
        Operation.RMDIR,
        Operation.UNLINK,
        Operation.RENAME,
        Operation.READ_DIR,
        Operation.FSYNCDIR);
  }

  /**
   * Without asynchronous direct I/O: with it the kernel (6.18) completes a write that is asked to
   * be durable (RWF_DSYNC) without asking for a sync.
   */
  @Override
  public void init(FuseConnInfo connection, FuseConfig config) {
    connection.setWant(connection.want() & ~FuseConnInfo.FUSE_CAP_ASYNC_DIO);
  }

  @Override
  public synchronized int getattr(String path, Stat stat, FileInfo handle) {
    Node node = tree.find(path);
    if (node == null) {
      return -errno.enoent();
    }
    stat.mTime().set(modified.getOrDefault(node, Instant.EPOCH));
    if (node instanceof Plain file) {
      stat.setMode(Stat.S_IFREG | 0600);
      stat.setNLink((short) 1);
      stat.setSize(file.content().sizeBytes());
    } else {
      stat.setMode(Stat.S_IFDIR | 0700);
      stat.setNLink((short) 2);
    }
    return 0;
  }

  @Override
  public int statfs(String path, Statvfs stat) {
    stat.setBsize(BLOCK_BYTES);
    stat.setFrsize(BLOCK_BYTES);
    stat.setBlocks(BLOCKS);
    stat.setBfree(BLOCKS);
    stat.setBavail(BLOCKS);
    stat.setNameMax(255);
    return 0;
  }

  @Override
  public int create(String path, int mode, FileInfo handle) {
    return change(
        () -> {
          changed(tree.create(path));
          return 0;
        });
  }

  @Override
  public synchronized int open(String path, FileInfo handle) {
    return tree.find(path) instanceof Plain ? 0 : -errno.enoent();
  }

  @Override
  public synchronized int read(
      String path, ByteBuffer into, long count, long offset, FileInfo handle) {
    try {
      return tree.find(path) instanceof Plain file
          ? file.content().read(into, count, offset)
          : -errno.enoent();
    } catch (IOException failed) {
      return -errno.eio();
    }
  }

  @Override
  public int write(String path, ByteBuffer from, long count, long offset, FileInfo handle) {
    return change(
        () -> {
          if (!(tree.find(path) instanceof Plain file)) {
            return -errno.enoent();
          }
          file.content().write(from, count, offset);
          changed(file);
          return (int) count;
        });
  }

  @Override
  public int truncate(String path, long toBytes, FileInfo handle) {
    return change(
        () -> {
          if (!(tree.find(path) instanceof Plain file)) {
            return -errno.enoent();
          }
          file.content().truncate(toBytes);
          changed(file);
          return 0;
        });
  }

  @Override
  public int fsync(String path, int dataOnly, FileInfo handle) {
    return change(
        () -> {
          syncs++;
          if (!lies && tree.find(path) instanceof Plain file) {
            file.content().sync();
          }
          return 0;
        });
  }

  @Override
  public int fsyncdir(String path, int dataOnly, FileInfo handle) {
    return change(
        () -> {
          syncs++;
          if (!lies && tree.find(path) instanceof Folder folder) {
            LosingTree.sync(folder);
          }
          return 0;
        });
  }

  @Override
  public int chmod(String path, int mode, FileInfo handle) {
    return 0;
  }

  @Override
  public int chown(String path, int uid, int gid, FileInfo handle) {
    return 0;
  }

  @Override
  public int utimens(String path, TimeSpec accessed, TimeSpec changed, FileInfo handle) {
    return change(
        () -> {
          Node node = tree.find(path);
          if (node == null) {
            return -errno.enoent();
          }
          modified.put(node, changed.isUtimeNow() ? Instant.now() : changed.get());
          return 0;
        });
  }

  @Override
  public int mkdir(String path, int mode) {
    return change(
        () -> {
          if (tree.find(path) != null) {
            return -errno.eexist();
          }
          tree.mkdir(path);
          return 0;
        });
  }

  @Override
  public int rmdir(String path) {
    return change(
        () -> {
          if (tree.find(path) instanceof Folder folder && !folder.names().isEmpty()) {
            return -errno.enotempty();
          }
          tree.remove(path);
          return 0;
        });
  }

  @Override
  public int unlink(String path) {
    return change(
        () -> {
          tree.remove(path);
          return 0;
        });
  }

  @Override
  public int rename(String from, String to, int flags) {
    return change(
        () -> {
          if ((flags & ~RENAME_NOREPLACE) != 0) {
            return -errno.einval();
          }
          if (flags == RENAME_NOREPLACE && tree.find(to) != null) {
            return -errno.eexist();
          }
          tree.rename(from, to);
          return 0;
        });
  }

  @Override
  public synchronized int readdir(
      String path, DirFiller filler, long offset, FileInfo handle, int flags) {
    if (!(tree.find(path) instanceof Folder folder)) {
      return -errno.enotdir();
    }
    try {
      filler.fill(".");
      filler.fill("..");
      for (String name : folder.names().keySet()) {
        filler.fill(name);
      }
      return 0;
    } catch (IOException failed) {
      return -errno.eio();
    }
  }

  /** What the kernel asks, which returns a number below zero when it fails. */
  private interface Change {
    int make() throws IOException;
  }

  private synchronized int change(Change change) {
    if (off) {
      return -errno.eio();
    }
    try {
      return change.make();
    } catch (IOException failed) {
      return -errno.eio();
    }
  }

  private void changed(Node node) {
    modified.put(node, Instant.now());
  }
}
