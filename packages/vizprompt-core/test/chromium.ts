import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './support.ts';

const path = [
  process.env['CHROME_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((file) => existsSync(file));

/** Whether a Chromium is on this machine. */
export const hasChromium: boolean = path !== undefined;

/** A page in a real browser. */
export interface ChromiumPage {
  evaluate(expression: string): Promise<unknown>;
  press(key: string): Promise<void>;
  /** All addresses that were asked for. */
  readonly requests: readonly string[];
  /** What was thrown and not caught. */
  readonly failures: readonly unknown[];
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly request?: { readonly url: string } };
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/**
 * Opens a page, by the DevTools protocol over pipes: file descriptors 3 and 4, a NUL behind each
 * message.
 */
export async function openInChromium(
  url: string,
  size: { readonly width: number; readonly height: number },
): Promise<ChromiumPage> {
  const profile = await temporaryFolder();
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run'];
  const child = spawn(
    path ?? '',
    [...options, '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const exited = once(child, 'exit');
  const [input, output] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  const waiting = new Map<number, (message: Message) => void>();
  const requests: string[] = [];
  const failures: unknown[] = [];
  let loaded = (): void => {};
  const isLoaded = new Promise<void>((resolve) => (loaded = resolve));
  let buffer = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (buffer + chunk).split('\0');
    buffer = messages.pop() ?? '';
    for (const text of messages) {
      const message = JSON.parse(text) as Message;
      if (message.id !== undefined) waiting.get(message.id)?.(message);
      if (message.method === 'Network.requestWillBeSent')
        requests.push(message.params?.request?.url ?? '');
      if (message.method === 'Runtime.exceptionThrown') failures.push(message.params);
      if (message.method === 'Page.loadEventFired') loaded();
    }
  });
  let sessionId: unknown;
  let count = 0;
  const send = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    const id = ++count;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  ({ sessionId } = await send('Target.attachToTarget', { targetId, flatten: true }));
  for (const domain of ['Page', 'Runtime', 'Network']) await send(`${domain}.enable`);
  await send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 2, mobile: true });
  await send('Page.navigate', { url });
  await isLoaded;
  return {
    requests,
    failures,
    async evaluate(expression) {
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
      return (result as { value?: unknown }).value;
    },
    async press(key) {
      await send('Input.dispatchKeyEvent', { type: 'keyDown', key });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', key });
    },
  };
}
