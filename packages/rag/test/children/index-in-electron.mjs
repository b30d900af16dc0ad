// Indexes and searches as a process of a packaged Electron app would, and reports what runs next to it.
Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: '40.0.0' } });
const [, , folder, type] = process.argv;
process.type = type;
const warnings = [];
process.on('warning', ({ code, message }) => warnings.push(`${code}: ${message}`));

const { SegmentBackend, segmenterAnalyzer } = await import('@vizprompt/rag');
const { paragraphs } = await import('@vizprompt/rag/testing');
const analyzer = segmenterAnalyzer();
// Enough that a process of its own is worth its start.
const text = '灯台守の娘は、嵐の夜に海を見ていた。\n\n'.repeat(20_000);
const backend = await SegmentBackend.open({ folder, analyzer, chunking: paragraphs });
await backend.index([{ novelId: '灯台', filePath: '1.md', text }]);
const isAlone = !process.getActiveResourcesInfo().includes('ProcessWrap');
const { hits } = await backend.search('灯台守');
console.log(JSON.stringify({ isAlone, found: hits.length, warnings }));
await backend.close();
