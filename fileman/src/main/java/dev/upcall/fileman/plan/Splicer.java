package dev.upcall.fileman.plan;

import dev.upcall.FileInfo;
import dev.upcall.FileRequest;
import dev.upcall.LinkPolicy;
import dev.upcall.access.SegmentEdits;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.segment.Inode;
import java.nio.ByteBuffer;

/** Plans an edit in the middle of a file. */
final class Splicer {
  private final Namespace namespace;
  private final long now;

  Splicer(Namespace namespace, long now) {
    this.namespace = namespace;
    this.now = now;
  }

  /** Puts bytes in the place of others. */
  FileInfo splice(FileRequest.Splice splice) {
    Resolution.Found found =
        Resolver.find(namespace, splice.path(), LinkPolicy.NO_FOLLOW, splice.condition());
    if (found.kind() != Kind.FILE) {
      throw new Refused(
          new Failure.Invalid(
              "%s is a %s: only files are edited"
                  .formatted(
                      splice.path(),
                      found.kind() == Kind.DIRECTORY
                          ? "directory"
                          : "symbolic link, which is not followed")));
    }
    Inode file = namespace.inode(found.id());
    checkRange(splice, file.size());
    long size = file.size() - splice.removed() + splice.bytes().length;
    Inode edited = Inodes.withSize(Inodes.modified(file, now), size);
    SegmentEdits.Splice done =
        new SegmentEdits.Splice(splice.offset(), splice.removed(), ByteBuffer.wrap(splice.bytes()));
    String path = splice.path().toString();
    return FileInfos.of(splice.path().lastName(), namespace.putEdit(edited, done, path));
  }

  private static void checkRange(FileRequest.Splice splice, long sizeBytes) {
    long offset = splice.offset();
    long removed = splice.removed();
    if (offset < 0 || removed < 0 || offset > sizeBytes || removed > sizeBytes - offset) {
      throw new Refused(
          new Failure.Invalid(
              "%d bytes from %d on are not all in %s, which has %d"
                  .formatted(removed, offset, splice.path(), sizeBytes)));
    }
    if (sizeBytes - removed > FileRequest.MAX_FILE_BYTES - splice.bytes().length) {
      throw new Refused(
          new Failure.Invalid(
              "%d bytes more are too many for %s, which has %d"
                  .formatted(splice.bytes().length - removed, splice.path(), sizeBytes)));
    }
  }
}
