package dev.upcall.fileman.plan;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Parents;
import dev.upcall.StorePath;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.Mutations;

/** Plans a clone. */
final class Cloner {
  private final Namespace namespace;
  private final Mutations out;
  private final EntryRemover remover;
  private final long now;

  Cloner(Namespace namespace, Mutations out, EntryRemover remover, long now) {
    this.namespace = namespace;
    this.out = out;
    this.remover = remover;
    this.now = now;
  }

  /** Makes a file that shares its content with another. */
  FileInfo cloneFile(FileRequest.Clone clone) {
    Resolution.Found from = Resolver.find(namespace, clone.from(), LinkPolicy.FOLLOW);
    checkFile(from.kind(), clone.from());
    Resolution target = Resolver.resolve(namespace, clone.to(), LinkPolicy.NO_FOLLOW);
    if (target instanceof Resolution.Found to && to.id() == from.id()) {
      return FileInfos.of(clone.to().lastName(), namespace.inode(from.id()));
    }
    ConditionCheck.check(clone.target(), namespace, clone.to(), target);
    Inode source = namespace.inode(from.id());
    Inode file =
        switch (target) {
          case Resolution.Missing missing -> {
            PutCheck.checkParents(namespace, missing, Parents.MUST_EXIST, clone.to());
            yield make(source, missing.directory(), missing.names().getLast());
          }
          case Resolution.Found to when to.kind() == Kind.SYMBOLIC_LINK -> {
            remover.unlink(to);
            yield make(source, to.directory(), to.name());
          }
          case Resolution.Found to -> {
            checkFile(to.kind(), clone.to());
            namespace.located(to);
            yield Inodes.modified(Inodes.withoutExpiry(namespace.inode(to.id())), now);
          }
        };
    Inode copy = Inodes.like(file, source).withContent(source.size(), file.layout());
    return FileInfos.of(clone.to().lastName(), namespace.putClone(copy, from.id()));
  }

  private static void checkFile(Kind kind, StorePath path) {
    if (kind == Kind.TABLE) {
      throw new Refused(
          new Failure.Invalid(path + " is a table, and tables are not cloned: copy its entries"));
    }
    Tables.checkContent(kind, path);
  }

  private Inode make(Inode source, long directory, String name) {
    Inode made = Inodes.create(out.newSegmentId(), Kind.FILE, 0, source.mode(), now);
    byte[] checked = PutCheck.checkedName(name);
    Names.Entry entry = new Names.Entry(made.id(), made.kind());
    Unlinked.check(namespace, directory, checked, entry);
    namespace.putEntry(directory, checked, entry);
    remover.touch(directory);
    return made;
  }
}
