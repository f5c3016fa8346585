package dev.upcall.httpd.relay;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.request.FileRequest;
import dev.upcall.request.Resolved;
import dev.upcall.store.Durability;
import java.util.List;

/** The writing half of a {@link RelayedSite}. */
record RelayedChanges(Relay relay, SiteChanges changes) implements SiteChanges {
  @Override
  public void put(StorePath path, PutOptions options, CompletionPort<PutHandle> port) {
    relay.ask(
        answer ->
            changes.put(
                path,
                options,
                begun -> answer.complete(begun.map(handle -> new RelayedPut(relay, handle)))),
        port);
  }

  @Override
  public void delete(StorePath path, FileCondition condition, CompletionPort<Unit> port) {
    relay.ask(answer -> changes.delete(path, condition, answer), port);
  }

  @Override
  public void look(StorePath path, CompletionPort<FileInfo> port) {
    relay.ask(answer -> changes.look(path, answer), port);
  }

  @Override
  public void place(StorePath path, CompletionPort<Resolved> port) {
    relay.ask(answer -> changes.place(path, answer), port);
  }

  @Override
  public void batch(
      List<FileRequest> requests, Durability durability, CompletionPort<FileInfo> port) {
    relay.ask(answer -> changes.batch(requests, durability, answer), port);
  }
}
