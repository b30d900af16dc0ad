// Watches a project where the system has no more events to give, and later has. It runs in a user
// namespace of its own, whose limit it may set.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectIndexer, segmenterAnalyzer } from '@vizprompt/rag';

const [, , folder] = process.argv;
const limit = (count) => writeFileSync('/proc/sys/user/max_inotify_watches', String(count));
const said = [];
const indexer = await ProjectIndexer.open({
  project: '灯台',
  folder,
  analyzer: segmenterAnalyzer(),
  debounceMs: 50,
  pollMs: 50,
  on: {
    'watch:failed': ({ error }) => said.push(error.code),
    'watch:ready': ({ isPolling }) => said.push(isPolling ? 'polling' : 'watching'),
  },
});
const next = (name) => new Promise((resolve) => indexer.events.once(name, resolve));
const put = async (name) => {
  const indexed = next('file:indexed');
  writeFileSync(join(folder, 'contents', name), '嵐の夜');
  await indexed;
};

limit(1);
await indexer.watch();
await put('new.md');
const ready = next('watch:ready');
// The project and its folder `contents`; files need none of their own.
limit(2);
await ready;
await put('newer.md');
const { total } = await indexer.search('嵐');
await indexer.close();
console.log(JSON.stringify({ said, total }));
