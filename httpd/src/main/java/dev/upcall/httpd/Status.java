package dev.upcall.httpd;

import dev.upcall.completion.Failure;
import java.util.Objects;

/** The statuses that this server sends. */
public enum Status {
  /** The body of a request may be sent. */
  CONTINUE(100, "Continue"),
  /** An upload that is interrupted can be resumed, or so much of it is there. */
  UPLOAD_RESUMPTION_SUPPORTED(104, "Upload Resumption Supported"),
  /** The thing asked for follows. */
  OK(200, "OK"),
  /** A file was made, durably. */
  CREATED(201, "Created"),
  /** A file was replaced or something deleted, durably. */
  NO_CONTENT(204, "No Content"),
  /** The part of a file that was asked for follows. */
  PARTIAL_CONTENT(206, "Partial Content"),
  /** A directory was named without its slash. */
  MOVED_PERMANENTLY(301, "Moved Permanently"),
  /** The client's copy is the present one. */
  NOT_MODIFIED(304, "Not Modified"),
  /** Not HTTP, or a path that no store can have. */
  BAD_REQUEST(400, "Bad Request"),
  /** Nobody is known to ask, and somebody has to be. */
  UNAUTHORIZED(401, "Unauthorized"),
  /** The caller may not do this, whether or not there is anything. */
  FORBIDDEN(403, "Forbidden"),
  /** Nothing has this name. */
  NOT_FOUND(404, "Not Found"),
  /** A method that HTTP knows and that this resource does not have. */
  METHOD_NOT_ALLOWED(405, "Method Not Allowed"),
  /** The head or body of the request did not come in time. */
  REQUEST_TIMEOUT(408, "Request Timeout"),
  /** Somebody else changed it first, or it is of another kind. */
  CONFLICT(409, "Conflict"),
  /** A body whose end only the end of the connection would show. */
  LENGTH_REQUIRED(411, "Length Required"),
  /** A condition of the request does not hold. */
  PRECONDITION_FAILED(412, "Precondition Failed"),
  /** The content is larger than a limit. */
  CONTENT_TOO_LARGE(413, "Content Too Large"),
  /** The request line is longer than a limit. */
  URI_TOO_LONG(414, "URI Too Long"),
  /** A body in a coding that could not be told apart later. */
  UNSUPPORTED_MEDIA_TYPE(415, "Unsupported Media Type"),
  /** The file has none of the bytes that were asked for. */
  RANGE_NOT_SATISFIABLE(416, "Range Not Satisfiable"),
  /** The client expects what this server does not know. */
  EXPECTATION_FAILED(417, "Expectation Failed"),
  /** The Host field names none of this server's names. */
  MISDIRECTED_REQUEST(421, "Misdirected Request"),
  /** A body that can be read and not be done to what is there. */
  UNPROCESSABLE_CONTENT(422, "Unprocessable Content"),
  /** A change that has to name the version that it is made for. */
  PRECONDITION_REQUIRED(428, "Precondition Required"),
  /** The header section is larger than a limit. */
  HEADER_FIELDS_TOO_LARGE(431, "Request Header Fields Too Large"),
  /** The store could not read what it holds. */
  INTERNAL_SERVER_ERROR(500, "Internal Server Error"),
  /** A method or transfer coding that this server does not know. */
  NOT_IMPLEMENTED(501, "Not Implemented"),
  /** Too many connections or requests, or the server is closing. */
  SERVICE_UNAVAILABLE(503, "Service Unavailable"),
  /** A major version of HTTP other than 1. */
  VERSION_NOT_SUPPORTED(505, "HTTP Version Not Supported"),
  /** The volume is full. */
  INSUFFICIENT_STORAGE(507, "Insufficient Storage");

  private final int code;
  private final String reason;

  Status(int code, String reason) {
    this.code = code;
    this.reason = reason;
  }

  /** The three digits. */
  public int code() {
    return code;
  }

  /** The words behind them. */
  public String reason() {
    return reason;
  }

  /** The one table from a store's expected outcomes to what a client is told. */
  public static Status of(Failure failure) {
    Objects.requireNonNull(failure, "failure");
    return switch (failure) {
      case Failure.NotFound f -> NOT_FOUND;
      case Failure.NotADirectory f -> NOT_FOUND;
      case Failure.LinkLoop f -> NOT_FOUND;
      case Failure.IsADirectory f -> CONFLICT;
      case Failure.AlreadyExists f -> CONFLICT;
      case Failure.DirectoryNotEmpty f -> CONFLICT;
      case Failure.Conflict f -> CONFLICT;
      case Failure.VersionMismatch f -> PRECONDITION_FAILED;
      case Failure.Invalid f -> BAD_REQUEST;
      case Failure.TooLarge f -> CONTENT_TOO_LARGE;
      case Failure.VolumeFull f -> INSUFFICIENT_STORAGE;
      case Failure.Busy f -> SERVICE_UNAVAILABLE;
      case Failure.Closed f -> SERVICE_UNAVAILABLE;
      case Failure.Deadlock f -> SERVICE_UNAVAILABLE;
      case Failure.LockTimeout f -> SERVICE_UNAVAILABLE;
      case Failure.Cancelled f -> SERVICE_UNAVAILABLE;
      case Failure.ReadOnly f -> SERVICE_UNAVAILABLE;
      case Failure.Corrupt f -> INTERNAL_SERVER_ERROR;
      case Failure.Device f -> INTERNAL_SERVER_ERROR;
      case Failure.Unsupported f -> INTERNAL_SERVER_ERROR;
    };
  }
}
