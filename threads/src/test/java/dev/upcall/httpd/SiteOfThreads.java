package dev.upcall.httpd;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.httpd.blocking.BlockingSite;
import dev.upcall.io.IoClass;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.PinnedContent;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A site of one thread for those who wait: {@code enter} runs things where the site lives. */
final class SiteOfThreads implements BlockingSite, BlockingSite.Changes {
  private final Site site;
  private final Consumer<Runnable> enter;

  SiteOfThreads(Site site, Consumer<Runnable> enter) {
    this.site = site;
    this.enter = enter;
  }

  private <T> Completion<T> await(Consumer<CompletionPort<T>> request) {
    CompletableFuture<Completion<T>> result = new CompletableFuture<>();
    enter.accept(() -> request.accept(result::complete));
    return result.join();
  }

  private void run(Runnable work) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    enter.accept(
        () -> {
          work.run();
          done.complete(true);
        });
    done.join();
  }

  @Override
  public Completion<OpenedFile> open(StorePath path) {
    LeaseOwner owner = new LeaseOwner("test", 1);
    return switch (this.<OpenFile>await(port -> site.openRead(path, owner, port))) {
      case Completion.Failed<OpenFile> failed -> failed.cast();
      case Completion.Done<OpenFile>(OpenFile file) -> {
        PinnedContent content = file.content();
        yield content == null
            ? Completion.failed(new Failure.IsADirectory(path.toString()))
            : Completion.done(new Opened(file, content));
      }
    };
  }

  @Override
  public Completion<SitePage> list(StorePath directory, String after, int limit) {
    return await(port -> site.list(directory, after, limit, port));
  }

  @Override
  public Completion<Listing.Names> names(StorePath directory, Listing.Range range) {
    return await(port -> site.names(directory, range, port));
  }

  @Override
  public Completion<LinkTarget> follow(StorePath link) {
    return await(port -> site.follow(link, port));
  }

  @Override
  public Optional<Changes> changes() {
    return Optional.of(this);
  }

  private SiteChanges writing() {
    return site.changes().orElseThrow();
  }

  @Override
  public Completion<NewFile> put(StorePath path, PutOptions options) {
    return switch (this.<PutHandle>await(port -> writing().put(path, options, port))) {
      case Completion.Failed<PutHandle> failed -> failed.cast();
      case Completion.Done<PutHandle>(PutHandle handle) -> Completion.done(new Put(handle));
    };
  }

  @Override
  public Completion<Unit> delete(StorePath path, FileCondition condition) {
    return await(port -> writing().delete(path, condition, port));
  }

  @Override
  public Completion<FileInfo> look(StorePath path) {
    return await(port -> writing().look(path, port));
  }

  @Override
  public Completion<FileInfo> edit(List<FileRequest.Splice> edits) {
    return await(port -> writing().edit(edits, port));
  }

  private final class Opened implements OpenedFile {
    private final OpenFile file;
    private final PinnedContent content;

    Opened(OpenFile file, PinnedContent content) {
      this.file = file;
      this.content = content;
    }

    @Override
    public FileInfo info() {
      return file.info();
    }

    @Override
    public Completion<ContentSlice> slice(long offset, int maxBytes) {
      Completion<ContentSlice> read =
          await(
              port -> {
                ContentSlice found = content.tryRead(offset, maxBytes);
                if (found == null) {
                  content.read(offset, maxBytes, IoClass.FOREGROUND_READ, port);
                } else {
                  port.complete(Completion.done(found));
                }
              });
      return read instanceof Completion.Done<ContentSlice>(ContentSlice slice)
          ? Completion.done(new Slice(slice))
          : read;
    }

    @Override
    public void close() {
      run(file::close);
    }
  }

  private final class Slice implements ContentSlice {
    private final ContentSlice slice;

    Slice(ContentSlice slice) {
      this.slice = slice;
    }

    @Override
    public List<ByteBuffer> buffers() {
      return slice.buffers();
    }

    @Override
    public int sizeBytes() {
      return slice.sizeBytes();
    }

    @Override
    public void release() {
      run(slice::release);
    }
  }

  private final class Put implements NewFile {
    private final PutHandle handle;

    Put(PutHandle handle) {
      this.handle = handle;
    }

    @Override
    public Completion<Unit> append(ByteBuffer bytes) {
      return await(port -> handle.append(bytes, port));
    }

    @Override
    public Completion<FileInfo> commit() {
      return await(handle::commit);
    }

    @Override
    public void close() {
      run(handle::abandon);
    }
  }
}
