// Indexes documents without end, in a process of its own.
import { SegmentBackend, segmenterAnalyzer } from '@vizprompt/rag';
import { paragraphs } from '@vizprompt/rag/testing';

const [, , folder] = process.argv;
const backend = await SegmentBackend.open({
  folder,
  analyzer: segmenterAnalyzer(),
  chunking: paragraphs,
});
const text = '灯台守の娘は、嵐の夜に海を見ていた。\n\n'.repeat(500);

function* documents() {
  for (let number = 0; ; number++) {
    if (number === 60) process.send('building');
    yield { novelId: '灯台', filePath: `${number}.md`, text: `${number}\n\n${text}` };
  }
}
await backend.index(documents());
