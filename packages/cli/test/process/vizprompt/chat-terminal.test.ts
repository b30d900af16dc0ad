import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { StoredFlow, StoredNode } from '@vizprompt/core';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { binOf } from '../../support/run.ts';
import { testProject, type TestProject } from '../../support/project.ts';

const SCRIPT = '/usr/bin/script';

/** A chat on a pseudoterminal, which `script` of util-linux makes. */
class Terminal {
  output = '';
  readonly ended: Promise<number | null>;
  readonly #child;

  constructor({ place }: TestProject, words: readonly string[]) {
    const command = [process.execPath, binOf('vizprompt'), 'chat', ...words];
    const line = command.map((word) => `'${word}'`).join(' ');
    const { PATH = '' } = process.env;
    this.#child = spawn(SCRIPT, ['-qfec', line, '/dev/null'], {
      cwd: place.cwd,
      env: { PATH, HOME: place.home, LANG: 'C.UTF-8', TERM: 'xterm' },
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.ended = new Promise((done) => this.#child.once('close', done));
    onTestFinished(() => void this.#child.kill('SIGKILL'));
  }

  /** Waits for a text after what was seen before. */
  async sees(text: string): Promise<void> {
    await vi.waitFor(
      () => {
        if (!this.output.includes(text)) throw new Error(`no '${text}' in ${this.output}`);
      },
      { timeout: 90_000, interval: 20 },
    );
    this.output = this.output.slice(this.output.indexOf(text) + text.length);
  }

  types(keys: string): void {
    this.#child.stdin.write(keys);
  }
}

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

describe.skipIf(!existsSync(SCRIPT))('vizprompt chat on a terminal', () => {
  it('streams, stops at Ctrl+C and continues, shows mistakes and the tree, and ends at Ctrl+D', async () => {
    const llm = await startFakeLLM();
    onTestFinished(() => llm.close());
    llm.answer('はい、猫です。', 'これは長い答えです。', '赤\u001B[2J。');
    const project = await testProject();
    const terminal = new Terminal(project, ['--model', 'ollama:m', '--base-url', llm.url]);
    await terminal.sees('ollama:m, flow main. /help');
    await terminal.sees('> ');
    terminal.types('猫は好き？\r');
    await terminal.sees('はい、猫です。');
    await terminal.sees('[1: ');
    llm.fail({ type: 'stall', afterChunks: 2 });
    terminal.types('話して\r');
    await terminal.sees('これは長い答え');
    terminal.types(CTRL_C);
    await terminal.sees('[stopped; what had come is kept]');
    terminal.types('/nothing\r');
    await terminal.sees('there is no command /nothing');
    terminal.types('/branch 1\r');
    await terminal.sees('[the next message continues from 1: 猫は好き？]');
    terminal.types('色は？\r');
    await terminal.sees('赤\u241B[2J。');
    terminal.types('/tree\r');
    await terminal.sees('├─● 2 話して');
    terminal.types(CTRL_D);
    expect(await terminal.ended).toBe(0);
    const { nodes } = await project.json<StoredFlow>(['flow', 'show']);
    const kept = await Promise.all(
      nodes.map(({ id }) => project.json<StoredNode>(['get-node', id])),
    );
    expect(kept.map(({ response, status }) => [response, status])).toEqual([
      ['はい、猫です。', 'done'],
      ['これは長い答えで', 'aborted'],
      ['赤\u001B[2J。', 'done'],
    ]);
  });

  it('ends at the second Ctrl+C at the prompt', async () => {
    const project = await testProject();
    const words = ['--model', 'ollama:m', '--base-url', 'http://127.0.0.1:9', '--lang', 'ja'];
    const terminal = new Terminal(project, words);
    await terminal.sees('> ');
    terminal.types(CTRL_C);
    await terminal.sees('もう一度 Ctrl+C');
    terminal.types(CTRL_C);
    expect(await terminal.ended).toBe(0);
  });
});
