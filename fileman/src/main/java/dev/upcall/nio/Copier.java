package dev.upcall.nio;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.FileRequest;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
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
  private final UpcallPath source;
  private final UpcallPath target;
  private final CopyOptions options;

  Copier(UpcallPath source, UpcallPath target, CopyOptions options) {
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
      there = target.system().lookups().statIfThere(target, LinkPolicy.NO_FOLLOW);
    } catch (UpcallException failed) {
      throw Failures.exception(failed, target.toString(), null);
    }
    boolean givesWay = options.replaces() || options.atomic();
    if (there != null && !givesWay && !isSame(from, there)) {
      throw new FileAlreadyExistsException(target.toString());
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
            place(target),
            there,
            taken -> {
              List<FileRequest> all = new ArrayList<>(taken);
              all.addAll(requests.get());
              target.system().changes().commit(all);
            });
  }

  private static StorePath place(UpcallPath path) {
    return path.system().lookups().place(path);
  }

  // ------------------------------------------------------------------ copying

  /** See {@link java.nio.file.Files#copy}. */
  void copy() throws IOException {
    target.system().check();
    FileInfo from = from(options.follows());
    target.system().changes().check();
    FileInfo there = there(from);
    if (isSame(from, there)) {
      return;
    }
    boolean carries = from.isFile() && !isOneStore();
    try {
      replace(there, carries ? List::of : () -> made(from));
    } catch (UpcallException failed) {
      throw Failures.exception(failed, target.toString(), null);
    }
    if (carries) {
      carry(from);
    }
  }

  /** The source; as the JDK says it, what cannot be looked at is not there. */
  private FileInfo from(boolean follows) throws IOException {
    source.system().check();
    if (options.atomic()) { // the kernel is asked at once, and names both
      return Failures.of(
          source, target, () -> source.system().lookups().stat(source, Links.policy(follows)));
    }
    FileInfo from;
    try {
      from = source.system().lookups().statIfThere(source, Links.policy(follows));
    } catch (UpcallException failed) {
      throw Failures.exception(failed, source.toString(), null);
    }
    if (from == null) {
      throw new NoSuchFileException(source.toString());
    }
    return from;
  }

  private List<FileRequest> made(FileInfo from) {
    StorePath to = place(target);
    return switch (from.kind()) {
      case DIRECTORY ->
          List.of(
              new FileRequest.CreateDirectory(
                  to, FileRequest.Parents.MUST_EXIST, carriedMetadata(from)));
      case SYMBOLIC_LINK ->
          List.of(
              new FileRequest.SymbolicLink(
                  to, source.system().changes().store().readLink(place(source)), metadata(from)));
      case FILE ->
          List.of(
              new FileRequest.Clone(place(source), to, FileCondition.ABSENT),
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
    MetadataChange change = metadata(from).withMode(from.mode());
    if (options.attributes()) {
      for (var attribute : from.attributes().entrySet()) {
        change = change.withAttribute(attribute.getKey(), attribute.getValue());
      }
    }
    return change;
  }

  /** A clone has the attributes of its source: whoever does not ask for them does not get them. */
  private MetadataChange clonedMetadata(FileInfo from) {
    MetadataChange change = metadata(from);
    if (!options.attributes()) {
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
    try (FileChannel in = new Opener(source.system(), source, reading).open();
        FileChannel out = new Opener(target.system(), target, making).open()) {
      in.transferTo(0, Long.MAX_VALUE, out);
    }
    target.system().setMetadata(target, /* follows= */ false, carriedMetadata(from));
  }

  // ------------------------------------------------------------------ moving

  /** See {@link java.nio.file.Files#move}. */
  void move() throws IOException {
    target.system().check();
    FileInfo from = from(/* follows= */ false);
    source.system().changes().check();
    target.system().changes().check();
    if (!isOneStore()) {
      moveToOtherStore(from);
      return;
    }
    FileInfo there = there(from);
    if (isSame(from, there)) {
      return;
    }
    // A rename judges what it replaces itself; only files have channels for which they stay.
    boolean judged = options.atomic() && there != null && (from.isDirectory() || !there.isFile());
    Failures.of(
        source,
        target,
        () -> {
          replace(
              judged ? null : there,
              () -> List.of(new FileRequest.Rename(place(source), place(target), target(judged))));
          return from;
        });
  }

  private static Existence target(boolean givesWay) {
    return givesWay ? Existence.ANY : Existence.MUST_NOT_EXIST;
  }

  private void moveToOtherStore(FileInfo from) throws IOException {
    if (options.atomic()) {
      throw new AtomicMoveNotSupportedException(
          source.toString(), target.toString(), "they are in different stores");
    }
    if (from.isDirectory() && !isEmpty()) {
      throw new DirectoryNotEmptyException(source.toString());
    }
    new Copier(
            source,
            target,
            new CopyOptions(
                options.replaces(), /* attributes= */ true, /* follows= */ false, false))
        .copy();
    source.system().delete(source);
  }

  private boolean isEmpty() throws IOException {
    return Failures.of(
            source, () -> source.system().changes().store().list(place(source), 1).entries())
        .isEmpty();
  }
}
