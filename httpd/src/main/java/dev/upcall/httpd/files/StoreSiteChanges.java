package dev.upcall.httpd.files;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.LinkPolicy;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.request.FileRequest;
import dev.upcall.request.Look;
import dev.upcall.request.Resolved;
import dev.upcall.store.Durability;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Changes of the files of a store; no link leads to unfinished uploads. */
public record StoreSiteChanges(FileManager files) implements SiteChanges {
  /** Checks that nothing is missing. */
  public StoreSiteChanges {
    Objects.requireNonNull(files, "files");
  }

  @Override
  public void put(StorePath path, PutOptions options, CompletionPort<PutHandle> port) {
    Objects.requireNonNull(options, "options");
    at(
        path,
        options.links(),
        port,
        way -> {
          if (ToldPut.isRefused(way, path)) {
            // A look says why, unless it has changed.
            files.stat(path, LinkPolicy.FOLLOW, port.then(_ -> put(path, options, port)));
          } else {
            files.put(
                way.fixed(),
                options.withLinks(LinkPolicy.NO_FOLLOW),
                begun -> port.complete(ToldPut.of(begun, way, path)));
          }
        });
  }

  @Override
  public void delete(StorePath path, FileCondition condition, CompletionPort<Unit> port) {
    Objects.requireNonNull(condition, "condition");
    at(
        path,
        LinkPolicy.NO_FOLLOW,
        port,
        way ->
            files.delete(
                way.fixed(), condition, done -> port.complete(Told.of(done, way.fixed(), path))));
  }

  @Override
  public void look(StorePath path, CompletionPort<FileInfo> port) {
    at(path, LinkPolicy.NO_FOLLOW, port, _ -> files.stat(path, LinkPolicy.NO_FOLLOW, port));
  }

  @Override
  public void place(StorePath path, CompletionPort<Resolved> port) {
    at(path, LinkPolicy.FOLLOW, port, way -> port.complete(Completion.done(way)));
  }

  private <T> void at(
      StorePath path, LinkPolicy links, CompletionPort<T> port, Consumer<Resolved> then) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(port, "port");
    files.ask(
        new Look.Resolve(path, links),
        found -> {
          switch (HiddenUploads.outside(path, found)) {
            case Completion.Failed<Resolved> failed -> port.complete(failed.cast());
            case Completion.Done<Resolved>(Resolved way) -> then.accept(way);
          }
        });
  }

  @Override
  public void batch(
      List<FileRequest> requests, Durability durability, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(requests, "requests");
    Objects.requireNonNull(durability, "durability");
    for (FileRequest request : requests) {
      Objects.requireNonNull(request, "one of requests");
    }
    List<FileRequest> all = List.copyOf(requests);
    if (all.isEmpty()) {
      files.dispatcher().complete(port, Completion.failed(NO_EDITS));
      return;
    }
    files.batch(
        all,
        durability,
        result -> port.complete(result.map(done -> done.files().getLast().orElseThrow())));
  }
}
