import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import type { ChatModel } from '@vizprompt/providers';
import { chromium, type Browser, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { CHROMIUM } from '../../../../packages/providers/test/support/chromium.ts';
import { offlineModel } from '../../../studio/offline-model.ts';
import { serveStudio, type Studio } from '../../../studio/server.ts';

export { CHROMIUM, NO_CHROMIUM } from '../../../../packages/providers/test/support/chromium.ts';

/** How a page is opened. */
interface StudioSetup {
  readonly model?: ChatModel;
  readonly locale?: 'ja-JP' | 'en-US';
  readonly width?: number;
  /** Fills the project and the memory before the page is opened. */
  readonly seed?: (vizprompt: VizPrompt, memory: MemoryStore) => Promise<void>;
}

/** The page in a browser, over real servers, a project in a folder and a memory in a file. */
export interface OpenStudio {
  readonly page: Page;
  readonly studio: Studio;
  readonly vizprompt: VizPrompt;
  readonly memory: MemoryStore;
  /** Where the project lies. */
  readonly project: string;
  /** Errors that were thrown and not caught in the page, and those that it wrote to its console. */
  readonly failures: readonly string[];
  /** Ends the servers, as if the machine were gone. */
  stop(): Promise<void>;
  /** Starts them again at the same address. */
  start(): Promise<void>;
}

let browser: Promise<Browser> | undefined;

function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  return browser;
}

/** For `afterAll`: the pages of a file share a browser. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** Serves and opens the page; all of it ends with the test. */
export async function openStudio(setup: StudioSetup = {}): Promise<OpenStudio> {
  const { model = offlineModel(), locale = 'en-US', width = 1200 } = setup;
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-studio-test-'));
  const project = join(folder, 'project');
  const vizprompt = await VizPrompt.open(project, { model });
  const memory = await MemoryStore.open({ path: join(folder, 'ptta.db') });
  await setup.seed?.(vizprompt, memory);
  let studio: Studio | undefined = await serveStudio({ vizprompt, memory });
  const { url, token } = studio;
  const port = Number(new URL(url).port);
  const context = await (
    await theBrowser()
  ).newContext({ locale, timezoneId: 'Asia/Tokyo', viewport: { width, height: 700 } });
  onTestFinished(async () => {
    await context.close();
    await studio?.close();
    await vizprompt.close();
    await memory.close();
    await rm(folder, { recursive: true, force: true });
  });
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  page.on('console', (message) => {
    // That a connection cannot be made is for the user to see, and no fault of the page.
    const isAway = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE/.test(
      message.text(),
    );
    if (message.type() === 'error' && !isAway) failures.push(message.text());
  });
  await page.goto(url);
  return {
    page,
    studio,
    vizprompt,
    memory,
    project,
    failures,
    async stop() {
      await studio?.close();
      studio = undefined;
    },
    async start() {
      studio = await serveStudio({ vizprompt, memory, port, token });
    },
  };
}

/** Returns the content of the graph, read out of Cytoscape.js: the text of each node, and the ends of each edge. */
export function graphOf(page: Page): Promise<{ nodes: string[]; edges: string[] }> {
  return page.evaluate(`(() => {
    const cy = document.getElementById('graph')?._cyreg?.cy;
    const label = (node) => node.data('label');
    return {
      nodes: cy?.nodes().map(label) ?? [],
      edges: cy?.edges().map((e) => label(e.source()) + ' > ' + label(e.target()) + ' ' + e.data('branch')) ?? [],
    };
  })()`);
}
