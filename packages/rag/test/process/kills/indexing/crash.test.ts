import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { segmenterAnalyzer } from '../../../../src/index.ts';
import { isOpen, kill, startChild } from '../../../support/children.ts';
import { temporaryFolder } from '../../../support/search-index.ts';
import {
  answersOf,
  freshAnswers,
  makeProject,
  openIndexer,
  put,
  remove,
} from '../../../support/indexed-project.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 5);

const WORDS = ['灯台', '嵐', '猫', '海', '夜明け', 'カモメ', '桟橋', '手紙', 'lighthouse'];
const QUERIES = ['灯台', '嵐の猫', '海と夜明けとカモメ', '"猫の海"', '+桟橋 -手紙', '/new [0-9]+/'];

const random = (below: number): number => Math.floor(Math.random() * below);

function text(title: string): string {
  const paragraph = (): string =>
    Array.from({ length: 1 + random(9) }, () => WORDS[random(WORDS.length)]).join('の');
  return [title, ...Array.from({ length: random(12) }, paragraph)].join('\n\n');
}

/** Changes, adds, renames and deletes some files, or very many. */
function change(folder: string, round: number): void {
  const isMass = round % 3 === 0;
  const count = isMass ? 300 : 1 + random(8);
  for (let at = 0; at < count; at++) {
    const path = `contents/${random(isMass ? 400 : 60)}.md`;
    const kind = random(10);
    if (kind < 7) put(folder, path, text(`new ${round}`));
    else remove(folder, path);
  }
  if (round % 5 === 4) remove(folder, 'settings');
  else put(folder, `settings/${random(3)}/人物.md`, text(`${round}`));
}

it(
  'a process that is killed while it indexes, updates or compacts leaves an index that the next one completes',
  { timeout: 60_000 + ROUNDS * 10_000 },
  async () => {
    const folder = makeProject();
    const indexFolder = temporaryFolder();
    const options = { indexFolder, analyzer: segmenterAnalyzer() };
    const tasks = ['refresh', 'compact', 'watch'] as const;
    let interrupted = 0;
    for (let round = 0; round < ROUNDS; round++) {
      // Every seventh time it is killed within its first build.
      const isFirst = round % 7 === 0;
      if (isFirst) for (const name of readdirSync(indexFolder)) remove(indexFolder, name);
      change(folder, round);
      const task = tasks[round % tasks.length] ?? 'watch';
      const child = startChild('index-project', [folder, indexFolder, task]);
      const moment = task === 'compact' && !isFirst ? 'compact:started' : 'index:started';
      let isAtWork = false;
      child.on('message', ({ type }: { type: string }) => {
        if (type.endsWith(':started')) isAtWork = true;
        if (type.endsWith(':finished')) isAtWork = false;
      });
      const begun = heard(child, moment);
      await isOpen(child);
      if (!isFirst) change(folder, round + 1);
      // The changed byte may be of no consequence.
      await Promise.race([begun, sleep(2000)]);
      await sleep(random(round % 3 === 0 ? 150 : 40));
      await kill(child);
      if (isAtWork) interrupted++;

      const indexer = await openIndexer(folder, options);
      await indexer.refresh();
      const answers = await answersOf(indexer, QUERIES);
      expect(answers).toEqual(await freshAnswers(folder, QUERIES, options));
      await indexer.close();
    }
    expect(interrupted).toBeGreaterThan(ROUNDS / 3);
  },
);

it('of two processes that watch a project one does the work, and both see it', async () => {
  const folder = makeProject({ 'contents/01.md': '灯台の朝' });
  const indexFolder = temporaryFolder();
  const args = [folder, indexFolder, 'watch'];
  const children = [startChild('index-project', args), startChild('index-project', args)];
  const finished: number[] = [];
  for (const [number, child] of children.entries()) {
    child.on('message', ({ type }: { type: string }) => {
      if (type === 'index:finished') finished.push(number);
    });
  }
  await Promise.all(children.map((child) => heard(child, 'watching')));
  expect(finished).toHaveLength(1);
  for (let round = 0; round < 5; round++) {
    finished.length = 0;
    put(folder, `contents/new-${round}.md`, `嵐の夜 ${round}`);
    await Promise.all(children.map((child) => heard(child, 'index:changed')));
    expect(finished).toHaveLength(1);
    for (const child of children) expect(await ask(child, '嵐')).toHaveLength(round + 1);
  }
});

it('when the process that indexes is killed, the one that waits for it continues', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `contents/${at}.md`,
      `嵐 ${at}。${'海の町。'.repeat(200)}`,
    ]),
  );
  const folder = makeProject(files);
  const indexFolder = temporaryFolder();
  const args = [folder, indexFolder, 'watch'];
  const first = startChild('index-project', args);
  await heard(first, 'index:started');
  const second = startChild('index-project', args);
  const watching = heard(second, 'watching');
  await heard(second, 'index:waiting');
  await kill(first);
  await watching;
  const options = { indexFolder, analyzer: segmenterAnalyzer() };
  const indexer = await openIndexer(folder, options);
  expect(await indexer.refresh()).toMatchObject({ removed: 0, failed: 0 });
  expect(await answersOf(indexer, QUERIES)).toEqual(await freshAnswers(folder, QUERIES, options));
  expect((await indexer.backend.stats()).documents).toBe(300);
  expect(readdirSync(join(folder, 'contents'))).toHaveLength(300);
});

/** Waits until a child reports something. */
function heard(child: ReturnType<typeof startChild>, type: string): Promise<void> {
  return new Promise((resolve) => {
    const hear = (message: { type: string }): void => {
      if (message.type !== type) return;
      child.off('message', hear);
      resolve();
    };
    child.on('message', hear);
  });
}

function ask(child: ReturnType<typeof startChild>, query: string): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const hear = (message: { type: string; files: string[] }): void => {
      if (message.type !== 'answer') return;
      child.off('message', hear);
      resolve(message.files);
    };
    child.on('message', hear);
    child.send(query);
  });
}
