// Serves the projects of a folder over stdio, as an app would: `serve-mcp.mjs PROJECT_ROOT [PATIENCE_MS]`.
import { loadRagConfig, NovelService, segmenterAnalyzer } from '@vizprompt/rag';
import { serveNovelStdio } from '@vizprompt/rag/mcp';

const config = await loadRagConfig({ projectRoot: process.argv[2] });
const novels = await NovelService.open({ config, analyzer: segmenterAnalyzer() });
const [, , , patience] = process.argv;
const server = await serveNovelStdio(novels, patience ? { patienceMs: Number(patience) } : {});
await server.closed;
await novels.close();
console.error('the client has hung up');
