package dev.upcall.fileman.plan;

import dev.upcall.FileContent;
import dev.upcall.FileManagerConfig;
import dev.upcall.MetadataChange;
import dev.upcall.coding.Codecs;
import dev.upcall.completion.Failure;
import dev.upcall.config.Compression;
import dev.upcall.io.Disk;
import dev.upcall.request.Change;
import dev.upcall.request.FileRequest;
import dev.upcall.request.TableRequest;
import dev.upcall.segment.StagerConfig;
import java.util.List;
import java.util.Optional;

/**
 * Requests that happen as one: all or nothing, later ones see what earlier ones did, one commit.
 *
 * @param timeNanos the time of everything in it, nanoseconds since 1970
 * @param requests in order
 */
public record FileBatch(long timeNanos, List<FileRequest> requests) {
  private static final int INLINE_BYTES = StagerConfig.standard().inlineBytes();

  /** Copies the list. */
  public FileBatch {
    requests = Change.Batch.copy(requests);
  }

  /**
   * Why a batch is larger than the limits, or asks for what these codecs cannot do, if it is so.
   */
  public static Optional<Failure> refuses(
      FileManagerConfig limits, Codecs codecs, List<FileRequest> requests) {
    if (requests.size() > limits.maxBatchRequests()) {
      return Optional.of(
          new Failure.TooLarge(
              "the batch", requests.size(), limits.maxBatchRequests(), "requests"));
    }
    long bytes = stagingBytes(requests);
    if (bytes > limits.maxStagingBytes()) {
      return Optional.of(
          new Failure.TooLarge(
              "the content that a batch is given as bytes", bytes, limits.maxStagingBytes()));
    }
    for (FileRequest request : requests) {
      Optional<Failure> refused = refuses(codecs, request);
      if (refused.isPresent()) {
        return refused;
      }
    }
    return Optional.empty();
  }

  private static Optional<Failure> refuses(Codecs codecs, FileRequest request) {
    return switch (request) {
      case FileRequest.Put put -> refuses(codecs, put.options().metadata());
      case FileRequest.CreateDirectory create -> refuses(codecs, create.metadata());
      case FileRequest.SymbolicLink link -> refuses(codecs, link.metadata());
      case FileRequest.SetMetadata set -> refuses(codecs, set.change());
      case TableRequest.CreateTable create -> refuses(codecs, create.metadata());
      case FileRequest.Splice _,
          FileRequest.Delete _,
          FileRequest.DeleteTree _,
          FileRequest.Rename _,
          FileRequest.Clone _,
          FileRequest.CopyRange _,
          FileRequest.SetProperty _,
          FileRequest.RemoveProperty _,
          TableRequest _ ->
          Optional.empty();
    };
  }

  /** Why metadata cannot be set by a program with these codecs, if it cannot. */
  public static Optional<Failure> refuses(Codecs codecs, MetadataChange change) {
    return Compression.of(change.attributes()).flatMap(codecs::refuses);
  }

  /**
   * The memory that the content given as bytes takes: what does not live in an inode, in blocks.
   */
  public static long stagingBytes(List<FileRequest> requests) {
    long bytes = 0;
    for (FileRequest request : requests) {
      bytes +=
          switch (request) {
            case FileRequest.Put(_, FileContent.Bytes(byte[] content), _) ->
                content.length <= INLINE_BYTES ? content.length : wholeBlocks(content.length);
            case FileRequest.Splice splice -> wholeBlocks(splice.bytes().length);
            case FileRequest.Put _,
                FileRequest.CreateDirectory _,
                FileRequest.SymbolicLink _,
                FileRequest.Delete _,
                FileRequest.DeleteTree _,
                FileRequest.Rename _,
                FileRequest.Clone _,
                FileRequest.CopyRange _,
                FileRequest.SetMetadata _,
                FileRequest.SetProperty _,
                FileRequest.RemoveProperty _,
                TableRequest _ ->
                0;
          };
    }
    return bytes;
  }

  private static long wholeBlocks(int bytes) {
    return (bytes + Disk.BLOCK_BYTES - 1L) / Disk.BLOCK_BYTES * Disk.BLOCK_BYTES;
  }
}
