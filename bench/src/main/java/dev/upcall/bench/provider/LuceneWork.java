package dev.upcall.bench.provider;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
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
import org.apache.lucene.store.NIOFSDirectory;

/** Lucene in a directory of its own, by positional reads of channels on both sides. */
final class LuceneWork {
  private static final int WORDS = 5000;
  private static final int WORDS_OF_A_DOCUMENT = 12;

  private LuceneWork() {}

  private static Document document(int number, Random random) {
    StringBuilder text = new StringBuilder();
    for (int word = 0; word < WORDS_OF_A_DOCUMENT; word++) {
      text.append("word").append(random.nextInt(WORDS)).append(' ');
    }
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(number), Store.YES));
    document.add(new TextField("text", text.toString(), Store.YES));
    return document;
  }

  private static IndexWriter writer(Path path) throws IOException {
    return new IndexWriter(new NIOFSDirectory(path), new IndexWriterConfig(new StandardAnalyzer()));
  }

  /** A step adds so many documents and commits. */
  static Work index(int documents) {
    return (directory, _) -> {
      IndexWriter writer = writer(directory.resolve("index"));
      Random random = new Random(documents);
      int[] next = new int[1];
      return () -> {
        for (int i = 0; i < documents; i++) {
          writer.addDocument(document(next[0]++, random));
        }
        writer.commit();
      };
    };
  }

  /** A step looks a word up and fetches the ten best. */
  static Work search(int documents) {
    return (directory, _) -> {
      Path path = directory.resolve("search");
      Random random = new Random(documents);
      try (IndexWriter writer = writer(path)) {
        for (int i = 0; i < documents; i++) {
          writer.addDocument(document(i, random));
        }
      }
      IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(new NIOFSDirectory(path)));
      return () -> {
        TermQuery query = new TermQuery(new Term("text", "word" + random.nextInt(WORDS)));
        for (var hit : searcher.search(query, 10).scoreDocs) {
          if (searcher.storedFields().document(hit.doc).get("id") == null) {
            throw new IllegalStateException("a document without an id");
          }
        }
      };
    };
  }
}
