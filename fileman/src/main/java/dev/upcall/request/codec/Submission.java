package dev.upcall.request.codec;

import dev.upcall.FileContent;
import dev.upcall.StorePath;
import dev.upcall.config.Limits;
import dev.upcall.request.FileRequest;
import dev.upcall.request.TableRequest;
import java.util.List;
import java.util.Objects;

/**
 * A change that a program hands over, to be made once: requests that are made together, or bytes
 * for one place of a file. {@link RequestEncoder} writes it.
 */
public sealed interface Submission {
  /** The most requests that are made together. */
  int MAX_REQUESTS = 4096;

  /** Requests that are made together. */
  static Submission of(FileRequest... requests) {
    return new Changes(List.of(Objects.requireNonNull(requests, "requests")));
  }

  /** The bytes of all contents and values in it, and of the content that follows it. */
  long contentBytes();

  /** The bytes of content that follow what the encoder writes. */
  default long followingBytes() {
    return 0;
  }

  /** Its purpose, in a few words for messages. */
  String purpose();

  /**
   * All of them or none; later ones see what earlier ones did.
   *
   * @param requests 1 to {@link #MAX_REQUESTS}. Contents are given as bytes; of a put alone they
   *     may be {@link FileContent.Following}
   */
  record Changes(List<FileRequest> requests) implements Submission {
    /** Copies the list and checks it. */
    public Changes {
      requests = List.copyOf(Objects.requireNonNull(requests, "requests"));
      Limits.within("requests of a submission", requests.size(), 1, MAX_REQUESTS);
      for (FileRequest request : requests) {
        if (request instanceof FileRequest.Put put) {
          Limits.require(
              put.content() instanceof FileContent.Bytes
                  || put.content() instanceof FileContent.Following && requests.size() == 1,
              "the content of " + put.purpose() + " must be given as bytes");
        }
      }
    }

    @Override
    public long contentBytes() {
      return requests.stream().mapToLong(Changes::contentBytes).sum();
    }

    @Override
    public long followingBytes() {
      return requests.getFirst() instanceof FileRequest.Put put
              && put.content() instanceof FileContent.Following(long bytes)
          ? bytes
          : 0;
    }

    @Override
    public String purpose() {
      return requests.size() == 1
          ? requests.getFirst().purpose()
          : "batch of " + requests.size() + " requests";
    }

    private static long contentBytes(FileRequest request) {
      return switch (request) {
        case FileRequest.Put put -> put.content().sizeBytes();
        case FileRequest.Splice splice -> splice.bytes().length;
        case FileRequest.SetProperty set -> set.value().length;
        case TableRequest table -> table.valueBytes();
        case FileRequest.CreateDirectory _,
            FileRequest.SymbolicLink _,
            FileRequest.Delete _,
            FileRequest.DeleteTree _,
            FileRequest.Rename _,
            FileRequest.Clone _,
            FileRequest.CopyRange _,
            FileRequest.SetMetadata _,
            FileRequest.RemoveProperty _ ->
            0;
      };
    }
  }

  /**
   * Writes a range of a file that is there; what lies between its end and the range is zeros.
   *
   * @param bytes must not be changed
   */
  record Write(StorePath path, long offset, byte[] bytes) implements Submission {
    /** Checks the range. */
    public Write {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(bytes, "bytes");
      Limits.within("offset", offset, 0, FileRequest.MAX_FILE_BYTES - bytes.length);
    }

    @Override
    public long contentBytes() {
      return bytes.length;
    }

    @Override
    public String purpose() {
      return "write %s at %d".formatted(path, offset);
    }
  }

  /**
   * Writes at the end of a file, which is made if it is missing.
   *
   * @param bytes must not be changed
   */
  record Append(StorePath path, byte[] bytes) implements Submission {
    /** Checks that nothing is missing. */
    public Append {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(bytes, "bytes");
    }

    @Override
    public long contentBytes() {
      return bytes.length;
    }

    @Override
    public String purpose() {
      return "append " + path;
    }
  }
}
