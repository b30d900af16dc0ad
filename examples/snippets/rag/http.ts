// #region http
import { loadRagConfig, NovelService } from '@vizprompt/rag';
import { serveNovelHttp } from '@vizprompt/rag/mcp';

const config = await loadRagConfig({ projectRoot: './novels' });
const novels = await NovelService.open({ config });
const server = await serveNovelHttp(novels); // on 127.0.0.1, at a port that is free
process.once('SIGINT', () => void server.close().then(() => novels.close()));
console.error(server.url);
// #endregion http
