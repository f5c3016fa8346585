package dev.upcall.weave;

import java.lang.constant.ClassDesc;

/**
 * A class that was made.
 *
 * @param bytes its class file; not to be changed
 */
record Made(ClassDesc name, byte[] bytes) {}
