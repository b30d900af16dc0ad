import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Where a Chromium lies, if there is one: as CHROMIUM_PATH says, or on the PATH. */
export const CHROMIUM: string | undefined = [
  process.env['CHROMIUM_PATH'] ?? '',
  ...(process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => {
    return NAMES.map((name) => join(folder, name));
  }),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((file) => existsSync(file));

/** Why tests in a browser are skipped. */
export const NO_CHROMIUM = 'there is no Chromium: install one, or set CHROMIUM_PATH';

/** A page in a real browser. */
export interface ChromiumPage {
  /** Returns the value of a JavaScript expression; a promise is waited for. */
  evaluate(expression: string): Promise<unknown>;
  press(key: string): Promise<void>;
  /** Returns the document as HTML, as it is now. */
  content(): Promise<string>;
  /** All addresses that were asked for. */
  readonly requests: readonly string[];
  /** The errors that were thrown and not caught. */
  readonly failures: readonly unknown[];
  /** The console messages of the browser. */
  readonly console: readonly string[];
}

/** Opens a page when all of it is loaded; the browser ends with the test. */
export async function openInChromium(
  url: string,
  phone?: { readonly width: number; readonly height: number },
): Promise<ChromiumPage> {
  const browser = await chromium.launch({
    ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage(
    phone ? { viewport: phone, deviceScaleFactor: 2, isMobile: true } : {},
  );
  const requests: string[] = [];
  const failures: unknown[] = [];
  const written: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => failures.push(error));
  page.on('console', (message) => written.push(message.text()));
  await page.goto(url, { waitUntil: 'load' });
  return {
    requests,
    failures,
    console: written,
    evaluate: (expression) => page.evaluate(expression),
    press: (key) => page.keyboard.press(key),
    content: () => page.content(),
  };
}
