import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { broughtBack, savedOutput, wholeOutput } from '../../../src/capture/tool-output.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

/** Returns the head that Claude Code writes instead of a long output. */
function claude(path: string, end = '\n</persisted-output>'): string {
  return `<persisted-output>\nOutput too large (305.6KB). Full output saved to: ${path}\n\nPreview (first 2KB):\n1\n...${end}`;
}
const gemini = (path: string): string =>
  `Tool output was too large and has been truncated.\nThe full output has been saved to: ${path}\n1`;

describe('the text of a file takes the place of what was shortened', () => {
  it.each([
    ['nothing', ''],
    ['another block', '\n[second block]'],
    ['a block with the same words', '\n</persisted-output>\nmore'],
  ])('and is followed by %s', async (_, rest) => {
    const folder = await newFolder();
    await put(folder, 'tool-results/b.txt', 'WHOLE');
    expect(savedOutput(claude('/p/s/tool-results/b.txt') + rest, folder)).toBe(`WHOLE${rest}`);
  });

  it('in each block', async () => {
    const folder = await newFolder();
    await put(folder, 'p/call-1.output', 'WHOLE');
    const block = (text: string) => ({ type: 'text', text });
    const blocks = [block(gemini('/p/call-1.output')), block('second')];
    const beside = join(folder, 'p/chats/s');
    await mkdir(beside, { recursive: true });
    expect(savedOutput(blocks, beside)).toEqual([block('WHOLE'), block('second')]);
  });

  it('in blocks up to some size in all', async () => {
    const folder = await newFolder();
    await put(folder, 'tool-results/b.txt', 'x'.repeat(15 << 20));
    const block = { type: 'text', text: claude('/p/s/tool-results/b.txt') };
    const output = savedOutput(
      Array.from({ length: 40 }, () => block),
      folder,
    );
    expect(JSON.stringify(output).length).toBeLessThan(33 << 20);
  });

  it('unless the folder is a link', async () => {
    const folder = await newFolder();
    await put(folder, 'home/tool-results/b.txt', 'WHOLE');
    await symlink(join(folder, 'home'), join(folder, 's'));
    const output = claude('/p/s/tool-results/b.txt');
    expect(savedOutput(output, join(folder, 's'))).toBe(output);
  });

  it('unless the file is empty', async () => {
    const folder = await newFolder();
    await put(folder, 'tool-results/b.txt', '');
    const output = claude('/p/s/tool-results/b.txt');
    expect(savedOutput(output, folder)).toBe(output);
    const details = { stdout: 'first', persistedOutputPath: '/p/s/tool-results/b.txt' };
    expect(wholeOutput(details, folder)).toEqual(details);
  });
});

describe('a file', () => {
  const names = {
    'of Claude Code': [claude('/a/p/s/tool-results/b.txt'), 'tool-results/b.txt'],
    'of Gemini CLI': [gemini('/a/p/tool-outputs/b.txt'), 'tool-outputs/b.txt'],
    'of older versions': [gemini('/a/p/secret.output'), 'secret.output'],
  } as const;
  const owners = [
    ['of Claude Code', 'p/s/subagents/agent-1', ['p/s', 'p/s/subagents/agent-1']],
    ['of Claude Code', 'p/s', ['p/s']],
    ['of Claude Code', 'p/chats/s', ['p/chats/s']],
    ['of Gemini CLI', 'p/chats/s', ['p', 'p/chats/s']],
    ['of Gemini CLI', 'p/chats/s/child', ['p', 'p/chats/s/child']],
    ['of older versions', 'p/chats/s/child', ['p', 'p/chats/s/child']],
    ['of older versions', 'p/s', ['p/s']],
    ['of older versions', 'p/s/subagents/agent-1', ['p/s/subagents/agent-1']],
  ] as const;

  it.each(owners)('%s of the transcript %s is in %j only', async (whose, transcript, own) => {
    const [output, name] = names[whose];
    const folder = await newFolder();
    const beside = join(folder, transcript);
    await mkdir(beside, { recursive: true });
    const found: string[] = [];
    const parts = transcript.split('/');
    for (let count = 0; count <= parts.length; count++) {
      const place = parts.slice(0, count).join('/');
      const path = await put(folder, join(place, name), 'WHOLE');
      if (savedOutput(output, beside) === 'WHOLE') found.push(place);
      fs.rmSync(path);
    }
    expect(found).toEqual(own);
  });
});

describe.skipIf(process.platform === 'win32')('what is no plain file of the folder', () => {
  const details = { stdout: 'first', persistedOutputPath: '/p/s/tool-results/b.txt' };
  const output = claude('/p/s/tool-results/b.txt');

  it('is no saved output: a link', async () => {
    const [folder, other] = [await newFolder(), await newFolder()];
    await put(other, 'b.txt', 'of the user');
    await mkdir(join(folder, 'tool-results'));
    await symlink(join(other, 'b.txt'), join(folder, 'tool-results/b.txt'));
    expect(savedOutput(output, folder)).toBe(output);
    expect(wholeOutput(details, folder)).toEqual(details);
  });

  it('is no saved output: a file of a folder that is a link', async () => {
    const [folder, other] = [await newFolder(), await newFolder()];
    await put(other, 'b.txt', 'of the user');
    await symlink(other, join(folder, 'tool-results'));
    expect(savedOutput(output, folder)).toBe(output);
    expect(wholeOutput(details, folder)).toEqual(details);
  });

  it('is no saved output: a pipe', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'tool-results'));
    const path = join(folder, 'tool-results/b.txt');
    const moved = join(folder, '1-copilot-tool-output-a.txt');
    for (const pipe of [path, moved]) {
      execFileSync('mkfifo', [pipe]);
      // One who opens the pipe gets its text, instead of waiting without an end.
      const writer = spawn('sh', ['-c', 'while true; do echo piped >"$0"; done', pipe], {
        stdio: 'ignore',
      });
      onTestFinished(() => void writer.kill('SIGKILL'));
    }
    expect(savedOutput(output, folder)).toBe(output);
    expect(wholeOutput(details, folder)).toEqual(details);
    const head = `Output too large to read at once (1 MB). Saved to: ${moved}\nthe head`;
    const given = { text_result_for_llm: head };
    expect(broughtBack(given, new Map())).toEqual(given);
  });

  it('is read where the folder itself is behind a link', async () => {
    const [folder, other] = [await newFolder(), await newFolder()];
    await put(other, 's/tool-results/b.txt', 'WHOLE');
    await symlink(other, join(folder, 'p'));
    expect(savedOutput(output, join(folder, 'p/s'))).toBe('WHOLE');
  });
});

it('reads a file once that the details and the output of a call name', async () => {
  const folder = await newFolder();
  const saved = await put(folder, 'a/tool-results/b.txt', 'the whole one');
  const log = new ClaudeLog('twice').user('start').call('toolu_1', 'Bash', { command: 'x' });
  log.result('toolu_1', { stdout: '1', persistedOutputPath: saved }, claude(saved));
  const path = await put(folder, 'a.jsonl', log.toString());
  const opened = vi.spyOn(fs, 'openSync');
  syncBuiltinESMExports();
  onTestFinished(() => {
    opened.mockRestore();
    syncBuiltinESMExports();
  });
  const store = await openMemory();
  await store.importTranscript(path, { closed: true });
  const use = (await onlyEvents(store)).find(({ type }) => type === 'tool_use');
  expect(use?.data).toMatchObject({ result: { stdout: 'the whole one' } });
  expect(opened.mock.calls.filter(([file]) => file === fs.realpathSync(saved))).toHaveLength(1);
});

it('reads the file of an output whose details are null', async () => {
  const folder = await newFolder();
  const saved = await put(folder, 'a/tool-results/b.txt', 'the whole one');
  const log = new ClaudeLog('none').user('start').call('toolu_1', 'Bash', { command: 'x' });
  log.result('toolu_1', null, claude(saved));
  const path = await put(folder, 'a.jsonl', log.toString());
  const store = await openMemory();
  await store.importTranscript(path, { closed: true });
  const use = (await onlyEvents(store)).find(({ type }) => type === 'tool_use');
  expect(use?.data).toMatchObject({ result: 'the whole one' });
});
