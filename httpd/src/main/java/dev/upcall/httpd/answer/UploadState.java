package dev.upcall.httpd.answer;

import dev.upcall.Existence;
import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.FileVersion;
import dev.upcall.StorePath;
import dev.upcall.httpd.message.DigestFields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of an unfinished upload besides its bytes and media type, kept as an attribute of its
 * file. The path that it is for is in the name by which clients call it; of that a digest is kept,
 * so that nobody brings the bytes elsewhere.
 *
 * @param target the first bytes of the digest of the path
 * @param client the same of the address that has begun it
 * @param length of the whole file, or {@link #UNKNOWN}
 * @param liveNanos how long the file is to live, or 0 for ever
 * @param condition under which it is made or replaced
 */
public record UploadState(
    long target, long client, long length, long liveNanos, FileCondition condition) {
  /** The name of the attribute. */
  public static final String ATTRIBUTE = "resumable-upload";

  /** A length that nobody has told. */
  public static final long UNKNOWN = -1;

  /** How many entity tags a condition may name: attributes are small. */
  public static final int MAX_TAGS = 4;

  private static final byte FORM = 1;
  private static final int FIXED_BYTES = 1 + 4 * Long.BYTES + 1 + 2 + 1 + Long.BYTES;

  /** Whether a condition can be kept. */
  public static boolean holds(FileCondition condition) {
    return condition.anyOf().map(List::size).orElse(0) + condition.noneOf().size() <= MAX_TAGS;
  }

  /** A digest that tells paths and addresses apart. */
  public static long digest(String text) {
    return ByteBuffer.wrap(
            DigestFields.digest("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)))
        .getLong();
  }

  /** The state of a file, if it is an unfinished upload for that path. */
  public static @Nullable UploadState of(FileInfo file, StorePath path) {
    UploadState state = of(file);
    return state != null && state.target == digest(path.toString()) ? state : null;
  }

  /** The same for whatever path. */
  public static @Nullable UploadState of(FileInfo file) {
    byte[] kept = file.attributes().get(ATTRIBUTE);
    return kept == null || kept.length < FIXED_BYTES || kept[0] != FORM
        ? null
        : decoded(ByteBuffer.wrap(kept).position(1));
  }

  /** The same with a length. */
  public UploadState withLength(long bytes) {
    return new UploadState(target, client, bytes, liveNanos, condition);
  }

  /** When the file that becomes of it is to be gone. */
  public Expiry expiry() {
    return liveNanos == 0 ? Expiry.NEVER : new Expiry.After(liveNanos);
  }

  /** The value of the attribute. */
  public byte[] encoded() {
    List<FileVersion> anyOf = condition.anyOf().orElse(List.of());
    List<FileVersion> noneOf = condition.noneOf();
    ByteBuffer out =
        ByteBuffer.allocate(FIXED_BYTES + 2 * Long.BYTES * (anyOf.size() + noneOf.size()));
    out.put(FORM).putLong(target).putLong(client).putLong(length).putLong(liveNanos);
    out.put(
        switch (condition.existence()) {
          case ANY -> (byte) 0;
          case MUST_EXIST -> (byte) 1;
          case MUST_NOT_EXIST -> (byte) 2;
        });
    out.put((byte) (condition.anyOf().isPresent() ? anyOf.size() : -1));
    out.put((byte) noneOf.size());
    out.put((byte) (condition.unmodifiedSinceNanos().isPresent() ? 1 : 0));
    out.putLong(condition.unmodifiedSinceNanos().orElse(0));
    for (List<FileVersion> versions : List.of(anyOf, noneOf)) {
      for (FileVersion version : versions) {
        out.putLong(version.id()).putLong(version.version());
      }
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private static @Nullable UploadState decoded(ByteBuffer in) {
    long target = in.getLong();
    long client = in.getLong();
    long length = in.getLong();
    long liveNanos = in.getLong();
    Existence existence =
        switch (in.get()) {
          case 1 -> Existence.MUST_EXIST;
          case 2 -> Existence.MUST_NOT_EXIST;
          default -> Existence.ANY;
        };
    int anyOf = in.get();
    int noneOf = in.get();
    boolean since = in.get() == 1;
    long sinceNanos = in.getLong();
    if (noneOf < 0 || in.remaining() != 2 * Long.BYTES * (Math.max(0, anyOf) + noneOf)) {
      return null;
    }
    return new UploadState(
        target,
        client,
        length,
        liveNanos,
        new FileCondition(
            existence,
            anyOf < 0 ? Optional.empty() : Optional.of(versions(in, anyOf)),
            versions(in, noneOf),
            since ? OptionalLong.of(sinceNanos) : OptionalLong.empty(),
            false));
  }

  private static List<FileVersion> versions(ByteBuffer in, int count) {
    List<FileVersion> versions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      versions.add(new FileVersion(in.getLong(), in.getLong()));
    }
    return versions;
  }
}
