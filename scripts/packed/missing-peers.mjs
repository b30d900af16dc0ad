// Runs in a project without optional packages: asks for what needs each of them, and prints what does not say
// which package is missing and how to install it.
const question = { messages: [{ role: 'user', parts: [{ type: 'text', text: 'x' }] }] };

/** What needs an optional package. Each is asked for as a program would, up to where the package is loaded. */
const CALLS = {
  async openai() {
    const { openai } = await import('@vizprompt/providers/openai');
    await openai({ model: 'm', apiKey: 'k' }).generate(question);
  },
  async '@anthropic-ai/sdk'() {
    const { anthropic } = await import('@vizprompt/providers/anthropic');
    await anthropic({ model: 'm', apiKey: 'k' }).generate(question);
  },
  async '@google/genai'() {
    const { gemini } = await import('@vizprompt/providers/gemini');
    await gemini({ model: 'm', apiKey: 'k' }).generate(question);
  },
  async ollama() {
    const { ollama } = await import('@vizprompt/providers/ollama');
    await ollama({ model: 'm' }).generate(question);
  },
  async '@huggingface/tokenizers'() {
    const { staticEmbeddings } = await import('@vizprompt/providers/static-embeddings');
    await staticEmbeddings({ folder: './model' }).embed({ values: ['x'] });
  },
  async '@huggingface/transformers'() {
    const { transformersEmbeddings } = await import('@vizprompt/providers/transformers');
    await transformersEmbeddings({ model: './model' }).embed({ values: ['x'] });
  },
  async '@langchain/langgraph-checkpoint'() {
    const { langGraphSaver } = await import('@vizprompt/providers/langgraph');
    await langGraphSaver({ dialect: 'sqlite', migrate: async () => undefined });
  },
  async '@langchain/core'() {
    const { langChainRetriever } = await import('@vizprompt/providers/langgraph');
    await langChainRetriever({ retrieve: async () => [] });
  },
  async '@opentelemetry/api'() {
    const { openTelemetry } = await import('@vizprompt/providers/otel');
    const { compose } = await import('@vizprompt/providers/middleware');
    const { scriptedModel } = await import('@vizprompt/providers/testing');
    await compose(scriptedModel(['x']), openTelemetry()).generate(question);
  },
  async '@qdrant/js-client-rest'() {
    const { qdrantStore } = await import('@vizprompt/providers/qdrant');
    await qdrantStore({ collection: 'c', dimensions: 2 }).count();
  },
  async 'better-sqlite3'() {
    const { openStorage } = await import('@vizprompt/providers/node');
    await openStorage('./data');
  },
  async 'sqlite-vec'() {
    const { sqliteVecStore } = await import('@vizprompt/providers/sqlite-vec');
    const { sqliteDatabase } = await import('@vizprompt/providers/node');
    await sqliteVecStore({ database: sqliteDatabase({ path: './v.db' }), dimensions: 2 }).count();
  },
  async 'gpt-tokenizer'() {
    const { loadTokenCounter } = await import('@vizprompt/providers');
    await loadTokenCounter();
  },
  async pg() {
    const { postgresStorage } = await import('@vizprompt/providers/postgres');
    await postgresStorage({ connectionString: 'postgres://127.0.0.1:1/none', namespace: 'none' });
  },
  async ws() {
    const { serveWebSocket } = await import('@vizprompt/core/websocket');
    const { VizPrompt } = await import('@vizprompt/core');
    await serveWebSocket(await VizPrompt.open('./project'), { port: 0 });
  },
  async '@viz-js/viz'() {
    const { VizPrompt } = await import('@vizprompt/core');
    const vizprompt = await VizPrompt.open('./project');
    await vizprompt.createNode({ prompt: 'x' });
    await vizprompt.exportFlow('main', { format: 'svg' });
  },
  async hono() {
    const { createMemoryApp } = await import('@vizprompt/memory/http');
    const { MemoryStore } = await import('@vizprompt/memory');
    await createMemoryApp(await MemoryStore.open({ path: './memory.db' }));
  },
  async '@modelcontextprotocol/node'() {
    const { serveNovelHttp } = await import('@vizprompt/rag/mcp');
    await serveNovelHttp({});
  },
  async kuromojin() {
    const { kuromojinAnalyzer } = await import('@vizprompt/rag');
    await kuromojinAnalyzer();
  },
  yauzl: readBook,
  saxes: readBook,
  async '@modelcontextprotocol/client'() {
    const { WorkflowEngine } = await import('@vizprompt/workflow');
    const { scriptedModel } = await import('@vizprompt/providers/testing');
    const step = {
      id: 'a',
      type: 'agent_interaction',
      agent_id: 'r',
      prompt_id: 'p',
      tools: ['mcp:s'],
    };
    const files = {
      use: { mcpServers: { s: { command: process.execPath } } },
      agent_roles: { r: { system_prompt: '', model: 'm' } },
      prompts: { p: 'x' },
      workflows: { flow: { steps: [step] } },
    };
    const models = { m: scriptedModel(['x']) };
    const engine = await WorkflowEngine.open({ files, models, trust: true });
    const run = await engine.start('flow', 'x');
    await run.result.catch((failure) => {
      throw failure.cause ?? failure;
    });
  },
  async '@dbos-inc/dbos-sdk'() {
    const { runWorker } = await import('@vizprompt/workflow/dbos');
    await runWorker({ url: 'postgres://127.0.0.1:1/none' });
  },
};
/** One book needs both; its problem names each that is missing. */
async function readBook() {
  const { loadRagConfig, NovelService } = await import('@vizprompt/rag');
  const { mkdirSync, writeFileSync } = await import('node:fs');
  mkdirSync('./books/a/contents', { recursive: true });
  writeFileSync('./books/a/contents/b.epub', 'PK');
  const config = await loadRagConfig({ projectRoot: './books' });
  const novels = await NovelService.open({ config });
  const failure = await novels.read('a', 'contents', { file: 'b.epub' }).catch((error) => error);
  await novels.close();
  throw Object.assign(new Error(failure.message), { code: failure.cause?.cause?.code });
}
/** What two packages need. */
const MCP = {
  async '@vizprompt/rag'() {
    const { serveNovelStdio } = await import('@vizprompt/rag/mcp');
    await serveNovelStdio({});
  },
  async '@vizprompt/memory'() {
    const { createMemoryMcpServer } = await import('@vizprompt/memory/mcp');
    const { MemoryStore } = await import('@vizprompt/memory');
    await createMemoryMcpServer(await MemoryStore.open({ path: './memory.db' }));
  },
};
/** Types alone: nothing is loaded. */
const TYPES = new Set(['@ai-sdk/provider', 'ai']);
/** Packages that this Node replaces: it works without them. */
const REPLACED = new Set(process.getBuiltinModule?.('node:sqlite') ? ['better-sqlite3'] : []);

const { name: own, missing } = JSON.parse(process.argv[2]);
const problems = [];
for (const name of missing.filter((one) => !TYPES.has(one))) {
  const call = name === '@modelcontextprotocol/server' ? MCP[own] : CALLS[name];
  if (!call) {
    problems.push(`nothing asks for the optional package ${name}: add it to missing-peers.mjs`);
    continue;
  }
  const error = await call().then(
    () => new Error('it works without'),
    (failure) => failure,
  );
  if (REPLACED.has(name) && error.message === 'it works without') continue;
  const isRight =
    ['peer-missing', 'unsupported', 'no-sqlite'].includes(error.code) &&
    error.message.includes(`npm install ${name}`);
  if (!isRight) problems.push(`without ${name}: ${error.name} ${error.code}: ${error.message}`);
}
console.log(JSON.stringify(problems));
process.exit();
