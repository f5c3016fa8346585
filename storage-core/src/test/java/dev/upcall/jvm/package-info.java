/** What tests need to start JVMs of their own. */
@org.jspecify.annotations.NullMarked
package dev.upcall.jvm;
