package dev.upcall.nio.program;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;

/** An index of small documents; every tenth has the same word. */
final class LuceneIndex implements Closeable {
  private final Directory directory;
  private final IndexWriter writer;

  LuceneIndex(Path path) throws IOException {
    directory = new NIOFSDirectory(path);
    writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()));
  }

  Directory directory() {
    return directory;
  }

  /** Documents in the index. */
  int documents() {
    return writer.getDocStats().numDocs;
  }

  void add(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      Document document = new Document();
      document.add(new StringField("id", "id" + i, Store.YES));
      document.add(new TextField("text", "word" + i % 10 + " and some more words", Store.YES));
      writer.updateDocument(new Term("id", "id" + i), document);
    }
  }

  void commit() throws IOException {
    writer.commit();
  }

  void mergeAll() throws IOException {
    writer.forceMerge(1);
    writer.commit();
  }

  int count(DirectoryReader reader, String word) throws IOException {
    return new IndexSearcher(reader).count(new TermQuery(new Term("text", word)));
  }

  @Override
  public void close() throws IOException {
    writer.close();
    directory.close();
  }
}
