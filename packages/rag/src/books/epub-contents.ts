import { readXml, type XmlTag } from './read-xml.ts';
import { BookProblem, decodeReference, type ZipParts } from './zip-parts.ts';

/** An entry of the table of contents. */
export interface TocEntry {
  /** The id of the element that it points to; empty for the beginning of the file. */
  readonly fragment: string;
  readonly title: string;
  /** 1 is outermost. */
  readonly depth: number;
}

/** The parts of a book. */
export interface Contents {
  /** The names of its files of text, in reading order. */
  readonly spine: readonly string[];
  /** The table of contents, by the names of these files. */
  readonly toc: ReadonlyMap<string, readonly TocEntry[]>;
}

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
const PACKAGE = 'application/oebps-package+xml';
const PAGES: ReadonlySet<string> = new Set([
  'application/xhtml+xml',
  'text/html',
  'application/xml',
  'text/x-oeb1-document',
]);
/** Fonts are made unreadable by these; no text is. Source: EPUB OCF 3.3, section 4.4. */
const FONTS_ONLY = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

/**
 * Reads what an EPUB consists of.
 *
 * @throws BookProblem if it is none, or its text is protected.
 */
export async function readContents(parts: ZipParts): Promise<Contents> {
  const root = await packageName(parts);
  const items = new Map<string, XmlTag['attributes']>();
  const spine: string[] = [];
  let ncx: string | undefined;
  await readXml(parts, root, {
    open({ name, attributes }) {
      const id = attributes.get('id')?.trim();
      if (name === 'item' && id !== undefined) items.set(id, attributes);
      if (name === 'spine') ncx = attributes.get('toc')?.trim();
      const ref = attributes.get('idref')?.trim();
      if (name === 'itemref' && ref !== undefined) spine.push(ref);
    },
  });
  const nameOf = (item: XmlTag['attributes'] | undefined): string | undefined => {
    const href = item?.get('href');
    return href === undefined ? undefined : parts.resolve(root, href);
  };
  const isNav = (item: XmlTag['attributes']): boolean =>
    words(item.get('properties')).includes('nav');
  // A book without an order has that of its files.
  const order = spine.some((id) => items.has(id)) ? spine : [...items.keys()];
  const pages = order.flatMap((id) => {
    let item = items.get(id);
    // Other kinds of files have a page to read instead.
    for (let tries = 0; item !== undefined && !isPage(item) && tries < items.size; tries += 1) {
      item = items.get(item.get('fallback')?.trim() ?? '');
    }
    const name = nameOf(item);
    return !item || name === undefined || !isPage(item) || isNav(item) ? [] : [name];
  });
  if (pages.length === 0) throw new BookProblem('it is no EPUB: its package names no text');
  await refuseProtected(parts, pages);
  const nav = nameOf([...items.values()].find(isNav));
  const old =
    nameOf(ncx === undefined ? undefined : items.get(ncx)) ??
    nameOf(
      [...items.values()].find(
        (item) =>
          item.get('media-type') === 'application/x-dtbncx+xml' ||
          /\.ncx$/i.test(item.get('href') ?? ''),
      ),
    );
  const toc = nav !== undefined && parts.has(nav) ? await readNav(parts, nav) : [];
  const entries = toc.length === 0 && old !== undefined ? await readNcx(parts, old) : toc;
  return { spine: [...new Set(pages)], toc: groups(entries) };
}

function isPage(item: XmlTag['attributes']): boolean {
  const known = item.get('media-type');
  if (known === undefined) return /\.x?html?$/i.test(item.get('href') ?? '');
  const [type = ''] = known.split(';');
  return PAGES.has(type.trim().toLowerCase());
}

interface PlacedEntry extends TocEntry {
  readonly page: string;
}

function groups(entries: readonly PlacedEntry[]): ReadonlyMap<string, readonly TocEntry[]> {
  const byPage = new Map<string, PlacedEntry[]>();
  for (const entry of entries) {
    const known = byPage.get(entry.page);
    if (known) known.push(entry);
    else byPage.set(entry.page, [entry]);
  }
  return byPage;
}

async function packageName(parts: ZipParts): Promise<string> {
  let [book, other, lost]: (string | undefined)[] = [];
  const container = parts.resolve('', CONTAINER);
  if (parts.has(container)) {
    await readXml(parts, container, {
      open({ name: tag, attributes }) {
        const path = attributes.get('full-path');
        if (tag !== 'rootfile' || path === undefined) return;
        // One of several forms of a book may not be in the archive; it may be there as PDF, too.
        if (!parts.has(parts.resolve('', path))) lost ??= path;
        else if (attributes.get('media-type')?.trim() === PACKAGE) book ??= path;
        else other ??= path;
      },
    });
  }
  const name = book ?? other ?? lost;
  if (name === undefined) throw new BookProblem(`it is no EPUB: ${CONTAINER} names no package`);
  return parts.resolve('', name);
}

/** @throws BookProblem if a file of text is encrypted. */
async function refuseProtected(parts: ZipParts, pages: readonly string[]): Promise<void> {
  if (!parts.has(ENCRYPTION)) return;
  let isText = true;
  const encrypted: string[] = [];
  await readXml(parts, ENCRYPTION, {
    open({ name, attributes }) {
      if (name === 'EncryptedData') isText = true;
      if (name === 'EncryptionMethod') isText = !FONTS_ONLY.test(attributes.get('Algorithm') ?? '');
      const uri = attributes.get('URI');
      // References are relative to the root of the archive.
      if (name === 'CipherReference' && uri !== undefined && isText) {
        encrypted.push(parts.resolve('', uri));
      }
    },
  });
  if (pages.some((page) => encrypted.includes(page))) {
    throw new BookProblem(
      'it is protected (DRM): only the program that it was bought for can read it',
    );
  }
}

/** Reads the table of contents of EPUB 3. */
async function readNav(parts: ZipParts, nav: string): Promise<readonly PlacedEntry[]> {
  const entries: PlacedEntry[] = [];
  let [navs, depth, readings] = [0, 0, 0];
  let link: { readonly href: string; title: string } | undefined;
  /** Parts without a link of their own begin where their first chapter does. */
  let parents: { title: string; readonly depth: number }[] = [];
  let isParent = false;
  await readXml(parts, nav, {
    open({ name, attributes }) {
      if (name === 'nav') {
        const isToc =
          words(attributes.get('type')).includes('toc') ||
          words(attributes.get('role')).includes('doc-toc');
        if (isToc || navs > 0) navs += 1;
      }
      if (navs === 0) return;
      if (name === 'ol') depth += 1;
      if (READINGS.has(name)) readings += 1;
      const href = attributes.get('href');
      if (name === 'a' && href !== undefined) link = { href, title: '' };
      if (name === 'span' && !link && depth > 0 && !isParent) {
        isParent = true;
        parents = [...parents.filter((parent) => parent.depth < depth), { title: '', depth }];
      }
    },
    text(text) {
      const parent = isParent ? parents.at(-1) : undefined;
      const titled = link ?? parent;
      if (titled && readings === 0) titled.title += text;
    },
    close(name) {
      if (name === 'nav') navs = Math.max(0, navs - 1);
      if (navs > 0 && READINGS.has(name)) readings -= 1;
      if (name === 'span') isParent = false;
      if (navs > 0 && name === 'ol') depth -= 1;
      if (name !== 'a' || !link) return;
      const { href, title } = link;
      const above = parents.filter((parent) => parent.depth < depth);
      for (const each of [...above, { title, depth }]) {
        entries.push(entryOf(parts, nav, { ...each, href }));
      }
      [parents, link] = [[], undefined];
    },
  });
  return entries.filter(({ title }) => title !== '');
}

/** Elements with the readings of ruby. */
const READINGS: ReadonlySet<string> = new Set(['rt', 'rp']);

function words(text: string | undefined): readonly string[] {
  return (text ?? '').split(/\s\s*/);
}

/** Reads the table of contents of EPUB 2. */
async function readNcx(parts: ZipParts, ncx: string): Promise<readonly PlacedEntry[]> {
  const entries: PlacedEntry[] = [];
  if (!parts.has(ncx)) return entries;
  let depth = 0;
  let title: string | undefined;
  let label = '';
  await readXml(parts, ncx, {
    open({ name, attributes }) {
      if (name === 'navPoint') depth += 1;
      if (name === 'navLabel' && depth > 0) title = '';
      const source = attributes.get('src');
      if (name === 'content' && depth > 0 && source !== undefined) {
        entries.push(entryOf(parts, ncx, { href: source, title: label, depth }));
      }
    },
    text(text) {
      if (title !== undefined) title += text;
    },
    close(name) {
      if (name === 'navPoint') depth -= 1;
      if (name !== 'navLabel' || title === undefined) return;
      label = title;
      title = undefined;
    },
  });
  return entries.filter((entry) => entry.title !== '');
}

function entryOf(
  parts: ZipParts,
  from: string,
  { href, title, depth }: { readonly href: string; readonly title: string; readonly depth: number },
): PlacedEntry {
  const at = href.indexOf('#');
  return {
    page: parts.resolve(from, href),
    fragment: at < 0 ? '' : decodeReference(href.slice(at + 1)),
    title: title.replaceAll(/\s\s*/g, ' ').trim(),
    depth: Math.max(1, depth),
  };
}
