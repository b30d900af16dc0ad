// Answers queries from an index that it opens once.
import { SegmentBackend, segmenterAnalyzer } from '@vizprompt/rag';
import { paragraphs } from '@vizprompt/rag/testing';

const [, , folder] = process.argv;
const backend = await SegmentBackend.open({
  folder,
  analyzer: segmenterAnalyzer(),
  chunking: paragraphs,
});
process.on('message', (query) => void answer(query));
process.send('open');

async function answer(query) {
  const { hits } = await backend.search(query);
  process.send(hits.map(({ content }) => content));
}
