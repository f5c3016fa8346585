package dev.upcall.nio;

import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.nio.channel.Failures;
import dev.upcall.nio.channel.OpenOptions;
import dev.upcall.nio.channel.UpcallFileChannel;
import dev.upcall.nio.content.Content;
import dev.upcall.nio.content.DirectoryContent;
import dev.upcall.nio.content.OpenFiles;
import dev.upcall.request.FileRequest;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens channels: looks, makes what is missing, empties. */
final class Opener {
  private final Located file;
  private final UpcallFileSystem system;
  private final UpcallPath path;
  private final OpenOptions options;
  private final int mode;

  /** The file that is opened, if it was there before. */
  private @Nullable FileInfo found;

  /**
   * An opening.
   *
   * @param attributes those with which a file is made
   */
  Opener(Located file, OpenOptions options, FileAttribute<?>... attributes) {
    this.file = file;
    this.system = file.system();
    this.path = file.path();
    this.options = options;
    this.mode = Permissions.initial(FileRequest.DEFAULT_FILE_MODE, attributes);
  }

  /** Opens. */
  UpcallFileChannel open() throws IOException {
    file.check();
    if (options.writes() || options.has(StandardOpenOption.DELETE_ON_CLOSE)) {
      system.changes().check();
    }
    try {
      UpcallFileChannel channel = channel();
      return system.opened(
          channel, channel.whenForgotten(), held -> channel.whenClosed(() -> system.closed(held)));
    } catch (UpcallException failed) {
      throw Failures.exception(failed, path.toString(), null);
    }
  }

  private UpcallFileChannel channel() throws IOException {
    StorePath place = file.place();
    Content content = null;
    while (content == null) {
      content = content(place);
    }
    boolean whole = false;
    try {
      if (options.truncates()) {
        empty(content, place);
      }
      if (options.has(StandardOpenOption.DELETE_ON_CLOSE)) {
        unlink(place);
      }
      whole = true;
    } finally {
      if (!whole) {
        content.close();
      }
    }
    return new UpcallFileChannel(content, options.access(), path.toString());
  }

  /** What is there, made if need be; null when somebody else was in between. */
  private @Nullable Content content(StorePath place) throws IOException {
    boolean follows = options.follows() && !options.createsNew();
    FileInfo there = find(place, Links.policy(follows));
    if (there == null) {
      return created(place);
    }
    if (options.createsNew()) {
      throw new FileAlreadyExistsException(path.toString());
    }
    if (there.isSymbolicLink()) {
      throw new IOException(
          "Too many levels of symbolic links (NOFOLLOW_LINKS specified): " + path);
    }
    if (there.isDirectory()) {
      if (options.writes()) {
        throw new FileSystemException(path.toString(), null, "Is a directory");
      }
      return new DirectoryContent(system.mount().contents()::force);
    }
    if (there.isTable()) {
      throw new FileSystemException(
          path.toString(), null, "Is a table, which has no content: read and change its entries");
    }
    found = there;
    return opened(place, there.id());
  }

  /** Takes all content away. A file that has none has a new time all the same, as on Linux. */
  private void empty(Content content, StorePath place) throws IOException {
    FileInfo there = found;
    if (there == null || content.sizeBytes() > 0) {
      content.truncate(0);
      return;
    }
    try {
      FileInfo unused = OpenFiles.untilUndisturbed(() -> touched(content, place, there.id()));
    } catch (UpcallException.NotFound changedMeanwhile) {
      content.truncate(0);
    }
  }

  /** The file as it is now, its collected changes committed, and its time set if it is empty. */
  private FileInfo touched(Content content, StorePath place, long id) throws IOException {
    LinkPolicy links = Links.policy(options.follows());
    FileInfo there = system.changes().store().stat(place, links);
    if (there.id() != id || there.sizeBytes() > 0) {
      content.truncate(0);
      return there;
    }
    PutOptions put =
        new PutOptions(
            FileCondition.only(there.fileVersion()),
            Parents.MUST_EXIST,
            links,
            there.times().expires().map(Opener::expiring).orElse(MetadataChange.NONE));
    return system
        .changes()
        .commit(List.of(new FileRequest.Put(place, new FileContent.Bytes(new byte[0]), put)))
        .only();
  }

  private static MetadataChange expiring(Instant moment) {
    return MetadataChange.NONE.withExpiry(Expiry.at(moment));
  }

  /**
   * What is there; null if that is nothing, and is made: then the commit finds out what is wrong.
   */
  private @Nullable FileInfo find(StorePath place, LinkPolicy links) {
    FileInfo committed = system.mount().contents().find(place, links);
    return committed != null || options.creates()
        ? committed
        : system.changes().store().stat(place, links);
  }

  private @Nullable Content created(StorePath place) {
    PutOptions put =
        new PutOptions(
            FileCondition.ABSENT,
            Parents.MUST_EXIST,
            Links.policy(options.follows() && !options.createsNew()),
            MetadataChange.NONE.withMode(mode));
    try {
      FileInfo made =
          system
              .changes()
              .commit(List.of(new FileRequest.Put(place, new FileContent.Bytes(new byte[0]), put)))
              .only();
      return opened(place, made.id());
    } catch (UpcallException failed) {
      if (failed.failure() instanceof Failure.AlreadyExists && !options.createsNew()) {
        return null;
      }
      throw failed;
    }
  }

  private @Nullable Content opened(StorePath place, long id) {
    try {
      return system.mount().contents().open(place, id, options.isDurable());
    } catch (UpcallException failed) {
      if (failed.failure() instanceof Failure.NotFound) {
        return null;
      }
      throw failed;
    }
  }

  /** As on Linux the name goes at once, and the content with its last channel. */
  private void unlink(StorePath place) {
    try {
      FileInfo unused = OpenFiles.untilUndisturbed(() -> unlinked(place));
    } catch (UpcallException failed) {
      if (!(failed.failure() instanceof Failure.NotFound)) {
        throw failed;
      }
    }
  }

  private FileInfo unlinked(StorePath place) {
    FileInfo there = system.changes().store().stat(place, LinkPolicy.NO_FOLLOW);
    if (there.isFile()) {
      system.mount().open().unlink(place, there, system.changes()::commit);
    }
    return there;
  }
}
