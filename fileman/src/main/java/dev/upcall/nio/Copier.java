package dev.upcall.nio;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.nio.channel.Failures;
import dev.upcall.nio.channel.OpenOptions;
import dev.upcall.nio.content.OpenFiles;
import dev.upcall.request.FileRequest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies and moves. Within a store each is one commit, and the copy of a file shares its content,
 * whatever its size; between two stores bytes are carried over.
 */
final class Copier {
  private final Located source;
  private final Located target;
  private final CopyOptions options;

  Copier(Located source, Located target, CopyOptions options) {
    this.source = source;
    this.target = target;
    this.options = options;
  }

  /** Whether one commit can do it. */
  private boolean isOneStore() {
    return source.system().changes().store() == target.system().changes().store();
  }

  private boolean isSame(FileInfo from, @Nullable FileInfo there) {
    return there != null && isOneStore() && there.id() == from.id();
  }

  /** What is under the target, and may give way; or null. */
  private @Nullable FileInfo there(FileInfo from) throws IOException {
    FileInfo there;
    try {
      there = target.statIfThere(LinkPolicy.NO_FOLLOW);
    } catch (UpcallException failed) {
      throw Failures.exception(failed, target.path().toString(), null);
    }
    boolean givesWay = options.replaces() || options.atomic();
    if (there != null && !givesWay && !isSame(from, there)) {
      throw new FileAlreadyExistsException(target.path().toString());
    }
    return there;
  }

  /** Commits requests behind what takes the name of what is there away. */
  private void replace(@Nullable FileInfo there, Supplier<List<FileRequest>> requests) {
    if (there == null) {
      target.system().changes().commit(requests.get());
      return;
    }
    target
        .system()
        .mount()
        .open()
        .unlink(
            target.place(),
            there,
            taken -> {
              List<FileRequest> all = new ArrayList<>(taken);
              all.addAll(requests.get());
              target.system().changes().commit(all);
            });
  }

  // ------------------------------------------------------------------ copying

  /** See {@link java.nio.file.Files#copy}. */
  void copy() throws IOException {
    target.check();
    FileInfo from = from(options.follows());
    target.system().changes().check();
    boolean carries = from.isFile() && !isOneStore();
    boolean done;
    try {
      done = OpenFiles.untilUndisturbed(() -> copied(from, carries));
    } catch (UpcallException failed) {
      throw Failures.exception(failed, target.path().toString(), null);
    }
    if (done && carries) {
      carry(from);
    }
  }

  /** Whether there was something to do. */
  private boolean copied(FileInfo from, boolean carries) throws IOException {
    FileInfo there = there(from);
    if (isSame(from, there)) {
      return false;
    }
    replace(there, carries ? List::of : () -> made(from));
    return true;
  }

  /** The source; as the JDK says it, what cannot be looked at is not there. */
  private FileInfo from(boolean follows) throws IOException {
    source.check();
    if (options.atomic()) { // the kernel is asked at once, and names both
      return Failures.of(source.path(), target.path(), () -> source.stat(Links.policy(follows)));
    }
    FileInfo from;
    try {
      from = source.statIfThere(Links.policy(follows));
    } catch (UpcallException failed) {
      throw Failures.exception(failed, source.path().toString(), null);
    }
    if (from == null) {
      throw new NoSuchFileException(source.path().toString());
    }
    return from;
  }

  /** Set-user-id and set-group-id: who they would lend is not the owner of the copy. */
  private static final int LENT_BITS = 06000;

  /** The owner, and the group, of what is made. */
  private static final long NOBODY_ELSE = 0;

  private List<FileRequest> made(FileInfo from) {
    StorePath to = target.place();
    return switch (from.kind()) {
      case DIRECTORY ->
          List.of(new FileRequest.CreateDirectory(to, Parents.MUST_EXIST, carriedMetadata(from)));
      case SYMBOLIC_LINK ->
          List.of(
              new FileRequest.SymbolicLink(
                  to, source.system().changes().store().readLink(source.place()), metadata(from)));
      case TABLE ->
          throw UpcallException.of(
              new Failure.Invalid(
                  source.path() + " is a table, and tables are not copied: copy its entries"));
      case FILE ->
          List.of(
              new FileRequest.Clone(source.place(), to, FileCondition.ABSENT),
              new FileRequest.SetMetadata(to, LinkPolicy.NO_FOLLOW, clonedMetadata(from)));
    };
  }

  /** What a copy takes along if it shall have the attributes. */
  private MetadataChange metadata(FileInfo from) {
    return options.attributes()
        ? MetadataChange.NONE
            .withModifiedNanos(from.times().modifiedNanos())
            .withOwner(from.owner())
        : MetadataChange.NONE;
  }

  /** What is not there yet with the content. */
  private MetadataChange carriedMetadata(FileInfo from) {
    MetadataChange change = metadata(from).withMode(mode(from));
    if (options.attributes()) {
      for (var attribute : from.attributes().entrySet()) {
        change = change.withAttribute(attribute.getKey(), attribute.getValue());
      }
    }
    return change;
  }

  private int mode(FileInfo from) {
    return options.attributes() ? from.mode() : from.mode() & ~LENT_BITS;
  }

  /** A clone has the attributes of its source: whoever does not ask for them does not get them. */
  private MetadataChange clonedMetadata(FileInfo from) {
    MetadataChange change = metadata(from);
    if (!options.attributes()) {
      change = change.withMode(mode(from)).withOwner(NOBODY_ELSE);
      for (String name : from.attributes().keySet()) {
        change = change.withAttribute(name, new byte[0]);
      }
    }
    return change;
  }

  private void carry(FileInfo from) throws IOException {
    OpenOptions reading = OpenOptions.of(EnumSet.of(StandardOpenOption.READ));
    OpenOptions making =
        OpenOptions.of(EnumSet.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
    try (FileChannel in = new Opener(source, reading).open().uninterruptible();
        FileChannel out = new Opener(target, making).open().uninterruptible()) {
      in.transferTo(0, Long.MAX_VALUE, out);
    }
    target.setMetadata(/* follows= */ false, carriedMetadata(from));
  }

  // ------------------------------------------------------------------ moving

  /** See {@link java.nio.file.Files#move}. */
  void move() throws IOException {
    target.check();
    FileInfo from = from(/* follows= */ false);
    source.system().changes().check();
    target.system().changes().check();
    if (!isOneStore()) {
      moveToOtherStore(from);
      return;
    }
    try {
      boolean unused = OpenFiles.untilUndisturbed(() -> moved(from));
    } catch (UpcallException failed) {
      throw Failures.exception(failed, source.path().toString(), target.path().toString());
    }
  }

  /** Whether there was something to do. */
  private boolean moved(FileInfo from) throws IOException {
    FileInfo there = there(from);
    if (isSame(from, there)) {
      return false;
    }
    // A rename judges what it replaces itself; only files have channels for which they stay.
    boolean judged = options.atomic() && there != null && (from.isDirectory() || !there.isFile());
    replace(
        judged ? null : there,
        () -> List.of(new FileRequest.Rename(source.place(), target.place(), target(judged))));
    return true;
  }

  private static Existence target(boolean givesWay) {
    return givesWay ? Existence.ANY : Existence.MUST_NOT_EXIST;
  }

  private void moveToOtherStore(FileInfo from) throws IOException {
    if (options.atomic()) {
      throw new AtomicMoveNotSupportedException(
          source.path().toString(), target.path().toString(), "they are in different stores");
    }
    if (from.isDirectory() && !isEmpty()) {
      throw new DirectoryNotEmptyException(source.path().toString());
    }
    new Copier(
            source,
            target,
            new CopyOptions(
                options.replaces(), /* attributes= */ true, /* follows= */ false, false))
        .copy();
    source.delete();
  }

  private boolean isEmpty() throws IOException {
    return Failures.of(
            source.path(),
            () -> source.system().changes().store().list(source.place(), 1).entries())
        .isEmpty();
  }
}
