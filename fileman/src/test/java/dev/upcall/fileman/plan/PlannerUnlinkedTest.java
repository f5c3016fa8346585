package dev.upcall.fileman.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.request.FileRequest;
import org.junit.jupiter.api.Test;

/** The directory for files that have lost their names takes nothing else, by whatever way. */
class PlannerUnlinkedTest extends PlannerFixture {
  private static final String HIDDEN = StorePath.UNLINKED.toString();

  private static void refused(Completion<?> completion) {
    failed(Failure.Invalid.class, completion);
    Failure failure = ((Completion.Failed<?>) completion).failure();
    assertTrue(failure.message().contains("choose another name"), failure.message());
  }

  private String unlinked(FileInfo file) {
    String name = HIDDEN + "/" + Long.toHexString(file.id());
    done(rename("/" + file.name(), name, Existence.MUST_NOT_EXIST));
    return name;
  }

  @Test
  void plan_makingTheDirectory_isRefused() {
    put("/file", "text");
    directory("/directory");
    link("/root", "/");
    link("/to", HIDDEN);
    for (String way : new String[] {HIDDEN, "/root" + HIDDEN}) {
      refused(put(way, "text", PutOptions.DEFAULT));
      refused(put(way, "text", PutOptions.WITH_PARENTS));
      refused(put(way + "/x", "text", PutOptions.WITH_PARENTS));
      refused(run(mkdir(way, false)));
      refused(run(mkdir(way, true)));
      refused(run(mkdir(way + "/x/y", true)));
      refused(run(new FileRequest.SymbolicLink(path(way), "x", MetadataChange.NONE)));
      refused(run(new FileRequest.Clone(path("/file"), path(way), FileCondition.NONE)));
      refused(rename("/file", way, Existence.ANY));
      refused(rename("/directory", way, Existence.ANY));
    }
    refused(put("/to", "text", PutOptions.DEFAULT));
    refused(put("/to/x", "text", PutOptions.WITH_PARENTS));
    refused(rename("/file", HIDDEN + "/file", Existence.ANY));
    refused(rename("/directory", HIDDEN + "/1", Existence.ANY));
  }

  @Test
  void plan_entryOfTheDirectory_isRefusedUnlessAFileComesUnderItsId() {
    String there = unlinked(put("/gone", "gone"));
    put("/file", "text");
    link("/to", HIDDEN);
    StorePath byId = value(StorePath.parse(stat(HIDDEN).id(), "x"));
    refused(run(new FileRequest.CreateDirectory(byId, Parents.MAKE, NONE)));
    for (String way : new String[] {HIDDEN + "/x", "/to/x"}) {
      refused(put(way, "text", PutOptions.DEFAULT));
      refused(run(mkdir(way, false)));
      refused(run(new FileRequest.SymbolicLink(path(way), "x", NONE)));
      refused(run(new FileRequest.Clone(path("/file"), path(way), FileCondition.NONE)));
      refused(rename("/file", way, Existence.ANY));
      refused(rename(there, way, Existence.ANY));
    }
  }

  private static final MetadataChange NONE = MetadataChange.NONE;

  @Test
  void plan_whatLiesInTheDirectory_canBeTakenOut() {
    String there = unlinked(put("/gone", "gone"));
    done(rename(there, "/back", Existence.MUST_NOT_EXIST));
    done(run(new FileRequest.Delete(path(HIDDEN))));
    assertEquals("back", stat("/back").name());
  }

  @Test
  void plan_sameNameElsewhere_isMade() {
    directory("/directory");
    put("/directory" + HIDDEN, "text");
    put("/directory/.upcall-unlinked2", "text");
  }
}
