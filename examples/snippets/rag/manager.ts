// #region manager
import { IndexerManager, ProjectIndexer } from '@vizprompt/rag';

const manager = new IndexerManager({
  async open(project, { signal }) {
    const opened = await ProjectIndexer.open({ project, folder: `./novels/${project}` });
    try {
      await opened.watch({ signal });
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  },
  idleMs: 300_000,
});
const found = await manager.use('灯台', (one) => one.search('鍵はどこ？', { limit: 5 }));
console.log(found.total);
await manager.close();
// #endregion manager
