// The web chat as a person installs, starts and uses it: in a real browser, with the packages as they are published.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VizPrompt } from '@vizprompt/core';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CHROMIUM, NO_CHROMIUM } from '../../../packages/providers/test/support/chromium.ts';
import { type Packed, servePacked } from './support/packed.ts';
import { run } from './support/run.ts';

const timeout = 1_200_000;
const source = fileURLToPath(new URL('../../chat-app', import.meta.url));
const sqlite = fileURLToPath(new URL('../../../node_modules/better-sqlite3', import.meta.url));

let packed: Packed;
let app: string;
beforeAll(async () => {
  packed = await servePacked();
  app = join(packed.place, 'chat-app');
  const isOwn = (file: string): boolean =>
    !['node_modules', 'dist', 'chat-app-data'].includes(basename(file));
  cpSync(source, app, { recursive: true, filter: isOwn });
  const file = join(app, 'package.json');
  const manifest = readFileSync(file, 'utf8').replaceAll(/"file:[^"]*"/g, '"latest"');
  writeFileSync(file, manifest);
  // AI SDK 7 says that it needs Node 22, and runs on 20.
  const options = [
    '--ignore-scripts',
    '--engine-strict=false',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ];
  await run('npm', ['install', ...options, `--registry=${packed.registry.url}`], { cwd: app });
  // The one that is built for this Node.
  rmSync(join(app, 'node_modules/better-sqlite3'), { recursive: true, force: true });
  symlinkSync(sqlite, join(app, 'node_modules/better-sqlite3'), 'junction');
}, timeout);
afterAll(() => packed[Symbol.asyncDispose](), timeout);

/** The program that `npm start` started, and what it serves. */
interface Started {
  readonly url: string;
  /** Ends it as Ctrl+C does, and waits until all of its programs have ended. */
  end(): Promise<void>;
}

async function start(folder: string, ...more: readonly string[]): Promise<Started> {
  const args = ['start', '--silent', '--', '--port', '0', '--folder', folder, ...more];
  const child = spawn('npm', args, {
    cwd: app,
    // A group of its own, as a terminal gives it: its programs end together.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => killGroup(child, 'SIGKILL'));
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (text: Buffer) => {
      printed += text.toString();
      const [, found] = /open (\S+)/.exec(printed) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${printed}`)));
  });
  return {
    url,
    async end() {
      const closed = once(child, 'close');
      killGroup(child, 'SIGINT');
      await closed;
    },
  };
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** The page as a person uses it. */
class Chat {
  readonly page: Page;
  readonly failures: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.failures.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.failures.push(message.text());
    });
  }

  static async open(url: string): Promise<Chat> {
    const browser = await chromium.launch({
      ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
      args: ['--no-sandbox', '--disable-gpu'],
    });
    onTestFinished(() => browser.close());
    const chat = new Chat(await browser.newPage({ viewport: { width: 1000, height: 800 } }));
    await chat.page.goto(url);
    return chat;
  }

  async say(text: string, answer: number): Promise<void> {
    const input = this.page.getByLabel('Message', { exact: true });
    await input.fill(text);
    await input.press('Enter');
    await this.answered(answer);
  }

  /** Says something, and waits for the beginning of the answer. */
  async begin(text: string): Promise<void> {
    const input = this.page.getByLabel('Message', { exact: true });
    await input.fill(text);
    await input.press('Enter');
    await this.page.locator('.assistant').last().getByText('Stand-in').waitFor();
  }

  async edit(message: number, text: string, answer: number): Promise<void> {
    await this.page.locator('.user').nth(message).getByText('Edit').click();
    await this.page.getByLabel('Edited message').fill(text);
    await this.page.getByText('Ask again').click();
    await this.answered(answer);
  }

  async regenerate(message: number, answer: number): Promise<void> {
    await this.page.locator('.assistant').nth(message).getByText('Answer again').click();
    await this.answered(answer);
  }

  async flip(place: string, way: 'Previous' | 'Next', shown: string): Promise<void> {
    await this.page.locator(place).getByLabel(`${way} branch`).click();
    await this.page.locator(place).filter({ hasText: shown }).waitFor();
  }

  /** Waits until an answer has come to its end. */
  async answered(count: number): Promise<void> {
    await this.page.getByText(`Stand-in answer ${count}.`, { exact: false }).first().waitFor();
    await this.page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  }

  /** The messages on the screen, each with its place among its branches. */
  shown(): Promise<string[]> {
    return this.page.locator('.message').evaluateAll((all) =>
      all.map((each) => {
        const [text = ''] = each.querySelector('.text')?.textContent.split('. A model') ?? [];
        const place = each.querySelector('.branches')?.textContent.replaceAll(/[^\d/]/g, '');
        return place === undefined ? text : `${text} (${place})`;
      }),
    );
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator('.message').first().waitFor();
  }
}

describe('the web chat', () => {
  it('has types that fit', { timeout }, async () => {
    const types = run('npm', ['run', '--silent', 'types'], { cwd: app });
    await expect(types).resolves.toBe('');
  });

  it('has all branches after a reload and a restart, as files', { timeout }, async ({ skip }) => {
    skip(CHROMIUM === undefined, NO_CHROMIUM);
    const folder = join(packed.place, 'chats');
    const first = await start(folder);
    const chat = await Chat.open(first.url);
    await chat.say('When do cats sleep?', 1);
    await chat.say('And dogs?', 2);
    await run('git', ['init', '--quiet'], { cwd: folder });
    await run('git', ['add', '--all'], { cwd: folder });
    await chat.regenerate(1, 3);
    expect(await changesOf(folder)).toEqual([
      ' M flows/00/00.yaml',
      ' M metadata/node_map.tsv',
      '?? nodes/00/02.xml',
    ]);
    await chat.edit(0, 'When do owls sleep?', 4);
    await chat.say('And bats?', 5);
    const owls = [
      'When do owls sleep? (2/2)',
      'Stand-in answer 4',
      'And bats?',
      'Stand-in answer 5',
    ];
    const cats = [
      'When do cats sleep? (1/2)',
      'Stand-in answer 1',
      'And dogs?',
      'Stand-in answer 3 (2/2)',
    ];
    expect(await chat.shown()).toEqual(owls);
    await chat.reload();
    await expect.poll(() => chat.shown()).toEqual(owls);
    // assistant-ui shows the oldest answer of a branch that is not on the screen.
    await chat.flip('.user >> nth=0', 'Previous', 'When do cats sleep?');
    expect((await chat.shown()).at(-1)).toBe('Stand-in answer 2 (1/2)');
    await chat.flip('.assistant >> nth=1', 'Next', 'Stand-in answer 3');
    expect(await chat.shown()).toEqual(cats);
    await chat.page.waitForLoadState('networkidle');
    await chat.reload();
    await expect.poll(() => chat.shown()).toEqual(cats);
    await chat.page.screenshot({ path: process.env['CHAT_SCREENSHOT'] ?? join(folder, '.png') });
    await first.end();

    const second = await start(folder);
    const hash = new URL(chat.page.url()).hash;
    const again = await Chat.open(`${second.url}/${hash}`);
    await expect.poll(() => again.shown()).toEqual(cats);
    await again.say('And at noon?', 1);
    await again.flip('.user >> nth=0', 'Next', 'When do owls sleep?');
    expect(await again.shown()).toEqual(owls);
    await again.page.getByLabel('Delete this chat').click();
    await expect.poll(() => again.page.getByLabel('Delete this chat').count()).toBe(0);
    expect([...chat.failures, ...again.failures]).toEqual([]);
    await second.end();
    await using vizprompt = await VizPrompt.open(folder);
    expect(await vizprompt.listFlows()).toEqual([]);
    expect((await vizprompt.check()).findings).toEqual([]);
  });

  it('continues with an answer after a reload', { timeout }, async ({ skip }) => {
    skip(CHROMIUM === undefined, NO_CHROMIUM);
    const { url, end } = await start(join(packed.place, 'resumed'), '--delay', '1000');
    const chat = await Chat.open(url);
    await chat.begin('about cats');
    const resumed = chat.page.waitForResponse(/\/stream$/);
    await chat.reload();
    expect((await resumed).status()).toBe(200);
    await chat.page.getByText('- user: about cats').waitFor();
    await chat.answered(1);
    const shown = await chat.shown();
    expect(shown).toEqual(['about cats', 'Stand-in answer 1']);
    await chat.reload();
    await expect.poll(() => chat.shown()).toEqual(shown);
    expect(chat.failures).toEqual([]);
    await end();
  });

  it(
    'stores what was said before it is stopped, by a person or the end of the server',
    {
      timeout,
    },
    async ({ skip }) => {
      skip(CHROMIUM === undefined, NO_CHROMIUM);
      const folder = join(packed.place, 'stopped');
      const { url, end } = await start(folder, '--delay', '1000');
      const chat = await Chat.open(url);
      await chat.begin('about cats');
      await chat.page.getByRole('button', { name: 'Stop' }).click();
      await chat.page.getByRole('button', { name: 'Send', exact: true }).waitFor();
      await chat.reload();
      await expect.poll(() => chat.shown()).toHaveLength(2);
      await chat.begin('about dogs');
      await end();
      await using vizprompt = await VizPrompt.open(folder);
      const [flow] = await vizprompt.listFlows();
      const { messages } = await vizprompt.readThread({ id: flow?.id ?? '' });
      expect(messages.map(({ message: { role, status } }) => [role, status])).toEqual([
        ['user', undefined],
        ['assistant', 'aborted'],
        ['user', undefined],
        ['assistant', 'aborted'],
      ]);
    },
  );

  it('is not there for the pages of others', { timeout }, async () => {
    const { url, end } = await start(join(packed.place, 'others'));
    const body = JSON.stringify({
      id: 'c',
      messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    });
    const headers = { 'content-type': 'text/plain', origin: 'https://evil.test' };
    const forged = await fetch(`${url}/api/chat`, { method: 'POST', headers, body });
    expect(forged.status).toBe(403);
    const own = { 'content-type': 'application/json' };
    const place = `${url}/api/threads/x/messages`;
    const written = await fetch(place, { method: 'PUT', headers: own, body });
    expect(written.status).toBe(404);
    await end();
  });
});

/** Returns the changes that git sees since the last `git add`. */
async function changesOf(folder: string): Promise<readonly string[]> {
  const printed = await run('git', ['status', '--porcelain', '--untracked-files=all'], {
    cwd: folder,
  });
  // Files that were added and did not change since have a blank in the second column.
  return printed
    .split('\n')
    .filter((line) => /^(?:.M|\?\?)/.test(line))
    .map((line) => line.replace(/^AM/, ' M'));
}
