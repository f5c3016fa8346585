package dev.upcall.httpd.answer;

import dev.upcall.FileInfo;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.listing.ListingResponse;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.RequestTarget;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of responses but for the content of files, counted by status when they are made: all
 * that a server says, whoever sends it. The buffers pass to the caller. One thread at a time.
 */
public final class Answers {
  private final ResponseEncoder encoder;
  private final Consumer<Status> counted;
  private final IntFunction<ByteBuf> buffers;

  /**
   * Has said nothing.
   *
   * @param encoder writes heads
   * @param counted hears of each status
   * @param buffers where so many bytes go
   */
  public Answers(ResponseEncoder encoder, Consumer<Status> counted, IntFunction<ByteBuf> buffers) {
    this.encoder = encoder;
    this.counted = counted;
    this.buffers = buffers;
  }

  /** A whole response that says why there is no other. */
  public ByteBuf refusal(Refusal refusal, Request request) {
    counted.accept(refusal.status());
    return encoder.refusal(refusal, request, buffers);
  }

  /** The whole answer to a DELETE: what was asked for is gone. */
  public ByteBuf deleted(Request request) {
    counted.accept(Status.NO_CONTENT);
    return encoder.deleted(request, buffers);
  }

  /** The whole answer to OPTIONS. */
  public ByteBuf options(Request request) {
    counted.accept(Status.NO_CONTENT);
    return encoder.options(request, buffers);
  }

  /** Leave to send the body of a request. */
  public ByteBuf proceed() {
    counted.accept(Status.CONTINUE);
    return encoder.proceed(buffers);
  }

  /** Something of a resumable upload: a whole answer, or one that others follow. */
  public ByteBuf upload(UploadAnswer answer, Request request) {
    counted.accept(answer.status());
    return encoder.upload(answer, request, buffers);
  }

  /**
   * The whole answer to the request that ends a resumable upload.
   *
   * @param made whether nothing was there before
   */
  public ByteBuf uploaded(boolean made, FileInfo file, Request request) {
    Status status = made ? Status.CREATED : Status.NO_CONTENT;
    counted.accept(status);
    return encoder.stored(status, UploadAnswer.OVER, file, request, buffers);
  }

  /** The whole answer to a PUT or PATCH: a first version is a file that it has made. */
  public ByteBuf stored(FileInfo file, Request request) {
    Status status = file.version() == 1 ? Status.CREATED : Status.NO_CONTENT;
    counted.accept(status);
    return encoder.stored(status, "", file, request, buffers);
  }

  /** A whole page that was made for this request. */
  public ByteBuf page(GeneratedResponse page, Request request) {
    counted.accept(page.status());
    return encoder.page(page, request, buffers);
  }

  /** A whole redirect to the target with a slash at its end. */
  public ByteBuf redirect(RequestTarget target, Request request) {
    counted.accept(Status.MOVED_PERMANENTLY);
    return encoder.redirect(target.asDirectory(), request, buffers);
  }

  /** The head of a file, or the whole of its 304. */
  public ByteBuf fileHead(FileAnswer file, Request request) {
    counted.accept(file.status());
    return encoder.file(file, request, buffers);
  }

  /**
   * The bytes sent before the next slice of a file: its head before the first one, until which the
   * answer may still be 500, and what separates several ranges; null for nothing.
   */
  public @Nullable ByteBuf before(FileAnswer file, Request request) {
    if (!file.begun()) {
      return fileHead(file, request);
    }
    return framed(file.partHead());
  }

  /** The bytes sent behind the slice of a file that was leased last; null for nothing. */
  public @Nullable ByteBuf behind(FileAnswer file) {
    return framed(file.partsEnd());
  }

  private @Nullable ByteBuf framed(byte @Nullable [] bytes) {
    return bytes == null ? null : buffers.apply(bytes.length).writeBytes(bytes);
  }

  /** A whole 416, which says how many bytes there are. */
  public ByteBuf rangeRefused(FileAnswer file, Request request) {
    counted.accept(file.status());
    return encoder.rangeRefused(file.info().sizeBytes(), request, buffers);
  }

  /** The head of a directory's page. */
  public ByteBuf pageHead(ListingResponse page, Request request) {
    counted.accept(Status.OK);
    return encoder.page(page.query().json(), request, buffers);
  }

  /** A piece of a directory's page. */
  public ByteBuf piece(ListingResponse page) {
    return page.render(buffers);
  }
}
