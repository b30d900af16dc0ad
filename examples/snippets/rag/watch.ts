// #region watch
import { ProjectIndexer } from '@vizprompt/rag';

const indexer = await ProjectIndexer.open({
  project: '灯台',
  folder: './novels/灯台', // with settings/, contents/ and DIALOGOI.md
});
indexer.events.on('file:indexed', ({ path }) => console.log('indexed', path));
indexer.events.on('file:failed', ({ path, error }) => console.warn(path, error.message));
await indexer.watch(); // the index is as the files are, and stays so
const { hits } = await indexer.search('嵐の夜に灯を守ったのは誰？');
console.log(hits[0]?.payload.file);
await indexer.close();
// #endregion watch
