import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** The one rule that Cytoscape.js puts into the page itself: nothing else inline is let through. */
const CYTOSCAPE_RULE = '.__________cytoscape_container { position: relative; }';

/** The policy of the page: its own files and servers, and no text that becomes code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'sha256-${createHash('sha256').update(CYTOSCAPE_RULE).digest('base64')}'`,
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/**
 * Reads the files of the page, and gives back what serves them. Only what was there when it was read can be
 * asked for, so that no path leads elsewhere.
 */
export async function loadPage(): Promise<(request: Request) => Response> {
  const folder = fileURLToPath(new URL('page', import.meta.url));
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !(extname(entry.name) in TYPES)) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(file.slice(folder.length).replaceAll('\\', '/'), await readFile(file, 'utf8'));
  }
  const cytoscape = createRequire(import.meta.url).resolve('cytoscape/dist/cytoscape.min.js');
  files.set('/vendor/cytoscape.js', await readFile(cytoscape, 'utf8'));
  return (request) => {
    const { pathname } = new URL(request.url);
    const path = pathname === '/' ? '/index.html' : pathname;
    const text = files.get(path);
    if (text === undefined) return new Response('not found\n', { status: 404 });
    return new Response(text, {
      headers: { ...HEADERS, 'Content-Type': TYPES[extname(path)] ?? 'text/plain' },
    });
  };
}
