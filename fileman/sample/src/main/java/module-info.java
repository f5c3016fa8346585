/** A program that keeps letters. */
module letters {
  requires dev.upcall.fileman;
}
