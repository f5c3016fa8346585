package dev.upcall.httpd.blocking;

import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.SitePage;
import dev.upcall.httpd.answer.FileAnswer;
import dev.upcall.httpd.answer.FileDigest;
import dev.upcall.httpd.answer.Lookup;
import dev.upcall.httpd.listing.ListingAsk;
import dev.upcall.httpd.listing.ListingResponse;
import dev.upcall.httpd.message.ContentCoding;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.RequestTarget;
import dev.upcall.httpd.message.WebAsk;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers one GET or HEAD. */
final class Downloading {
  private final Conversation conversation;
  private final ServerContext server;
  private final BlockingSite site;

  Downloading(Conversation conversation, ServerContext server) {
    this.conversation = conversation;
    this.server = server;
    this.site = server.site();
  }

  /** Answers a request for a path. */
  void answer(StorePath path, RequestTarget target) throws IOException {
    Request asked = conversation.request();
    Refusal refusal = Lookup.refusesSnapshot(target, /* site= */ false);
    if (refusal != null) {
      conversation.refuse(refusal);
    } else if (Lookup.wantsListing(asked)) {
      list(path);
    } else {
      StorePath found = Lookup.file(asked, path);
      switch (site.open(found)) {
        case Completion.Done<BlockingSite.OpenedFile>(BlockingSite.OpenedFile file) ->
            serve(found, file);
        case Completion.Failed<BlockingSite.OpenedFile>(Failure failure) -> {
          switch (Lookup.of(asked, failure)) {
            case LISTING -> list(path);
            case REDIRECT -> conversation.send(conversation.answers().redirect(target, asked));
            case REFUSAL -> conversation.refuse(Lookup.refusal(failure));
          }
        }
      }
    }
  }

  /** Sends the first compressed neighbour of a file that may stand for it, or the file. */
  private void serve(StorePath path, BlockingSite.OpenedFile plain) throws IOException {
    Request asked = conversation.request();
    WebAsk web = asked.web();
    List<ContentCoding> codings = web == null ? List.of() : web.codingsFor(plain.info());
    for (ContentCoding coding : codings) {
      StorePath neighbour = coding.neighbourOf(path);
      if (neighbour != null
          && site.open(neighbour)
              instanceof Completion.Done<BlockingSite.OpenedFile>(BlockingSite.OpenedFile found)) {
        if (ContentCoding.isFresh(found.info(), plain.info())) {
          plain.close();
          FileInfo as = found.info().withMediaType(plain.info().mediaType());
          serve(found, new FileAnswer(as, coding));
          return;
        }
        found.close();
      }
    }
    serve(plain, new FileAnswer(plain.info()));
  }

  private void serve(BlockingSite.OpenedFile file, FileAnswer answer) throws IOException {
    conversation.count(counts -> counts.add(HttpCount.FILES_OPENED));
    try (file) {
      Request asked = conversation.request();
      switch (answer.decide(asked, server.clock())) {
        case CONTENT, HEAD -> {
          if (counted(file, FileDigest.of(answer, asked))) {
            send(file, answer);
          }
        }
        case RANGE_REFUSED -> conversation.send(conversation.answers().rangeRefused(answer, asked));
        case REFUSED -> conversation.refuse(Refusal.OTHER_VERSION);
      }
    } finally {
      conversation.count(counts -> counts.add(HttpCount.FILES_CLOSED));
    }
  }

  private void send(BlockingSite.OpenedFile file, FileAnswer answer) throws IOException {
    Request asked = conversation.request();
    if (answer.hasContent()) {
      sendContent(file, answer);
    } else {
      conversation.send(conversation.answers().fileHead(answer, asked));
    }
  }

  /** Counts the bytes of a file for its digest; false if the answer is another. */
  private boolean counted(BlockingSite.OpenedFile file, @Nullable FileDigest digest)
      throws IOException {
    while (digest != null && !digest.isDone()) {
      int bytes = digest.nextBytes();
      server.budget().take(bytes);
      try {
        switch (file.slice(digest.offset(), bytes)) {
          case Completion.Done<ContentSlice>(ContentSlice slice) -> digest.take(slice);
          case Completion.Failed<ContentSlice>(Failure failure) -> {
            storeFailed(failure, /* begun= */ false);
            return false;
          }
        }
      } finally {
        server.budget().give(bytes);
      }
    }
    return true;
  }

  private void sendContent(BlockingSite.OpenedFile file, FileAnswer answer) throws IOException {
    boolean goesOn = true;
    while (goesOn && !answer.ended()) {
      int bytes = answer.nextBytes();
      server.budget().take(bytes);
      try {
        goesOn = sendSlice(file.slice(answer.offset(), bytes), answer);
      } finally {
        server.budget().give(bytes);
      }
    }
  }

  /** The head goes with the first slice: until that has come, the answer may still be 500. */
  private boolean sendSlice(Completion<ContentSlice> read, FileAnswer answer) throws IOException {
    return switch (read) {
      case Completion.Failed<ContentSlice>(Failure failure) -> {
        storeFailed(failure, answer.begun());
        yield false;
      }
      case Completion.Done<ContentSlice>(ContentSlice slice) -> {
        try {
          Request asked = conversation.request();
          conversation.send(conversation.answers().before(answer, asked), null, slice);
          answer.leased(slice);
          ByteBuf behind = conversation.answers().behind(answer);
          if (behind != null) {
            conversation.send(behind);
          }
        } finally {
          slice.release();
        }
        yield true;
      }
    };
  }

  private void list(StorePath path) throws IOException {
    ListingResponse page =
        ListingResponse.of(
            path, conversation.request(), server.config().responses().listingPageEntries());
    if (page == null) {
      conversation.refuse(Refusal.NO_SUCH_PAGE);
      return;
    }
    if (!conversation.request().http11()) {
      conversation.makeLast(); // only the end tells an old client how long the page is
    }
    int bytes = ListingResponse.TYPICAL_PIECE_BYTES + page.heldBytes();
    boolean holds = page.heldBytes() > 0;
    boolean goesOn = true;
    while (goesOn && !page.ended()) {
      // What is held is taken with its first piece: if all who hold waited for more, none would go
      // on.
      server.budget().take(bytes);
      try {
        do {
          goesOn = sendPiece(page);
        } while (holds && goesOn && !page.ended());
      } finally {
        server.budget().give(bytes);
      }
    }
  }

  /** Has the page ask for what it needs until it has a piece; false if the answer is another. */
  private boolean bringPiece(ListingResponse page) throws IOException {
    while (!page.hasPiece()) {
      Completion<Unit> came = bring(page, page.ask());
      if (came instanceof Completion.Failed<Unit>(Failure failure)) {
        storeFailed(failure, page.begun());
        return false;
      }
      Refusal refusal = page.refusal();
      if (refusal != null) {
        conversation.refuse(refusal);
        return false;
      }
    }
    return true;
  }

  private Completion<Unit> bring(ListingResponse page, ListingAsk ask) {
    return switch (ask) {
      case ListingAsk.Names(Listing.Range range) ->
          site.names(page.directory(), range)
              .flatMap(
                  names -> {
                    page.arrived(names);
                    return Completion.done();
                  });
      case ListingAsk.Entries entries ->
          site.list(page.directory(), entries.afterName(), entries.limit())
              .flatMap(
                  arrived -> {
                    page.arrived(arrived);
                    return Completion.done();
                  });
      case ListingAsk.Held(SitePage piece) -> {
        page.arrived(piece);
        yield Completion.done();
      }
    };
  }

  private boolean sendPiece(ListingResponse page) throws IOException {
    if (!bringPiece(page)) {
      return false;
    }
    for (StorePath link = page.nextLink(); link != null; link = page.nextLink()) {
      page.followed(
          site.follow(link) instanceof Completion.Done<LinkTarget>(LinkTarget to)
              ? to
              : LinkTarget.UNKNOWN);
    }
    Request asked = conversation.request();
    if (!page.begun() && asked.refusesPages()) {
      conversation.refuse(Refusal.PAGE_WITHOUT_VERSION);
      return false;
    }
    ByteBuf head = page.begun() ? null : conversation.answers().pageHead(page, asked);
    if (asked.head()) {
      conversation.send(Invariants.present(head, "head of a page"));
      return false;
    }
    conversation.send(head, conversation.answers().piece(page), null);
    return true;
  }

  private void storeFailed(Failure failure, boolean begun) throws IOException {
    if (begun) {
      conversation.breakOff();
    } else {
      conversation.refuse(Refusal.of(failure));
    }
  }
}
