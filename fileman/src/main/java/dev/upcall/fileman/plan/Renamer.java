package dev.upcall.fileman.plan;

import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.LinkPolicy;
import dev.upcall.Parents;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.layout.Inode;

/** Plans a rename. */
final class Renamer {
  private final Namespace namespace;
  private final EntryRemover remover;
  private final long now;

  Renamer(Namespace namespace, EntryRemover remover, long now) {
    this.namespace = namespace;
    this.remover = remover;
    this.now = now;
  }

  /** Moves one entry, whatever hangs below it. */
  FileInfo rename(FileRequest.Rename rename) {
    Resolution.Found from = Resolver.find(namespace, rename.from(), LinkPolicy.NO_FOLLOW);
    if (!from.hasName()) {
      throw Resolution.withoutName(rename.from(), "renamed");
    }
    return switch (Resolver.resolve(namespace, rename.to(), LinkPolicy.NO_FOLLOW)) {
      case Resolution.Missing to -> {
        ConditionCheck.check(rename.target(), namespace, rename.to(), to);
        PutCheck.checkParents(namespace, to, Parents.MUST_EXIST, rename.to());
        yield move(from, to.directory(), to.names().getLast(), rename);
      }
      case Resolution.Found to when to.id() == from.id() ->
          FileInfos.of(rename.to().lastName(), namespace.inode(from.id()));
      case Resolution.Found to -> {
        checkNotBelow(from, to.directory(), rename);
        ConditionCheck.check(rename.target(), namespace, rename.to(), to);
        giveWay(from, to, rename);
        yield move(from, to.directory(), to.name(), rename);
      }
    };
  }

  private void giveWay(Resolution.Found from, Resolution.Found to, FileRequest.Rename rename) {
    String what = rename.to().toString();
    boolean fromDirectory = from.kind() == Kind.DIRECTORY;
    boolean toDirectory = to.kind() == Kind.DIRECTORY;
    if (toDirectory && !fromDirectory) {
      throw new Refused(new Failure.IsADirectory(what));
    }
    if (fromDirectory && !toDirectory) {
      throw new Refused(new Failure.NotADirectory(what));
    }
    if (from.kind() == Kind.TABLE != (to.kind() == Kind.TABLE)) {
      throw new Refused(
          new Failure.Invalid(
              "%s and %s are not both tables: delete what is there first"
                  .formatted(rename.from(), rename.to())));
    }
    if (toDirectory && (!to.hasName() || !namespace.isEmpty(to.id()))) {
      throw new Refused(new Failure.DirectoryNotEmpty(what));
    }
    remover.unlink(to);
  }

  private FileInfo move(
      Resolution.Found from, long directory, String name, FileRequest.Rename rename) {
    checkNotBelow(from, directory, rename);
    namespace.removeEntry(from.directory(), PutCheck.checkedName(from.name()));
    byte[] checked = PutCheck.checkedName(name);
    Names.Entry entry = new Names.Entry(from.id(), from.kind());
    Unlinked.check(namespace, directory, checked, entry);
    namespace.putEntry(directory, checked, entry);
    Inode moved = Inodes.changed(namespace.inode(from.id()), now);
    if (from.kind() == Kind.DIRECTORY) {
      moved = moved.withParent(directory);
    }
    Inode result = namespace.putInode(moved);
    remover.touch(from.directory());
    if (directory != from.directory()) {
      remover.touch(directory);
    }
    return FileInfos.of(rename.to().lastName(), result);
  }

  /** A directory that went below itself would be lost with all that it holds. */
  private void checkNotBelow(Resolution.Found from, long directory, FileRequest.Rename rename) {
    if (from.kind() != Kind.DIRECTORY) {
      return;
    }
    for (long at = directory; at != FileManager.ROOT_ID; at = namespace.inode(at).parent()) {
      if (at == from.id()) {
        throw new Refused(
            new Failure.Invalid(rename.to() + " lies below " + rename.from() + " itself"));
      }
    }
  }
}
