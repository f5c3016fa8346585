package dev.upcall.bench.proxy.layout;

/** The layouts that are compared. */
public enum LayoutKind {
  /** A directory for each component of the URL, and a file of metadata in each directory. */
  CERN("CERN"),
  /** Files one after the other into 4,096 directories in turn. */
  SQUID("Squid"),
  /** The directory is chosen by the server's name. */
  SQUID_L("SquidL"),
  /** Files fill one directory after the other. */
  SQUID_2("Squid 2"),
  /** Small objects in one mapped file, large ones as Squid. */
  SQUID_M("SquidM"),
  /** Small objects in one mapped file, large ones as SquidL. */
  SQUID_ML("SquidML"),
  /** The same, where no small object crosses a page. */
  SQUID_MLA("SquidMLA");

  private final String label;

  LayoutKind(String label) {
    this.label = label;
  }

  /** Its name in the paper. */
  public String label() {
    return label;
  }

  /** Whether small objects are in a mapped file. */
  public boolean isMapped() {
    return this == SQUID_M || this == SQUID_ML || this == SQUID_MLA;
  }
}
