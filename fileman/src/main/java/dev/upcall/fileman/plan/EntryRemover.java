package dev.upcall.fileman.plan;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.segment.layout.Inode;
import org.jspecify.annotations.Nullable;

/** Plans deletions. */
public final class EntryRemover {
  private final Namespace namespace;
  private final long now;

  EntryRemover(Namespace namespace, long now) {
    this.namespace = namespace;
    this.now = now;
  }

  /** Deletes a file, a link or an empty directory. */
  @Nullable FileInfo delete(StorePath path, FileCondition condition) {
    Resolution.Found found = named(path, condition);
    if (found.kind() == Kind.DIRECTORY && !namespace.isEmpty(found.id())) {
      throw new Refused(new Failure.DirectoryNotEmpty(path.toString()));
    }
    unlink(found);
    touch(found.directory());
    return null;
  }

  /** Deletes whatever is there; a directory with entries is left to the reclaimer. */
  @Nullable FileInfo deleteTree(StorePath path, FileCondition condition) {
    Resolution.Found found = named(path, condition);
    if (found.kind() == Kind.DIRECTORY && !namespace.isEmpty(found.id())) {
      namespace.removeEntry(found.directory(), PutCheck.checkedName(found.name()));
      detach(namespace, found.id(), now);
    } else {
      unlink(found);
    }
    touch(found.directory());
    return null;
  }

  /** Removes a name and, when it was the last one, what it led to. */
  void unlink(Resolution.Found found) {
    namespace.removeEntry(found.directory(), PutCheck.checkedName(found.name()));
    if (found.kind() == Kind.DIRECTORY) {
      namespace.clear(found.id());
    }
    release(namespace, found.id(), now);
  }

  /** Notes that a directory's entries changed. */
  void touch(long directory) {
    namespace.putInode(Inodes.modified(namespace.inode(directory), now));
  }

  /** One name less leads to a file, link or empty directory. */
  public static void release(Namespace namespace, long id, long now) {
    Inode inode = namespace.inode(id);
    if (inode.links() > 1) {
      namespace.putInode(Inodes.changed(inode.withLinks(inode.links() - 1), now));
    } else {
      namespace.removeInode(id);
    }
  }

  /** No name leads to a directory any more that has entries. */
  public static void detach(Namespace namespace, long directory, long now) {
    Inode inode = namespace.inode(directory);
    namespace.putInode(Inodes.changed(inode.withParent(0).withLinks(0), now));
    namespace.detach(directory);
  }

  private Resolution.Found named(StorePath path, FileCondition condition) {
    Resolution.Found found = Resolver.find(namespace, path, LinkPolicy.NO_FOLLOW, condition);
    if (!found.hasName()) {
      throw Resolution.withoutName(path, "deleted");
    }
    return found;
  }
}
