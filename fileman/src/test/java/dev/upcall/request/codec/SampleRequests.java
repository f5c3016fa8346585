package dev.upcall.request.codec;

import dev.upcall.Existence;
import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileVersion;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.TableRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Requests of each kind, with all that each can say. */
public final class SampleRequests {
  private static final FileCondition CONDITION =
      new FileCondition(
          Existence.MUST_EXIST,
          Optional.of(List.of(new FileVersion(5, 6), new FileVersion(-1, Long.MAX_VALUE))),
          List.of(new FileVersion(7, 300)),
          OptionalLong.of(-1_000_000),
          true);

  private static final MetadataChange METADATA =
      MetadataChange.NONE
          .withMode(0640)
          .withOwner(1000L << 32 | 1000)
          .withCreatedNanos(1_700_000_000_000_000_000L)
          .withModifiedNanos(-1)
          .withExpiry(Expiry.NEVER)
          .withAttribute("type", new byte[] {1, 2})
          .withAttribute("é", new byte[0]);

  private static final StorePath FROM_DIRECTORY =
      UpcallException.value(StorePath.parse(77, "../x"));

  private SampleRequests() {}

  /** At least one of each kind. */
  public static List<FileRequest> all() {
    return Stream.concat(ofFiles().stream(), ofTables().stream()).toList();
  }

  private static List<FileRequest> ofTables() {
    byte[] key = {0, (byte) 0xff};
    return List.of(
        new TableRequest.CreateTable("/t"),
        new TableRequest.CreateTable(FROM_DIRECTORY, Parents.MAKE, METADATA),
        new TableRequest.PutEntry("/t", key, new byte[] {1, 2}),
        new TableRequest.PutEntry("/t", new byte[288], new byte[0], Expect.ABSENT),
        new TableRequest.PutEntry("/t", key, new byte[] {3}, Expect.value(new byte[] {1, 2})),
        new TableRequest.RemoveEntry("/t", key),
        new TableRequest.RemoveEntry("/t", key, Expect.PRESENT),
        new TableRequest.RemoveRange("/t", KeyRange.ALL),
        new TableRequest.RemoveRange("/t", new KeyRange(key, new byte[] {1}), 300),
        new FileRequest.Put(StorePath.of("/t").entry(key), new FileContent.Bytes(new byte[] {4})));
  }

  private static List<FileRequest> ofFiles() {
    return List.of(
        new FileRequest.Put("/a/b", new FileContent.Bytes(new byte[] {1, 2, 3})),
        new FileRequest.Put(
            "/é",
            new FileContent.Bytes(new byte[0]),
            new PutOptions(
                CONDITION,
                Parents.MAKE,
                LinkPolicy.NO_FOLLOW,
                METADATA.withExpiry(new Expiry.After(300)))),
        new FileRequest.CreateDirectory("/d"),
        new FileRequest.CreateDirectory(FROM_DIRECTORY, Parents.MAKE, METADATA),
        new FileRequest.SymbolicLink("/link", "../a//b"),
        new FileRequest.SymbolicLink("/link", "x", METADATA),
        new FileRequest.Delete("/a"),
        new FileRequest.Delete(FROM_DIRECTORY, CONDITION),
        new FileRequest.DeleteTree("/tree", FileCondition.ABSENT),
        new FileRequest.Rename("/from", "/to", CONDITION),
        new FileRequest.Clone("/from", "/to", Existence.MUST_NOT_EXIST),
        new FileRequest.Splice("/s", 1L << 40, 300, new byte[] {9}, CONDITION),
        new FileRequest.CopyRange(
            FileRequest.Range.all("/from"), "/to", 5, FileRequest.Placing.INSERT),
        new FileRequest.CopyRange(
            new FileRequest.Range("/from", 1, 2),
            "/to",
            0,
            FileRequest.Placing.OVERWRITE,
            CONDITION),
        new FileRequest.SetMetadata("/a", LinkPolicy.FOLLOW, MetadataChange.NONE),
        new FileRequest.SetMetadata(
            "/a", LinkPolicy.NO_FOLLOW, METADATA.withExpiry(new Expiry.At(1)), CONDITION),
        new FileRequest.SetProperty("program.state", new byte[] {4}),
        new FileRequest.RemoveProperty("program.state"));
  }

  /** Each of them alone, all of them together, and those of ranges; what is newer is behind. */
  public static List<Submission> submissions() {
    List<Submission> submissions = new ArrayList<>();
    ofFiles().forEach(request -> submissions.add(Submission.of(request)));
    submissions.add(new Submission.Changes(ofFiles()));
    submissions.add(new Submission.Write(StorePath.of("/w"), 1L << 40, new byte[] {1, 2}));
    submissions.add(new Submission.Append(StorePath.of("/log"), new byte[0]));
    ofTables().forEach(request -> submissions.add(Submission.of(request)));
    submissions.add(new Submission.Changes(ofTables()));
    return submissions;
  }
}
