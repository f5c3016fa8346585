package dev.upcall.fileman.trees;

import dev.upcall.Existence;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.fileman.trees.TransferRun.Outcome;
import dev.upcall.request.FileRequest;
import dev.upcall.trees.Present;
import dev.upcall.trees.TreeEntry;
import java.util.List;

/** Files that share their blocks with those that they are made of. */
final class BlockClones implements CopySteps {
  private final Existence existence;

  BlockClones(Present present) {
    this.existence = present == Present.REPLACE ? Existence.ANY : Existence.MUST_NOT_EXIST;
  }

  @Override
  public ImportStep file(TreeEntry source, StorePath target) {
    MetadataChange change =
        MetadataChange.NONE
            .withModifiedNanos(source.info().times().modifiedNanos())
            .withAttribute(ImportMark.ATTRIBUTE, new byte[0]);
    return ImportStep.ready(
        source.path().toString(),
        Outcome.FILE,
        List.of(
            new FileRequest.Clone(source.path(), target, existence),
            new FileRequest.SetMetadata(target, LinkPolicy.NO_FOLLOW, change)));
  }
}
