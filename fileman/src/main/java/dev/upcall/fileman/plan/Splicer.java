package dev.upcall.fileman.plan;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.access.SegmentEdits;
import dev.upcall.access.Segments;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.layout.Inode;
import java.nio.ByteBuffer;

/** Plans edits in the middle of files. One for each run: it counts what is copied. */
final class Splicer {
  private final Namespace namespace;
  private final long now;
  private long copiedBytes;

  Splicer(Namespace namespace, long now) {
    this.namespace = namespace;
    this.now = now;
  }

  /** Puts bytes in the place of others. */
  FileInfo splice(FileRequest.Splice splice) {
    Inode file = target(splice.path(), splice.condition());
    checkRange(splice.path(), splice.offset(), splice.removed(), file.size());
    return edit(
        splice.path(),
        file,
        new SegmentEdits.Splice(
            splice.offset(), splice.removed(), ByteBuffer.wrap(splice.bytes())));
  }

  /** Puts a range of a file in the place of another. */
  FileInfo copy(FileRequest.CopyRange copy) {
    FileRequest.Range from = copy.from();
    Resolution.Found source = Resolver.find(namespace, from.path(), LinkPolicy.FOLLOW);
    checkFile(source.kind(), from.path());
    Inode file = target(copy.to(), copy.target());
    if (source.id() != file.id() && namespace.hasNewContent(source.id())) {
      throw new Refused(
          new Failure.Invalid(
              from.path()
                  + ": a batch that has changed a file cannot copy a range of it into another;"
                  + " use two"));
    }
    long size = namespace.inode(source.id()).size();
    long bytes = from.bytes() == FileRequest.Range.TO_END ? size - from.offset() : from.bytes();
    checkRange(from.path(), from.offset(), bytes, size);
    checkRange(copy.to(), copy.offset(), 0, file.size());
    copiedBytes += Math.min(bytes, FileRequest.MAX_COPIED_BYTES + 1);
    if (copiedBytes > FileRequest.MAX_COPIED_BYTES) {
      throw new Refused(
          new Failure.TooLarge(
              "what one batch copies of ranges", copiedBytes, FileRequest.MAX_COPIED_BYTES));
    }
    long removed =
        switch (copy.placing()) {
          case INSERT -> 0;
          case OVERWRITE -> Math.min(bytes, file.size() - copy.offset());
        };
    return edit(
        copy.to(),
        file,
        new SegmentEdits.Copy(
            copy.offset(),
            removed,
            new Segments.Target(source.id(), from.path().toString()),
            from.offset(),
            bytes));
  }

  private Inode target(StorePath path, FileCondition condition) {
    Resolution.Found found = Resolver.find(namespace, path, LinkPolicy.NO_FOLLOW, condition);
    checkFile(found.kind(), path);
    return namespace.inode(found.id());
  }

  private static void checkFile(Kind kind, StorePath path) {
    if (kind != Kind.FILE) {
      throw new Refused(
          new Failure.Invalid(
              "%s is a %s: only files are edited"
                  .formatted(
                      path,
                      switch (kind) {
                        case DIRECTORY -> "directory";
                        case TABLE -> "table";
                        case FILE, SYMBOLIC_LINK -> "symbolic link, which is not followed";
                      })));
    }
  }

  private FileInfo edit(StorePath path, Inode file, SegmentEdits.Edit edit) {
    long left = file.size() - edit.removed();
    if (left > FileRequest.MAX_FILE_BYTES - edit.added()) {
      throw new Refused(
          new Failure.Invalid(
              "%d bytes more are too many for %s, which has %d"
                  .formatted(edit.added() - edit.removed(), path, file.size())));
    }
    Inode edited = Inodes.modified(file, now).withContent(left + edit.added(), file.layout());
    return FileInfos.of(path.lastName(), namespace.putEdit(edited, edit, path.toString()));
  }

  private static void checkRange(StorePath path, long offset, long bytes, long sizeBytes) {
    if (offset < 0 || bytes < 0 || offset > sizeBytes || bytes > sizeBytes - offset) {
      throw new Refused(
          new Failure.Invalid(
              "%d bytes from %d on are not all in %s, which has %d"
                  .formatted(bytes, offset, path, sizeBytes)));
    }
  }
}
