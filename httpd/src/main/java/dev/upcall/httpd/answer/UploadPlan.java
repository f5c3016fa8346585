package dev.upcall.httpd.answer;

import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MediaTypes;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.config.Compression;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.SitePage;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.message.ChangeRequest;
import dev.upcall.httpd.message.ResumableAsk;
import dev.upcall.request.FileRequest;
import dev.upcall.request.Resolved;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request about an upload that may come in several: which upload it is, what was found of it,
 * what the store is to do, and what is said. Section numbers are those of the draft. One thread at
 * a time.
 */
public final class UploadPlan {
  private static final int ID_BYTES = 16;
  private static final byte[] NOTHING = {};

  /** There is no such upload for this path. */
  public static final Refusal MISSING =
      new Refusal(Status.NOT_FOUND, "no such upload is unfinished");

  /** There are too many already. */
  public static final Refusal TOO_MANY =
      new Refusal(
          Status.SERVICE_UNAVAILABLE,
          "too many uploads are unfinished: finish or cancel some, or try again");

  private static final Refusal TOO_MANY_TAGS =
      new Refusal(
          Status.BAD_REQUEST,
          "a resumable upload keeps at most %d entity tags of its condition"
              .formatted(UploadState.MAX_TAGS));
  private static final Refusal OVERTAKEN =
      new Refusal(Status.CONFLICT, "another request has gone on with this upload");

  private final ResumableUploads limits;
  private final long maxBytes;
  private final StorePath target;
  private final ResumableAsk ask;
  private String id;
  private @Nullable UploadState state;
  private @Nullable FileInfo file;
  private Optional<Compression> choice = Optional.empty();
  private boolean plain;

  /**
   * Where a PUT would make its file.
   *
   * @param way leads there
   * @param like the file that is there, else the directory that hands down to a new one
   */
  public record Place(Resolved way, FileInfo like) {}

  /** Nothing was found yet. */
  public UploadPlan(HttpConfig config, StorePath target, ResumableAsk ask) {
    this.limits = config.policy().resumable().orElseThrow();
    this.maxBytes = config.requests().maxBodyBytes();
    this.target = target;
    this.ask = ask;
    this.id = ask.id() == null ? "" : ask.id();
  }

  /** The file of the upload. */
  public StorePath path() {
    return ResumableUploads.PLACE.child(id);
  }

  /** Whether its client can have been told of such an upload. */
  public boolean isNamed() {
    return id.length() == 2 * ID_BYTES && id.chars().allMatch(HexFormat::isHexDigit);
  }

  /** How many bytes are part of it; durable once a change that waits has said so. */
  public long offset() {
    return present(file).sizeBytes();
  }

  private static <T> T present(@Nullable T value) {
    return Invariants.present(value, "an upload that was found");
  }

  /** Takes what the store has found or left of it; why the request ends, or null. */
  public @Nullable Refusal found(Completion<FileInfo> looked) {
    return switch (looked) {
      case Completion.Failed<FileInfo>(Failure failure) ->
          failure instanceof Failure.NotFound ? MISSING : Refusal.of(failure);
      case Completion.Done<FileInfo>(FileInfo found) -> {
        state = UploadState.of(found, target);
        file = found;
        yield state == null ? MISSING : null;
      }
    };
  }

  // ------------------------------------------------------------------ before a body

  /** Why one cannot begin, whatever others there are; null if it can. */
  public @Nullable UploadAnswer refusesToBegin(ChangeRequest change, long nowNanos) {
    return UploadState.holds(change.condition())
        ? refuses(0, UploadState.UNKNOWN, change, nowNanos)
        : UploadAnswer.refused(TOO_MANY_TAGS, "");
  }

  /** Why the request cannot go on with the upload that was found; null if it can. */
  public @Nullable UploadAnswer refusesToGoOn(ChangeRequest change, long nowNanos) {
    long provided = ask.offset().orElseThrow();
    return provided == offset()
        ? refuses(offset(), present(state).length(), change, nowNanos)
        : UploadAnswer.otherOffset(offset(), provided);
  }

  /** The length of the file that the request tells in either way (4.1.3), or that it does not. */
  private long length(long offset, ChangeRequest change) {
    long body = change.sizeBytes();
    return ask.length().isPresent()
        ? ask.length().getAsLong()
        : ask.isLast() && body >= 0 ? offset + body : UploadState.UNKNOWN;
  }

  private @Nullable UploadAnswer refuses(
      long offset, long known, ChangeRequest change, long nowNanos) {
    long told = length(offset, change);
    long length = told == UploadState.UNKNOWN ? known : told;
    boolean ends = change.sizeBytes() >= 0;
    long end = ends ? offset + change.sizeBytes() : offset;
    boolean differs = known != UploadState.UNKNOWN && known != length;
    if (differs || isBeyond(end, length) || (ask.isLast() && ends && end != length)) {
      return UploadAnswer.otherLength();
    }
    return Math.max(end, length) > maxBytes ? tooLarge(nowNanos) : null;
  }

  private static boolean isBeyond(long end, long length) {
    return length != UploadState.UNKNOWN && end > length;
  }

  private UploadAnswer tooLarge(long nowNanos) {
    return UploadAnswer.refused(
        new Refusal(
            Status.CONTENT_TOO_LARGE,
            "the body is larger than %d bytes, the limit of an upload".formatted(maxBytes)),
        limitLines(nowNanos));
  }

  /**
   * Whether there may be one more beside what is there.
   *
   * @param others one page of uploads, and of pieces that are not yet joined to theirs or could not
   *     be deleted; these take room, too
   */
  public boolean mayBegin(List<SitePage.Entry> others, String address, ChangeRequest change) {
    long client = UploadState.digest(address);
    long bytes = Math.max(0, length(0, change));
    int all = 0;
    int ofClient = 0;
    for (SitePage.Entry other : others) {
      FileInfo info = other.info().orElse(null); // nothing where the volume is damaged
      UploadState its = info == null ? null : UploadState.of(info);
      all += info == null || its != null ? 1 : 0;
      bytes += info == null ? 0 : info.sizeBytes();
      if (info != null && its != null) {
        bytes += Math.max(0, its.length() - info.sizeBytes());
        ofClient += its.client() == client ? 1 : 0;
      }
    }
    return all < limits.max()
        && ofClient < limits.maxOfClient()
        && bytes <= limits.maxBytes()
        && others.size() < Listing.MAX_ENTRIES; // else there may be more
  }

  /** Content of a new upload is stored as that of a PUT would be there. */
  public void choose(Place place) {
    choice = place.like().compression();
  }

  /**
   * Whether a request was refused for a choice of compression that cannot be followed here. From
   * then on requests make none, since a PUT is stored plainly here.
   */
  public boolean storesPlainly(Completion<?> done) {
    boolean refused = !plain && done instanceof Completion.Failed<?>(Failure.Unsupported _);
    plain |= refused;
    return refused;
  }

  /**
   * Makes the file of a new upload, under a name that nobody can guess. Its place hands nothing
   * down.
   */
  public List<FileRequest> begin(ChangeRequest change, String address) {
    byte[] name = new byte[ID_BYTES];
    limits.random().nextBytes(name);
    id = HexFormat.of().formatHex(name);
    UploadState begun =
        new UploadState(
            UploadState.digest(target.toString()),
            UploadState.digest(address),
            length(0, change),
            change.expiry() instanceof Expiry.After(long nanos) ? nanos : 0,
            change.condition());
    MetadataChange metadata =
        change
            .putOptions()
            .metadata()
            .withAttribute(UploadState.ATTRIBUTE, begun.encoded())
            .withExpiry(Expiry.after(limits.maxAge()));
    PutOptions options =
        new PutOptions(
            FileCondition.ABSENT,
            Parents.MUST_EXIST,
            LinkPolicy.NO_FOLLOW,
            choice.filter(_ -> !plain).map(metadata::withCompression).orElse(metadata));
    StorePath place = ResumableUploads.PLACE;
    return List.of(
        new FileRequest.CreateDirectory(place, Parents.MAKE, MetadataChange.NONE),
        new FileRequest.SetMetadata(
            place, LinkPolicy.NO_FOLLOW, handedDown(Map.of()), FileCondition.PRESENT),
        new FileRequest.Put(path(), new FileContent.Bytes(NOTHING), options));
  }

  /** Notes a length that was not known before (4.1.3); null if there is none to note. */
  public @Nullable List<FileRequest> noting(ChangeRequest change) {
    long length = length(offset(), change);
    if (length == UploadState.UNKNOWN || length == present(state).length()) {
      return null;
    }
    byte[] known = present(state).withLength(length).encoded();
    return List.of(set(MetadataChange.NONE.withAttribute(UploadState.ATTRIBUTE, known), asItIs()));
  }

  /** Makes another version of the file, after which no request that came before changes it. */
  public List<FileRequest> overtaking() {
    return List.of(set(MetadataChange.NONE, FileCondition.PRESENT));
  }

  // ------------------------------------------------------------------ the body and behind it

  /** Why so many bytes more end it all; null if they may come. */
  public @Nullable UploadAnswer refusesMore(long bytes, long nowNanos) {
    long end = offset() + bytes;
    if (end > maxBytes) {
      return tooLarge(nowNanos);
    }
    return isBeyond(end, present(state).length()) ? UploadAnswer.otherLength() : null;
  }

  /** Whether all that was announced is there. */
  public boolean isWhole() {
    long length = present(state).length();
    return length == UploadState.UNKNOWN || length == offset();
  }

  /** The file of the bytes that are appended next; no other request has the same. */
  public StorePath piecePath() {
    return ResumableUploads.PLACE.child(id + '-' + Long.toHexString(present(file).version()));
  }

  /** How that is made. */
  public PutOptions pieceOptions() {
    PutOptions options = PutOptions.DEFAULT.withExpiry(Expiry.after(limits.maxAge()));
    return present(file)
        .compression()
        .filter(_ -> !plain)
        .map(options::withCompression)
        .orElse(options);
  }

  /** Appends what is in that file, which is gone then. */
  public List<FileRequest> joining(long bytes) {
    return List.of(
        new FileRequest.CopyRange(
            new FileRequest.Range(piecePath(), 0, bytes),
            path(),
            offset(),
            FileRequest.Placing.INSERT,
            asItIs()),
        new FileRequest.Delete(piecePath()),
        set(MetadataChange.NONE, FileCondition.PRESENT));
  }

  /** Moves the file to where a PUT would make it, and leaves it as a PUT would. */
  public List<FileRequest> completing(Place place, long nowNanos) {
    List<FileRequest> all = new ArrayList<>();
    StorePath to = place.way().fixed();
    if (to.names().size() > 1) {
      all.add(new FileRequest.CreateDirectory(to.parent(), Parents.MAKE, MetadataChange.NONE));
    }
    MetadataChange metadata =
        place
            .way()
            .info()
            .map(this::kept)
            .orElseGet(() -> handedDown(place.like().attributes()))
            .withModifiedNanos(nowNanos)
            .withExpiry(present(state).expiry())
            .withAttribute(UploadState.ATTRIBUTE, NOTHING);
    all.add(set(metadata, asItIs()));
    all.add(new FileRequest.Rename(path(), to, present(state).condition()));
    return all;
  }

  /** The metadata that stays of a file that a PUT replaces. */
  private MetadataChange kept(FileInfo before) {
    MetadataChange kept =
        handedDown(before.attributes())
            .withMode(before.mode())
            .withOwner(before.owner())
            .withCreatedNanos(before.times().createdNanos());
    for (Map.Entry<String, byte[]> each : before.attributes().entrySet()) {
      if (!each.getKey().equals(MediaTypes.ATTRIBUTE)
          && !MetadataChange.HANDED_DOWN.contains(each.getKey())) {
        kept = kept.withAttribute(each.getKey(), each.getValue());
      }
    }
    return kept;
  }

  /** Those of the attributes that directories hand down, and no others of that kind. */
  private MetadataChange handedDown(Map<String, byte[]> attributes) {
    MetadataChange change = MetadataChange.NONE;
    for (String name : MetadataChange.HANDED_DOWN) {
      if (!plain || !name.equals(Compression.ATTRIBUTE)) {
        change = change.withAttribute(name, attributes.getOrDefault(name, NOTHING));
      }
    }
    return change;
  }

  private FileRequest set(MetadataChange change, FileCondition condition) {
    return new FileRequest.SetMetadata(path(), LinkPolicy.NO_FOLLOW, change, condition);
  }

  /** That no other request has gone on with it. */
  public FileCondition asItIs() {
    return FileCondition.only(present(file).fileVersion());
  }

  // ------------------------------------------------------------------ answers

  /** That the client can come back (4.4.2). */
  public UploadAnswer begun(long nowNanos) {
    return UploadAnswer.begun(target, id, limitLines(nowNanos));
  }

  /** That a part has come that is not the last one (4.4.2, 4.6.2). */
  public UploadAnswer taken(long nowNanos) {
    return ask.id() == null
        ? UploadAnswer.created(target, id, offset(), limitLines(nowNanos))
        : UploadAnswer.appended(offset(), limitLines(nowNanos));
  }

  /** How much is there (4.5.2). */
  public UploadAnswer told(long nowNanos) {
    return UploadAnswer.found(offset(), present(state).length(), limitLines(nowNanos));
  }

  /** The answer when the store refuses a change of the upload. */
  public static Refusal refused(Failure failure) {
    return failure instanceof Failure.VersionMismatch || failure instanceof Failure.NotFound
        ? OVERTAKEN
        : Refusal.of(failure);
  }

  /** The answer when a PUT would be refused at this place. */
  public Refusal refusedThere(Failure failure) {
    return ChangeRequest.putRefused(present(state).condition(), failure);
  }

  /** The answer when the store refuses to complete it. */
  public UploadAnswer notCompleted(Failure failure, long nowNanos) {
    if (isOfUpload(failure)) {
      return UploadAnswer.refused(OVERTAKEN, limitLines(nowNanos));
    }
    Refusal refusal = refusedThere(failure);
    return refusal.status().code() < 500
        ? UploadAnswer.over(refusal)
        : UploadAnswer.refused(refusal, limitLines(nowNanos));
  }

  /** Whether what was not as expected is the upload, and not the place where it should go. */
  private boolean isOfUpload(Failure failure) {
    String own = path().toString();
    return switch (failure) {
      case Failure.VersionMismatch(String what, String _, String _) -> what.equals(own);
      case Failure.NotFound(String what) -> what.equals(own);
      default -> false;
    };
  }

  private String limitLines(long nowNanos) {
    long ageNanos =
        file == null ? limits.maxAge().toNanos() : file.times().expiresNanos() - nowNanos;
    return UploadAnswer.limits(maxBytes, ageNanos);
  }
}
