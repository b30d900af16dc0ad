import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';
import { type ErasureReport, type Turn } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { describe, expect, it } from 'vitest';
import { ERASED } from '@vizprompt/providers/internal';
import { findWords } from '../../../providers/test/support/find-words.ts';
import { temporaryFolder } from '../support/open-project.ts';

/** Words that must be nowhere: of each script, of escapes, of short lines and of derived texts. */
const WORDS = ['zyzzyvaword', '蜜柑畑の秘密', 'quokka-4711', 'Ünïcödé-ñame', '🐈のひみつ'];
const SAID = `The ${WORDS[0]} is "${WORDS[2]}".\n${WORDS[1]}は北にある。\n${WORDS[3]} & <${WORDS[4]}>\u0007`;

const turn = (id: string, speaker: string, more: Partial<Turn> = {}): Turn => ({
  id,
  conversationId: 'talk',
  follows: [],
  kind: 'turn',
  status: 'done',
  speaker,
  input: [],
  output: [{ type: 'text', text: `${speaker} says hello` }],
  startedAt: '2026-01-01T00:00:00.000Z',
  ...more,
});

function counts({ erased }: ErasureReport): Readonly<Record<string, number>> {
  return Object.fromEntries(erased.map(({ place, count }) => [place, count]));
}

async function open(folder: string): Promise<VizPrompt> {
  return VizPrompt.open(folder);
}

/** Returns a project in which Alice spoke, and what she said went everywhere. */
async function projectOf(
  folder: string,
): Promise<{ readonly ids: Readonly<Record<string, string>> }> {
  await using vizprompt = await open(folder);
  const recorder = vizprompt.recorder();
  await recorder.record(
    turn('1', 'Alice', {
      output: [
        { type: 'reasoning', text: SAID },
        { type: 'text', text: SAID },
        { type: 'file', data: Buffer.from(SAID), mediaType: 'text/plain', name: `${WORDS[0]}.txt` },
      ],
    }),
  );
  await recorder.record(
    turn('2', 'Bob', {
      follows: ['1'],
      input: [{ type: 'text', text: `Alice: ${SAID}\n\nBob, what do you think?` }],
      output: [{ type: 'text', text: `You said:\n> ${SAID.split('\n').join('\n> ')}\nI agree.` }],
    }),
  );
  await recorder.record(
    turn('3', 'alice ', { follows: ['2'], output: [{ type: 'text', text: SAID }] }),
  );
  const named = await vizprompt.createNode({
    prompt: `before\n\n${SAID}\n\nafter`,
    response: 'noted',
    tags: ['hand-made', WORDS[0] ?? ''],
    promptParts: [
      { type: 'text', start: 0, end: 6, name: 'Carol' },
      { type: 'text', start: 8, end: 8 + SAID.length, name: 'Alice' },
      { type: 'text', start: 10 + SAID.length, end: 15 + SAID.length, name: 'Carol' },
      { type: 'tool-result', id: '1', tool: 'notes', output: { quoted: [SAID] } },
    ],
  });
  const deleted = await vizprompt.createNode({ prompt: 'q', response: SAID, speaker: 'Alice' });
  await vizprompt.build();
  await vizprompt.createFlow({ name: WORDS[1] ?? '', description: SAID });
  await vizprompt.structure.prune(deleted.id, { files: true });
  const other = await vizprompt.createNode({ prompt: 'other', response: 'deleted, by nobody' });
  await vizprompt.deleteNode(other.id);
  return { ids: { named: named.id } };
}

describe('eraseSpeaker', () => {
  it('leaves no byte of what was said, and all of the structure', async () => {
    const folder = await temporaryFolder();
    const { ids } = await projectOf(folder);
    await mkdir(join(folder, 'lost+found/nodes/00'), { recursive: true });
    await writeFile(join(folder, 'lost+found/nodes/00/07.xml'), `<node speaker="Alice">${SAID}`);
    await writeFile(join(folder, 'lost+found/nodes/00/07.xml.txt'), 'why');
    await writeFile(join(folder, 'lost+found/nodes/00/08.xml'), '<node>of somebody else');
    await mkdir(join(folder, 'nodes/77'), { recursive: true });
    await writeFile(join(folder, 'nodes/77/00.xml'), `<node><broken> ${SAID}`);
    expect(findWords(folder, WORDS)).not.toEqual([]);

    await using vizprompt = await open(folder);
    const before = await vizprompt.listFlows();
    const planned = await vizprompt.eraseSpeaker({ speaker: 'Alice', dryRun: true });
    expect(findWords(folder, WORDS).length).toBeGreaterThan(5);
    const report = await vizprompt.eraseSpeaker({ speaker: 'Alice' });
    expect(report.erased).toEqual(planned.erased);
    expect(findWords(folder, WORDS)).toEqual([]);
    expect(counts(report)).toMatchObject({
      history: expect.any(Number),
      'lost+found': 2,
      flows: 1,
      'broken files': 1,
      quotes: 1,
      nodes: 3,
      attachments: 1,
    });
    expect(report.remains.map(({ place }) => place)).toEqual(['git', 'backups']);

    const named = await vizprompt.getNode(ids['named'] ?? '');
    expect(named.prompt).toBe(`before\n\n${ERASED}\n\nafter`);
    expect(named.promptParts.map((part) => part.name)).toEqual([
      'Carol',
      ERASED,
      'Carol',
      undefined,
    ]);
    const [, own, last] = named.promptParts;
    expect(own?.type === 'text' && named.prompt.slice(own.start, own.end)).toBe(ERASED);
    expect(last?.type === 'text' && named.prompt.slice(last.start, last.end)).toBe('after');
    expect(named.summary).toEqual({ text: '', isOutdated: true });
    const after = await vizprompt.listFlows();
    expect(after.map(({ id, nodes }) => [id, nodes])).toEqual(
      before.map(({ id, nodes }) => [id, nodes]),
    );
    const hits = await vizprompt.searchNodes({ text: 'agree' });
    const bob = await vizprompt.getNode(hits[0]?.id ?? '');
    expect(bob.speaker).toBe('Bob');
    expect(bob.prompt).toContain('Bob, what do you think?');
    expect(bob.prompt.startsWith(`${ERASED}: `)).toBe(true);
    expect(await vizprompt.searchNodes({ text: 'zyzzyvaword' })).toEqual([]);
    expect(new Set((await vizprompt.check()).findings.map(({ file }) => file))).toEqual(
      new Set(['nodes/77/00.xml']),
    );
    // The edits of others can still be undone, and bring nothing back.
    expect((await vizprompt.structure.history()).undo.map(({ label }) => label)).toContain(
      'deleteNode',
    );
    await vizprompt.structure.undo();
    expect(findWords(folder, WORDS)).toEqual([]);
    const again = await vizprompt.eraseSpeaker({ speaker: 'ALICE' });
    expect(again.erased).toEqual([]);
    expect(await readFile(join(folder, 'lost+found/nodes/00/08.xml'), 'utf8')).toContain('else');
  });

  it('leaves no byte in a new cache, in a closed project, and after a build', async () => {
    const folder = await temporaryFolder();
    await projectOf(folder);
    await using vizprompt = await open(folder);
    await vizprompt.eraseSpeaker({ speaker: 'Alice' });
    await vizprompt.build();
    await vizprompt.close();
    expect(findWords(folder, WORDS)).toEqual([]);
    await using again = await open(folder);
    expect(await again.problems()).toEqual([]);
  });

  it('erases older versions of a node too', async () => {
    const folder = await temporaryFolder();
    const node = await (async () => {
      await using vizprompt = await open(folder);
      return await vizprompt.createNode({ prompt: 'q', response: SAID, speaker: 'Alice' });
    })();
    const text = await readFile(join(folder, node.file), 'utf8');
    await writeFile(
      join(folder, 'nodes/00/09.xml'),
      text.replace(/timestamp="\d{4}/, 'timestamp="1999'),
    );
    await using vizprompt = await open(folder);
    await vizprompt.eraseSpeaker({ speaker: 'Alice' });
    expect(await vizprompt.getNodeVersions(node.id)).toHaveLength(2);
    expect(findWords(folder, WORDS)).toEqual([]);
  });

  it('replaces mentions where it is asked to, and counts them otherwise', async () => {
    const folder = await temporaryFolder();
    await using vizprompt = await open(folder);
    await vizprompt.createNode({ prompt: 'q', response: SAID, speaker: 'Alice' });
    const node = await vizprompt.createNode({
      prompt: 'Who is Alice?',
      response: 'Alice-san, not Alicia.',
    });
    const report = await vizprompt.eraseSpeaker({ speaker: 'Alice' });
    expect(report.remains).toContainEqual({ place: 'mentions', count: 1 });
    expect((await vizprompt.getNode(node.id)).prompt).toBe('Who is Alice?');
    const all = await vizprompt.eraseSpeaker({ speaker: 'Alice', mentions: true });
    expect(all.remains).not.toContainEqual(expect.objectContaining({ place: 'mentions' }));
    expect(await vizprompt.getNode(node.id)).toMatchObject({
      prompt: `Who is ${ERASED}?`,
      response: `${ERASED}-san, not Alicia.`,
    });
    expect(findWords(folder, [...WORDS, 'Alice'])).toEqual([]);
  });

  it('keeps attachments that others use', async () => {
    const folder = await temporaryFolder();
    await using vizprompt = await open(folder);
    const file = { type: 'file', data: Buffer.from('shared'), mediaType: 'text/plain' } as const;
    await vizprompt.recorder().record(turn('1', 'Alice', { output: [file] }));
    await vizprompt.recorder().record(turn('2', 'Bob', { output: [file] }));
    const report = await vizprompt.eraseSpeaker({ speaker: 'Alice' });
    expect(counts(report)).toEqual({ nodes: 1 });
    await vizprompt.eraseSpeaker({ speaker: 'Bob' });
    expect(findWords(folder, ['shared'])).toEqual([]);
  });

  it('replaces copies in attachments of others, in their addresses, and in names of fields', async () => {
    const folder = await temporaryFolder();
    const line = SAID.split('\n')[0] ?? '';
    const attached = (text: string): Turn['output'][number] => ({
      type: 'file',
      data: Buffer.from(text),
      mediaType: 'text/plain',
      name: 'notes.txt',
    });
    const image = Buffer.from([0xff, 0xd8, 0xff, 0x00]);
    {
      await using vizprompt = await open(folder);
      await vizprompt
        .recorder()
        .record(turn('1', 'Alice', { output: [{ type: 'text', text: line }] }));
      await vizprompt.recorder().record(
        turn('2', 'Bob', {
          follows: ['1'],
          output: [
            attached(`Minutes.\n> ${line}\nEnd.`),
            { type: 'text', text: 'Bob notes' },
            attached('Not a word of it.'),
            { type: 'file', data: image, mediaType: 'image/jpeg' },
            { type: 'tool-result', id: 'c', name: 'ask', output: { answers: { [line]: 'yes' } } },
          ],
        }),
      );
      const uri = `https://example.com/?q=${encodeURIComponent(line)}`;
      await vizprompt.createNode({
        prompt: 'p',
        response: 'r',
        responseParts: [{ type: 'file', uri }],
      });
    }
    // As an erasure leaves it that ended after it rewrote the node.
    const orphan = Buffer.from(`Other minutes: ${line}`);
    const hash = createHash('sha256').update(orphan).digest('hex');
    await mkdir(join(folder, 'attachments', hash.slice(0, 2)), { recursive: true });
    await writeFile(join(folder, 'attachments', hash.slice(0, 2), hash), orphan);
    await using vizprompt = await open(folder);
    const planned = await vizprompt.eraseSpeaker({ speaker: 'Alice', dryRun: true });
    expect(counts(planned)).toEqual({ quotes: 2, nodes: 1, attachments: 2 });
    const report = await vizprompt.eraseSpeaker({ speaker: 'Alice' });
    expect(counts(report)).toEqual(counts(planned));
    expect(findWords(folder, WORDS.slice(0, 3))).toEqual([]);
    const [hit] = await vizprompt.searchNodes({ text: 'notes' });
    const node = await vizprompt.getNode(hit?.id ?? '');
    const files = node.responseParts.filter((part) => part.type === 'file');
    const contents = await Promise.all(
      files.map(async ({ path = '' }) => (await readFile(join(folder, path))).toString('latin1')),
    );
    expect(contents).toEqual([
      `Minutes.\n> ${ERASED}\nEnd.`,
      'Not a word of it.',
      image.toString('latin1'),
    ]);
    expect(files.map(({ size }) => size)).toEqual(contents.map((text) => text.length));
    expect(counts(await vizprompt.eraseSpeaker({ speaker: 'Alice' }))).toEqual({});
  });

  it('says that a file with copies remains where a broken node names it', async () => {
    const folder = await temporaryFolder();
    const line = SAID.split('\n')[0] ?? '';
    await mkdir(join(folder, 'nodes/77'), { recursive: true });
    const put = async (name: string, text: string): Promise<void> => {
      const hash = createHash('sha256').update(text).digest('hex');
      await mkdir(join(folder, 'attachments', hash.slice(0, 2)), { recursive: true });
      await writeFile(join(folder, 'attachments', hash.slice(0, 2), hash), text);
      await writeFile(join(folder, 'nodes/77', name), `<node><broken> attachments/x/${hash}`);
    };
    {
      await using vizprompt = await open(folder);
      await vizprompt
        .recorder()
        .record(turn('1', 'Alice', { output: [{ type: 'text', text: line }] }));
    }
    await put('00.xml', `Minutes: ${line}`);
    await put('01.xml', 'Not a word of it.');
    await using vizprompt = await open(folder);
    const { remains } = await vizprompt.eraseSpeaker({ speaker: 'Alice' });
    expect(remains).toContainEqual({ place: 'broken-files', count: 1 });
  });

  it.each([[{ speaker: '' }], [{ speaker: '  ' }]])('refuses %j', async (options) => {
    await using vizprompt = await open(await temporaryFolder());
    await expect(vizprompt.eraseSpeaker(options)).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('is stopped by its signal, and finished by the next call', async () => {
    const folder = await temporaryFolder();
    await projectOf(folder);
    await using vizprompt = await open(folder);
    const stop = new AbortController();
    vizprompt.on('node:updated', () => stop.abort(new Error('enough')));
    await expect(vizprompt.eraseSpeaker({ speaker: 'Alice', signal: stop.signal })).rejects.toThrow(
      'enough',
    );
    await vizprompt.eraseSpeaker({ speaker: 'Alice' });
    expect(findWords(folder, WORDS)).toEqual([]);
  });
});

it('an erasure that ended between a file and the index leaves no keyword to the next one', async () => {
  const folder = await temporaryFolder();
  await projectOf(folder);
  await using vizprompt = await open(folder);
  await vizprompt.build();
  await vizprompt.close();
  const storage = await openStorage(folder);
  const writeMany: typeof storage.files.writeMany = async (changes) => {
    const versions = await storage.files.writeMany(changes);
    if (changes.some(({ key }) => key.startsWith('nodes/'))) throw new Error('killed');
    return versions;
  };
  const failing = await VizPrompt.open({
    storage: { ...storage, files: { ...storage.files, writeMany } },
  });
  await expect(failing.eraseSpeaker({ speaker: 'Alice' })).rejects.toThrow('killed');
  await failing.close();
  await storage.close();

  await using again = await open(folder);
  await again.eraseSpeaker({ speaker: 'Alice' });
  expect(findWords(folder, WORDS)).toEqual([]);
});

describe('vacuum', () => {
  it('leaves no byte of deleted nodes, flows and edits', async () => {
    const folder = await temporaryFolder();
    await using vizprompt = await open(folder);
    const kept = await vizprompt.createNode({ prompt: 'stays', response: SAID });
    const node = await vizprompt.createNode({
      prompt: SAID,
      response: SAID,
      attachments: [{ data: Buffer.from(SAID), mediaType: 'text/plain' }],
    });
    const flow = await vizprompt.createFlow({ name: SAID });
    await vizprompt.build();
    await vizprompt.updateNode(kept.id, { response: 'replaced' });
    await vizprompt.build();
    await vizprompt.deleteNode(node.id);
    await vizprompt.deleteFlow(flow.id);
    await mkdir(join(folder, 'lost+found/nodes'), { recursive: true });
    await writeFile(join(folder, 'lost+found/nodes/x.xml'), SAID);
    // A file outside the project's places stays, and hinders nothing.
    const others = ['lost+found/x', 'history/x.sh', `attachments/aa/${'b'.repeat(64)}`];
    await mkdir(join(folder, 'attachments/aa'), { recursive: true });
    for (const other of others) await writeFile(join(folder, other), 'not ours');
    const planned = await vizprompt.vacuum({ dryRun: true });
    expect(findWords(folder, WORDS)).not.toEqual([]);
    const report = await vizprompt.vacuum();
    expect(report.erased).toEqual(planned.erased);
    expect(counts(report)).toMatchObject({ 'lost+found': 1, attachments: 1 });
    for (const other of others) {
      expect(await readFile(join(folder, other), 'utf8')).toBe('not ours');
    }
    expect(findWords(folder, WORDS)).toEqual([]);
    expect((await vizprompt.getNode(kept.id)).response).toBe('replaced');
    expect(await vizprompt.structure.undo()).toBeUndefined();
    expect((await vizprompt.check()).findings).toEqual([]);
  });

  it('keeps the history where it is asked to, so that a deletion is undone', async () => {
    const folder = await temporaryFolder();
    await using vizprompt = await open(folder);
    const node = await vizprompt.createNode({
      prompt: 'q',
      attachments: [{ data: Buffer.from('file'), mediaType: 'text/plain' }],
    });
    await vizprompt.deleteNode(node.id);
    await vizprompt.vacuum({ keepHistory: true });
    await vizprompt.structure.undo();
    expect((await vizprompt.getNode(node.id)).prompt).toBe('q');
    expect((await vizprompt.check()).findings).toEqual([]);
  });
});
