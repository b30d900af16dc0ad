import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MemoryStore } from '@vizprompt/memory';
import { JSDOM, type DOMWindow } from 'jsdom';
import { openInChromium } from '../../../../providers/test/support/chromium.ts';
import { temporaryFolder } from '../open-store.ts';

/** Texts that would break out of a page that is not careful. */
export const HOSTILE: readonly string[] = [
  '</script><script>globalThis.pwned = 1; document.title = "PWNED"</script>',
  '<img src=x onerror="globalThis.pwned = 1; document.title = \'PWNED\'">',
  '" onmouseover="globalThis.pwned = 1" x="',
  "' autofocus onfocus='globalThis.pwned = 1' '",
  '--><svg onload=globalThis.pwned=1><!--',
  '</pre></details></article></main><style>*{display:none}</style>',
  ']]><![CDATA[<b>',
  '&lt;b&gt; &amp; &#60;b&#62; &unknown;',
  'مرحبا \u202eexe.txt\u202c \u2066x\u2069 שלום',
  'NUL \0 tab \t BEL \u0007 CRLF\r\nCR\rLS\u2028PS\u2029',
  '\n\nZwei Zeilen davor, 日本語 😀 👨‍👩‍👧 ﷽',
  '```html\n<iframe src="javascript:alert(1)"></iframe>\n```',
  '<a href="javascript:globalThis.pwned=1">x</a>',
  '${globalThis.pwned = 1} {{7*7}} \\u003cscript\\u003e',
];

/** A page as a reader meets it. */
export interface Page {
  readonly document: Document;
  readonly window: DOMWindow;
  readonly errors: readonly unknown[];
  /** The sequences of the events that are shown. */
  shown(): number[];
  check(type: string, isChecked: boolean): void;
  path(text: string): void;
  click(selector: string): void;
  press(key: string): void;
  status(): string;
}

/** Opens a page and runs its script. */
export function openPage(html: string, hash = ''): Page {
  const errors: unknown[] = [];
  const { window } = new JSDOM(html, {
    runScripts: 'dangerously',
    url: `https://example.org/${hash}`,
    beforeParse(page) {
      page.addEventListener('error', (event) => errors.push(event.error));
    },
  });
  const { document } = window;
  return {
    document,
    window,
    errors,
    shown: () => {
      const links = document.querySelectorAll('article:not([hidden])>header>a');
      return [...links].map(({ textContent }) => Number(textContent));
    },
    check(type, isChecked) {
      const box = document.querySelector<HTMLInputElement>(`[value=${type}]`)!;
      box.checked = isChecked;
      box.dispatchEvent(new window.Event('change', { bubbles: true }));
    },
    path(text) {
      const input = document.querySelector<HTMLInputElement>('#path')!;
      input.value = text;
      input.dispatchEvent(new window.Event('input', { bubbles: true }));
    },
    click(selector) {
      document
        .querySelector(selector)
        ?.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true }));
    },
    press(key) {
      document.dispatchEvent(
        new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      );
    },
    status: () => document.querySelector('[role=status]')?.textContent ?? '',
  };
}

/** 1 says, 2 thinks, 3 intends and 4 edits, 5 intends, 6 runs, 7 edits for 5, 8 answers, 9 is forgotten. */
export async function session(store: MemoryStore): Promise<string> {
  const { id } = await store.startSession({
    workspace: '/w',
    metadata: { branch: 'main', tags: ['認証'] },
  });
  await store.log(id, 'user_message', { content: '認証を追加して' });
  await store.log(id, 'thinking', { content: 'JWTが良い\n二行目' });
  for (const [path, between] of [
    ['src/auth.ts', false],
    ['src/app.ts', true],
  ] as const) {
    const change = { action: 'edit' as const, file_path: path };
    const intention = await store.log(id, 'code_intention', { ...change, reason: `${path}の理由` });
    if (between)
      await store.log(id, 'tool_use', {
        tool: 'Bash',
        parameters: { command: 'npm test' },
        duration_ms: 12,
      });
    await store.log(id, 'file_edit', {
      ...change,
      old_content: 'a\nb\n',
      new_content: 'a\nc\n',
      intention_event_id: intention.id,
      success: true,
    });
  }
  await store.log(
    id,
    'assistant_message',
    { content: '追加しました' },
    { meta: { model: 'qwen3' } },
  );
  const { id: gone } = await store.log(id, 'user_message', { content: '秘密の話' });
  await store.forget({ event: gone });
  return id;
}

/** Returns a session in which everything that can be hostile is. */
export async function hostileSession(store: MemoryStore): Promise<string> {
  const [first = ''] = HOSTILE;
  const { id } = await store.startSession({
    workspace: `/w/${first.replaceAll('/', '∕')}`,
    metadata: { branch: first, tags: [...HOSTILE], initial_context: first },
  });
  for (const text of HOSTILE) {
    const meta = { speaker: text, model: text };
    await store.log(id, 'user_message', { content: text }, { meta });
    await store.log(id, 'assistant_message', {
      content: text,
      tool_calls: [{ tool: text, args: { [text]: text } }],
    });
    await store.log(id, 'thinking', { content: text, context: text });
    const path = `src/${text.replaceAll(/[/\0]/g, '∕')}.ts`;
    const intention = await store.log(id, 'code_intention', {
      action: 'edit',
      file_path: path,
      reason: text,
    });
    const change = { action: 'edit' as const, file_path: path, intention_event_id: intention.id };
    await store.log(id, 'file_edit', {
      ...change,
      old_content: 'a',
      new_content: text,
      success: true,
    });
    await store.log(id, 'file_edit', { ...change, success: false, error_message: text });
    await store.log(id, 'tool_use', { tool: text, parameters: { [text]: text }, result: text });
  }
  return id;
}

/** Returns the page as a browser has it when its script has run, and what the browser complained of. */
export async function inChromium(
  html: string,
  hash = '',
): Promise<{ readonly document: Document; readonly complaints: string }> {
  const file = join(await temporaryFolder(), 'memory.html');
  await writeFile(file, html);
  const page = await openInChromium(`${pathToFileURL(file).href}${hash}`);
  const { document } = new JSDOM(await page.content()).window;
  return { document, complaints: [...page.console, ...page.failures].map(String).join('\n') };
}
