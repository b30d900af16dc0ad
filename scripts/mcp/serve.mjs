// Serves the projects of a folder: `serve.mjs PROJECT_ROOT stdio`, or `http`, which prints its address.
import { loadRagConfig, NovelService, segmenterAnalyzer } from '@vizprompt/rag';
import { serveNovelHttp, serveNovelStdio } from '@vizprompt/rag/mcp';

const [, , projectRoot, kind] = process.argv;
const config = await loadRagConfig({ projectRoot, env: {} });
const novels = await NovelService.open({ config, analyzer: segmenterAnalyzer() });
if (kind === 'stdio') {
  const server = await serveNovelStdio(novels);
  await server.closed;
  await novels.close();
} else {
  const server = await serveNovelHttp(novels);
  console.log(server.url);
}
