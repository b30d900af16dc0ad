// #region stdio
import { loadRagConfig, NovelService } from '@vizprompt/rag';
import { serveNovelStdio } from '@vizprompt/rag/mcp';

const config = await loadRagConfig({ args: process.argv.slice(2) });
await using novels = await NovelService.open({ config });
const server = await serveNovelStdio(novels);
await server.closed; // until the client hangs up
// #endregion stdio
