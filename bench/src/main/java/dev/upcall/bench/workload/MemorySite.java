package dev.upcall.bench.workload;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MediaTypes;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.Kind;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.Times;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SitePage;
import dev.upcall.io.IoClass;
import dev.upcall.io.LargePages;
import dev.upcall.request.Resolved;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A site with no store behind: the files of a folder, each in memory of its own, one behind the
 * other in large pages as a store's frames are. One piece of memory for all of them would stay in
 * the processor's cache, where no server's files do. Completions go through the dispatcher's FIFO,
 * as a store's do. Dispatcher's thread only.
 */
public final class MemorySite implements Site {
  private static final int SLICE_BYTES = 64 << 10;

  private final Dispatcher dispatcher;
  private final Map<StorePath, Stored> files = new HashMap<>();

  /**
   * A file.
   *
   * @param bytes its content
   */
  private record Stored(FileInfo info, ByteBuffer bytes) {}

  public MemorySite(Dispatcher dispatcher, Path folder) throws IOException {
    this.dispatcher = dispatcher;
    List<Path> paths;
    try (Stream<Path> all = Files.walk(folder)) {
      paths = all.filter(Files::isRegularFile).toList();
    }
    long bytes = 0;
    for (Path path : paths) {
      bytes += Files.size(path);
    }
    ByteBuffer memory = LargePages.newBuffer(Math.toIntExact(bytes));
    for (Path path : paths) {
      FileInfo info = info(path);
      int from = memory.position();
      memory.put(Files.readAllBytes(path));
      files.put(
          StorePath.of("/" + folder.relativize(path)),
          new Stored(info, memory.slice(from, memory.position() - from)));
    }
  }

  private FileInfo info(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    long nanos = attributes.lastModifiedTime().toMillis() * 1_000_000;
    String name = file.getFileName().toString();
    return new FileInfo(
        files.size() + 2L,
        name,
        Kind.FILE,
        attributes.size(),
        new Times(nanos, nanos, nanos),
        0644,
        0,
        1,
        1,
        MediaTypes.ofName(name),
        Collections.emptySortedMap(),
        FileInfo.Stored.NONE);
  }

  @Override
  public void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
    Stored file = files.get(path);
    dispatcher.complete(
        port,
        file == null
            ? Completion.failed(new Failure.NotFound(path.toString()))
            : Completion.done(new OpenFile(file.info(), new Content(file.bytes()))));
  }

  @Override
  public void list(
      StorePath directory, String afterName, int limit, CompletionPort<SitePage> port) {
    dispatcher.complete(port, Completion.failed(new Failure.NotADirectory(directory.toString())));
  }

  @Override
  public void names(StorePath directory, Listing.Range range, CompletionPort<Listing.Names> port) {
    dispatcher.complete(port, Completion.failed(new Failure.NotADirectory(directory.toString())));
  }

  @Override
  public void resolve(StorePath path, LinkPolicy links, CompletionPort<Resolved> port) {
    FileInfo info = files.containsKey(path) ? files.get(path).info() : null;
    dispatcher.complete(
        port, Completion.done(new Resolved(Optional.ofNullable(info), List.of(), path)));
  }

  @Override
  public void follow(StorePath link, CompletionPort<LinkTarget> port) {
    dispatcher.complete(port, Completion.failed(new Failure.NotFound(link.toString())));
  }

  private final class Content implements PinnedContent {
    private final ByteBuffer bytes;

    private Content(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    @Override
    public Inode inode() {
      throw new UnsupportedOperationException("there is no store behind");
    }

    @Override
    public void read(
        long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
      dispatcher.complete(port, Completion.done(tryRead(offset, maxBytes)));
    }

    @Override
    public ContentSlice tryRead(long offset, int maxBytes) {
      int from = (int) offset;
      int length = Math.min(Math.min(maxBytes, SLICE_BYTES), bytes.capacity() - from);
      return new Slice(bytes.slice(from, length));
    }

    @Override
    public void close() {
      // Fixed memory: nothing is held.
    }
  }

  private record Slice(ByteBuffer buffer) implements ContentSlice {
    @Override
    public List<ByteBuffer> buffers() {
      return List.of(buffer);
    }

    @Override
    public int sizeBytes() {
      return buffer.capacity();
    }

    @Override
    public void release() {
      // Fixed memory: nothing is given back.
    }
  }
}
