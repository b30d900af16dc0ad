// The pages about files are enough for another implementation: two in Python, written by them alone.
import { execFile, spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { VizPrompt, type VizNode } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const examples = fileURLToPath(new URL('../..', import.meta.url));
const shown = fileURLToPath(new URL('../../../docs/formats/example', import.meta.url));
const hasPython = spawnSync('python3', ['-c', 'import yaml, sqlite3']).status === 0;

const HOSTILE = [
  ' 先頭と末尾の空白 ',
  '\n\n改行\r\nと\rCR\n',
  'NUL \u0000 ESC \u001b',
  '\ud800 片割れ \udc00',
  '👩‍👩‍👧‍👦 𠮷野家 \ufffe',
  ']]> <![CDATA[ & &amp; &#0; </prompt> <!-- -->',
  'C:\\temp \\u0041 \\\\',
  '<<<<<<< HEAD\n=======\n>>>>>>> x',
  '',
  '\n',
  'مرحبا שלום \u202etxt',
];
/** Words that a reader of YAML may take for something else. */
const WORDS = [
  'yes',
  'null',
  '~',
  '2026-01-01',
  '1e5',
  '0x1f',
  '- a',
  '#',
  ': ',
  '"\\',
  '猫: {}',
  ' a',
];

describe('the project that the pages show', () => {
  it('is what the SDK writes', async () => {
    const folder = await temporaryFolder();
    const options = { args: [folder], env: { TZ: 'Asia/Tokyo' } };
    expect((await runProgram(folder, 'formats/main.ts', options)).code).toBe(0);
    const files = await filesIn(folder);
    expect(files).toEqual(await filesIn(shown));
    for (const file of files) {
      const text = await readFile(join(folder, file), 'utf8');
      await expect(text).toMatchFileSnapshot(join(shown, file));
    }
  });
});

describe.skipIf(!hasPython)('a reader in Python, with PyYAML', () => {
  it('reads of a project what the SDK does', async () => {
    const folder = await temporaryFolder();
    const vizprompt = await VizPrompt.open(folder);
    const ids: string[] = [];
    for (const [at, prompt] of HOSTILE.entries()) {
      const response = HOSTILE.at(-1 - at) ?? '';
      const { id } = await vizprompt.createNode(
        {
          prompt,
          response,
          tags: [WORDS[at] ?? 'x', `tag ${prompt}`],
          speaker: prompt,
          source: prompt,
          status: 'aborted',
          responseParts: [
            { type: 'reasoning', text: prompt, name: prompt, time: '2026-11-21T13:43:07.670001Z' },
            { type: 'text', start: 0, end: response.length },
            { type: 'data', kind: prompt, value: { [prompt]: [null, 0.1, prompt] } },
          ],
          stats: { assistant: { count: 3, duration: 0.125, rate: 24 } },
        },
        at < 2
          ? {}
          : { after: [ids[at - 1] ?? '', ids[at - 2] ?? ''], branchName: WORDS[at] ?? '' },
      );
      ids.push(id);
    }
    for (const name of WORDS) await vizprompt.createFlow({ name, description: name });
    // A second file of a node, which counts by what lies below a millisecond.
    const [first = ''] = ids;
    const timestamp = '2027-01-01T00:00:00.0001Z';
    await vizprompt.createNode({ id: first, prompt: 'newer', timestamp }, { flow: null });
    await vizprompt.createNode(
      { id: first, prompt: 'newest', timestamp: '2027-01-01T09:00:00.0002+09:00' },
      { flow: null },
    );
    await vizprompt.build();
    const nodes = await Promise.all(ids.map((id) => vizprompt.getNode(id)));
    const flows = await Promise.all(
      (await vizprompt.listFlows()).map(({ id }) => vizprompt.getFlow(id)),
    );
    await vizprompt.close();

    const read = await python('read_project.py', folder);
    expect(Object.keys(Object(read.nodes)).toSorted()).toEqual(ids.toSorted());
    for (const node of nodes) expect(read.nodes[node.id]).toMatchObject(asRead(node));
    expect(read.nodes[first]).toMatchObject({ prompt: 'newest' });
    expect(read.flows.map(({ id }) => id)).toEqual(flows.map(({ id }) => id));
    for (const [at, flow] of flows.entries()) {
      expect(read.flows[at]).toMatchObject({
        name: flow.name,
        head: flow.head ?? null,
        nodes: flow.nodes.map(({ id }) => id),
        edges: flow.connections.map(({ from, to, branch }) => [from, to, branch ?? null]),
      });
    }
    expect(read.nodeMap.map(({ uuid }) => uuid).filter((id) => id === first)).toHaveLength(3);
    expect(read.nodeMap[0]).toEqual({
      relpath: read.nodes[first]?.file,
      uuid: first,
      timestamp: '2027-01-01T09:00:00.0002+09:00',
    });
    expect(read.flowMap.map(({ flow_id: id }) => id)).toEqual(flows.map(({ id }) => id));
    const tags = new Set(nodes.flatMap((node) => node.tags));
    expect(Object.keys(read.tags).toSorted()).toEqual([...tags].toSorted());
    expect(Object.keys(read.keywords).length).toBeGreaterThan(0);
  });

  it('reads of a memory what the SDK does, and writes what the SDK finds', async () => {
    const path = join(await temporaryFolder(), 'memory.db');
    const store = await MemoryStore.open({ path });
    const { id: session } = await store.startSession({
      workspace: '/home/ann/灯台',
      metadata: { branch: 'main', tags: ['a'], 日本: '語' },
    });
    for (const content of HOSTILE.filter((text) => text.isWellFormed())) {
      await store.log(session, 'user_message', { content }, { meta: { speaker: '花子' } });
    }
    const old = '行\n'.repeat(500);
    const edit = { action: 'edit', file_path: 'a.md', old_content: old } as const;
    const why = { ...edit, new_content: `${old}嵐\n`, reason: 'なぜ' };
    const { id: parent } = await store.log(session, 'code_intention', why);
    const done = { ...edit, new_content: `${old}嵐\n`, success: true, intention_event_id: parent };
    await store.log(session, 'file_edit', done, { parent });
    await store.log(session, 'file_edit', { action: 'delete', file_path: 'b', success: false });
    await store.log(session, 'thinking', { content: 'ghp_0123456789abcdef0123456789abcdef0123' });
    await store.log(session, 'thinking', { content: '門は開いていた。'.repeat(200) });
    const said = await store.log(session, 'user_message', { content: '忘れて' });
    await store.forget({ event: said.id });
    const events = [];
    for await (const event of store.events(session)) events.push(event);
    await store.close();

    const memory = await python('read_memory.py', path);
    expect(memory.steps).toBe(4);
    const [only] = memory.sessions;
    expect(only).toMatchObject({ id: session, workspace_path: '/home/ann/灯台', ended_at: null });
    expect(only?.metadata).toEqual({ branch: 'main', tags: ['a'], 日本: '語' });
    expect(only?.events).toEqual(
      events.map((event) => ({ parent_event_id: null, meta: null, redactions: 0, ...event })),
    );

    await python('write_memory.py', path, session, 'パイソンが書いた嵐の記録');
    await using again = await MemoryStore.open({ path });
    expect((await again.getSession(session)).event_count).toBe(events.length + 1);
    expect((await again.search('パイソン', { session })).length).toBe(1);
    expect((await again.check()).isOk).toBe(true);
    const next = await again.log(session, 'user_message', { content: '続き' });
    expect(next.sequence).toBe(events.length + 2);
  });
});

beforeAll(() => {
  if (!hasPython) console.warn('there is no python3 with PyYAML: its readers are not run');
});

interface Read {
  readonly nodes: Readonly<Record<string, { readonly file: string }>>;
  readonly flows: readonly { readonly id: string }[];
  readonly nodeMap: readonly Readonly<Record<string, string>>[];
  readonly flowMap: readonly Readonly<Record<string, string>>[];
  readonly tags: object;
  readonly keywords: object;
  readonly steps: number;
  readonly sessions: readonly { readonly metadata: object; readonly events: readonly object[] }[];
}

async function python(program: string, ...args: readonly string[]): Promise<Read> {
  const file = join(examples, 'python', program);
  const { stdout } = await run('python3', [file, ...args], { maxBuffer: 1e8 });
  return JSON.parse(stdout) as Read;
}

/** Returns a node as the reader prints it. */
function asRead(node: VizNode): object {
  const { id, timestamp, prompt, response, stats, summary, tags, responseParts } = node;
  return {
    id,
    timestamp,
    prompt,
    response,
    stats,
    summary: summary.text,
    outdated: summary.isOutdated,
    tags,
    status: node.status ?? 'done',
    speaker: node.speaker ?? null,
    source: node.source ?? null,
    parts:
      responseParts.length === 0
        ? {}
        : {
            response: responseParts.map((part) =>
              part.type === 'text'
                ? { type: 'text', text: response.slice(part.start, part.end) }
                : part,
            ),
          },
  };
}

/** Returns the files of a project, but for what is not part of it. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((file) => !file.startsWith('.vizprompt'))
    .toSorted();
}
