package dev.upcall.fileman.trees;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileRequest;
import dev.upcall.LinkPolicy;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallReads;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.trees.ImportStep.Prepared;
import dev.upcall.trees.Present;
import dev.upcall.trees.TreeEntry;
import java.io.IOException;

/** Files with bytes of their own: small ones ride in a batch, larger ones are staged before. */
final class ByteCopies implements CopySteps {
  private static final int SMALL_BYTES = 64 << 10;

  private final UpcallReads from;
  private final Upcall to;
  private final FileCondition condition;
  private final TransferRun run;

  ByteCopies(UpcallReads from, Upcall to, Present present, TransferRun run) {
    this.from = from;
    this.to = to;
    this.condition =
        present == Present.REPLACE
            ? FileCondition.NONE
            : FileCondition.of(Existence.MUST_NOT_EXIST);
    this.run = run;
  }

  @Override
  public Prepared file(TreeEntry source, StorePath target) throws IOException {
    try (Upcall.ReadStream version = from.read(source.path());
        MeteredInput input = new MeteredInput(version, run.progress(), run::check)) {
      PutOptions options =
          PutOptions.DEFAULT
              .withCondition(condition)
              .withLinks(LinkPolicy.NO_FOLLOW)
              .withMetadata(CopySteps.metadata(version.info()));
      if (version.info().sizeBytes() <= SMALL_BYTES) {
        byte[] bytes = input.readAllBytes();
        FileContent content = new FileContent.Bytes(bytes);
        return Prepared.ofFile(
            new FileRequest.Put(target, content, options), bytes.length, bytes.length, 0);
      }
      StagedContent staged = to.stage(input);
      FileContent content = new FileContent.Staged(staged);
      return Prepared.ofFile(
          new FileRequest.Put(target, content, options), staged.sizeBytes(), 0, 0);
    }
  }
}
