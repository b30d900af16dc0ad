// #region sqlite
import { sqliteDatabase } from '@vizprompt/providers/node';
import { SqliteFtsBackend } from '@vizprompt/rag';

const database = sqliteDatabase({ path: 'app.db' });
const backend = await SqliteFtsBackend.open({ database });
await backend.updateFile({ novelId: '灯台', filePath: 'contents/01.md', text: '嵐の夜。' });
console.log((await backend.search('嵐')).total); // 1
await backend.close();
await database.close();
// #endregion sqlite
