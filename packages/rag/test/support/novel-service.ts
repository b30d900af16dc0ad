import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import {
  loadRagConfig,
  NovelService,
  segmenterAnalyzer,
  type NovelServiceOptions,
} from '../../src/index.ts';
import { createNovelMcpServer } from '../../src/mcp/index.ts';
import { temporaryFolder } from './search-index.ts';
import type { LoadRagConfigOptions } from '../../src/config/load-rag-config.ts';

/** The files of a small novel. */
export const NOVEL: Readonly<Record<string, string>> = {
  'novel.json': '{"title": "灯台守の娘", "author": "島 渚", "tags": ["海"]}',
  'DIALOGOI.md': '# 書き方\n\n一人称で書く。\n',
  'settings/人物.md':
    '---\ntags: [人物]\n---\n# 人物\n\n## 灯\n\n灯台守の娘。十六歳。\n\n## 老人\n\n櫂を漕ぐ老人。無口。\n',
  'settings/世界/島.md': '# 島\n\n北の海に浮かぶ小さな島。羅針盤が狂う。\n',
  'contents/第1章.md': '# 第一章 嵐の夜\n\n嵐の夜、灯は一人で灯台の火を守った。\n',
  'contents/第2章.txt': '朝になると、海は静かだった。\n老人が舟で来た。\n',
  'contents/第10章.md': '# 第十章 箱\n\n祖父の埋めた箱には鍵がなかった。\n',
};

/** Writes projects below a folder: `{ 灯台: NOVEL }`. */
export async function writeProjects(
  root: string,
  projects: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<void> {
  for (const [project, files] of Object.entries(projects)) {
    await mkdir(join(root, project), { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, project, path)), { recursive: true });
      await writeFile(join(root, project, path), text);
    }
  }
}

/** Returns a service on projects of its own, closed when the test is over. */
export async function openService(
  projects: Readonly<Record<string, Readonly<Record<string, string>>>> = { 灯台: NOVEL },
  options: Partial<NovelServiceOptions> = {},
  settings: LoadRagConfigOptions = {},
): Promise<{ readonly service: NovelService; readonly root: string }> {
  const cwd = temporaryFolder();
  const root = join(cwd, 'novels');
  await mkdir(root);
  await writeProjects(root, projects);
  const config = await loadRagConfig({ cwd, env: {}, ...settings });
  const service = await NovelService.open({ config, analyzer: segmenterAnalyzer(), ...options });
  onTestFinished(() => service.close());
  return { service, root };
}

/** Returns the official client, connected in memory. */
export async function connect(service: NovelService): Promise<Client> {
  const server = await createNovelMcpServer(service);
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return client;
}

/** Calls a tool. */
export async function call(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<CallToolResult> {
  return client.callTool({ name, arguments: { ...args } });
}

/** Returns the text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
