import { type DOMWindow, JSDOM } from 'jsdom';
import { describe, expect, it } from 'vitest';
import { toHtml } from '../../src/export/html.ts';
import { markdownRenderer } from '../../src/export/render-markdown.ts';
import { flowOf, hostile, hostileProject, largeFlow, nodesOf } from '../support/export-views.ts';
import { openProject } from '../support/open-project.ts';

/** The page as a reader meets it. */
interface Page {
  readonly document: Document;
  readonly window: DOMWindow;
  readonly errors: readonly unknown[];
  /** The numbers of the nodes that are shown. */
  shown(): number[];
  /** The number of the node that is chosen. */
  chosen(): number;
  /** The numbers of the nodes on the way to it. */
  way(): number[];
  link(index: number): HTMLElement;
  press(key: string, target?: EventTarget): void;
  click(element: Element | null): void;
  search(text: string): void;
  article(): string;
  status(): string;
}

function openPage(html: string, hash = ''): Page {
  const errors: unknown[] = [];
  const { window } = new JSDOM(html, {
    runScripts: 'dangerously',
    url: `https://example.org/${hash}`,
    beforeParse(page) {
      page.Element.prototype.scrollIntoView = () => {};
      page.addEventListener('error', (event) => errors.push(event.error));
    },
  });
  const { document } = window;
  const numberOf = (link: Element): number => Number(link.getAttribute('href')?.slice(2));
  const numbers = (selector: string): number[] =>
    [...document.querySelectorAll(selector)].map(numberOf);
  return {
    document,
    window,
    errors,
    shown: () => numbers('li:not([hidden]) a'),
    chosen: () => numbers('li a[aria-current]')[0] ?? 0,
    way: () => numbers('li.way a'),
    link: (index) => document.querySelector<HTMLElement>(`li a[href="#n${index}"]`)!,
    press(key, target = document.activeElement ?? document.body) {
      target.dispatchEvent(
        new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      );
    },
    click(element) {
      element?.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true }));
    },
    search(text) {
      const input = document.querySelector('input')!;
      input.value = text;
      input.dispatchEvent(new window.Event('input', { bubbles: true }));
    },
    article: () => document.querySelector('article')?.textContent ?? '',
    status: () => document.querySelector('[role=status]')?.textContent ?? '',
  };
}

/** How many lines the graph has between nodes. */
function linesOf({ document }: Page, kind = 'edge'): number {
  const paths = [...document.querySelectorAll(`path.${kind}`)];
  return paths.reduce((sum, path) => sum + (path.getAttribute('d')?.split('M').length ?? 1) - 1, 0);
}

/** 1 continues in 2 and 3; 2 in 4 and 5; 5 and 3 in the merge 6; 6 in 7. In the page: 1 2 4 5 3 6 7. */
const branching = flowOf(
  ['root', 'left', 'right', 'left a', 'left b', 'merge', '猫カフェ'],
  [
    [0, 1, '案'],
    [0, 2],
    [1, 3],
    [1, 4],
    [4, 5],
    [2, 5],
    [5, 6],
  ],
);
const openBranching = (hash?: string): Page =>
  openPage(toHtml(branching, nodesOf(branching)), hash);

describe('an HTML export', () => {
  it('shows the node that is clicked, loads nothing, and runs nothing of what was said', async () => {
    const vizprompt = await hostileProject();
    const html = await vizprompt.exportFlow('main', { format: 'html' });
    const page = openPage(html);
    const { document } = page;
    expect(page.shown()).toHaveLength(hostile.length + 1);
    expect(linesOf(page)).toBe(hostile.length);
    expect(document.querySelectorAll('script')).toHaveLength(2);
    expect(html).not.toMatch(/\b(?:src|href)="(?!#)/);
    expect(html).not.toMatch(/url\(|@import/);
    for (const { textContent } of document.querySelectorAll('script')) {
      expect(textContent).not.toMatch(/<\/script|<!--|[\u2028\u2029]/);
    }
    for (const [at, text] of hostile.entries()) {
      page.click(page.link(at + 2));
      const pres = [...document.querySelectorAll('article pre')].map((pre) => pre.textContent);
      expect(pres).toEqual([text, text]);
      expect(page.chosen()).toBe(at + 2);
      expect(page.window.location.hash).toBe(`#n${at + 2}`);
    }
    expect(page.errors).toEqual([]);
  });

  it.each([
    ['$a_1 b_1$ and *x*', '<p><code class="math">$a_1 b_1$</code> and <em>x</em></p>\n'],
    ['\\(a*b*c\\)', '<p><code class="math">\\(a*b*c\\)</code></p>\n'],
    ['$$\n- a\n= b\n$$\nSo.', '<p><code class="math">$$\n- a\n= b\n$$</code></p>\n<p>So.</p>\n'],
    ['It is $5 and $10 *each*.', '<p>It is $5 and $10 <em>each</em>.</p>\n'],
    ['$$ *open*', '<p>$$ <em>open</em></p>\n'],
    ['*a* \\[1\\] \\[2\\](note)', '<p><em>a</em> [1] [2](note)</p>\n'],
    ['*a* \\[see https://a.example/x=1\\]', expect.stringMatching(/^<p><em>a<\/em> \[see <a /)],
    ['\\[citation needed\\]', '<p>[citation needed]</p>\n'],
    ['- \\[ x \\] *done*', '<ul>\n<li>[ x ] <em>done</em></li>\n</ul>\n'],
    ['*a* \\(see 1\\)', '<p><em>a</em> (see 1)</p>\n'],
    [
      'So:\n\\[\na*b = c*d\n\\]',
      expect.stringMatching(/<code class="math">\\\[\na\*b = c\*d\n\\\]<\/code>/),
    ],
    ['\\[x=a*b*c\\]', '<p><code class="math">\\[x=a*b*c\\]</code></p>\n'],
    [
      'その\\[\\frac{a*b}{c*d}\\]は\\(n\\)で$x_1$は',
      expect.stringMatching(/(?:class="math"[^]*){3}/),
    ],
    [
      'Set $HOME/bin:$PATH and $HOME:${A} *now*.',
      '<p>Set $HOME/bin:$PATH and $HOME:${A} <em>now</em>.</p>\n',
    ],
    ['It is $5, `US$` *each*.', '<p>It is $5, <code>US$</code> <em>each</em>.</p>\n'],
    [
      '[link $x](https://a.example/$y) $',
      '<p><a href="https://a.example/$y" rel="noopener noreferrer" target="_blank">link $x</a> $</p>\n',
    ],
    ['\\(see [link](https://a.example)\\)', expect.stringMatching(/^<p>\(see <a [^]*<\/a>\)/)],
    ['\\(**bold**\\)', '<p>(<strong>bold</strong>)</p>\n'],
    ['\\(https://a.example/ b\\)', expect.stringMatching(/^<p>\(<a /)],
    [
      '\\(e.g. this, that!\\) \\(100%\\) \\(see x\\_y\\)',
      '<p>(e.g. this, that!) (100%) (see x_y)</p>\n',
    ],
    [
      '\\[link a=b\\](x) cmd \\[--a=b\\] \\[ c \\] d \\[ other \\]',
      '<p>[link a=b](x) cmd [--a=b] [ c ] d [ other ]</p>\n',
    ],
    ['*It* is between $10 and 20$.', '<p><em>It</em> is between $10 and 20$.</p>\n'],
    [
      '\\(n!\\) \\(\\text{a\\_b}\\) \\(f^{**}\\) \\[ E=mc^2 \\] \\[-x=3\\] $10 + x$',
      expect.stringMatching(/(?:class="math"[^]*){6}/),
    ],
    ['`$a$` a.py', '<p><code>$a$</code> a.py</p>\n'],
    [
      'See https://a.example/x_(y).',
      '<p>See <a href="https://a.example/x_(y)" rel="noopener noreferrer" target="_blank">https://a.example/x_(y)</a>.</p>\n',
    ],
    [
      '*x* ftp://a.example javascript:alert(1)',
      '<p><em>x</em> ftp://a.example javascript:alert(1)</p>\n',
    ],
  ])('keeps mathematics as it is written, and links addresses: %j', (text, html) => {
    expect(markdownRenderer()(text)).toEqual(html);
  });

  it('renders Markdown, in which HTML is text and nothing is loaded', async () => {
    const vizprompt = await openProject();
    await vizprompt.createNode({
      prompt: '# 猫の**名前**\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      response:
        '<img src=x onerror=alert(1)> [x](javascript:alert(1)) [y](https://example.org) ![z](https://example.org/z.png)\n\n```js\n<script>1</script>\n```',
    });
    const html = await vizprompt.exportFlow('main', { format: 'html' });
    const { document, errors } = openPage(html, '#n1');
    expect(document.documentElement.lang).toBe('ja');
    expect(document.querySelector('#fold')?.textContent).toBe('枝をたたむ');
    expect(document.querySelector('.prompt h1 strong')?.textContent).toBe('名前');
    expect(document.querySelectorAll('.prompt td')).toHaveLength(2);
    const links = [...document.querySelectorAll('.response a')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'https://example.org',
      'https://example.org/z.png',
    ]);
    expect(document.querySelectorAll('article img,article script')).toHaveLength(0);
    expect(document.querySelector('.response code')?.textContent).toBe('<script>1</script>\n');
    expect(document.querySelector('.prompt details pre')?.textContent).toContain('# 猫の**名前**');
    expect(errors).toEqual([]);
  });

  it('draws the edge of a merge around its own lane', () => {
    const merged = flowOf(
      ['a', 'b', 'c', 'd'],
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [0, 3],
      ],
    );
    const { document } = openPage(toHtml(merged, nodesOf(merged)));
    const drawn = [...document.querySelectorAll('path.edge')].map((path) => path.getAttribute('d'));
    const edges = drawn.flatMap((d) => d?.split('M').slice(1) ?? []);
    expect(edges).toHaveLength(4);
    expect(edges.filter((edge) => new Set(edge.match(/\d[\d.]*(?=,)/g)).size > 1)).toHaveLength(1);
  });

  it('names characters that are invisible and turn the direction of text or are no text, in the list and in the node', async () => {
    const vizprompt = await openProject();
    const said = 'if (a) /* \u202e } \u2066 */ 日本語😀\0\u001b[2J';
    const { id } = await vizprompt.createNode({
      prompt: said,
      response: '\u202a',
      tags: ['\u202dx'],
    });
    await vizprompt.createBranch(id, { prompt: 'next' }, { branchName: 'b\u2067' });
    await vizprompt.updateFlow('main', { name: 'f\u202e\0' });
    const page = openPage(await vizprompt.exportFlow('main', { format: 'html' }), '#n1');
    const codes = (selector: string): (string | null)[] =>
      [...page.document.querySelectorAll(`${selector} .turn`)].map((mark) =>
        mark.getAttribute('data-code'),
      );
    expect(codes('article pre')).toEqual(['U+202E', 'U+2066', 'U+0000', 'U+001B', 'U+202A']);
    expect(codes('.tag')).toEqual(['U+202D']);
    expect(codes('h1')).toEqual(['U+202E']);
    expect(page.document.querySelector('h1')?.textContent).toBe('f\u202e\ufffd');
    expect(page.document.title).toBe('f{U+202E}\ufffd');
    expect(codes('li:first-child a')).toContain('U+202E');
    expect(codes('li:last-child a')).toContain('U+2067');
    expect(page.document.querySelector('article pre')?.textContent).toBe(said);
    expect(page.errors).toEqual([]);
  });

  it('of an empty flow is a page too', async () => {
    const vizprompt = await openProject();
    await vizprompt.createFlow({ name: '空' });
    const page = openPage(await vizprompt.exportFlow('空', { format: 'html' }));
    for (const key of ['ArrowDown', 'ArrowLeft', 'ArrowRight', 'Enter', 'End', 'Escape']) {
      page.press(key);
    }
    page.search('x');
    expect([page.document.title, page.errors]).toEqual(['空', []]);
  });

  it('begins at the head, or where its address says, and marks the way there', () => {
    const page = openBranching();
    expect([page.chosen(), page.way()]).toEqual([7, [1, 2, 5, 3, 6, 7]]);
    expect(linesOf(page, 'way')).toBe(6);
    const other = openBranching('#n4');
    expect([other.chosen(), other.way(), linesOf(other, 'way')]).toEqual([4, [1, 2, 4], 2]);
    other.click(other.link(3));
    expect(other.way()).toEqual([1, 3]);
  });

  it('is walked by keys, along the list and along the graph', () => {
    const page = openBranching('#n1');
    const walk = (...keys: string[]): number[] =>
      keys.map((key) => {
        page.press(key);
        return page.chosen();
      });
    expect(walk('ArrowDown', 'ArrowDown', 'ArrowUp', 'End', 'ArrowDown', 'Home')).toEqual([
      2, 4, 2, 7, 7, 1,
    ]);
    expect(page.document.activeElement).toBe(page.link(1));
    expect(walk('ArrowRight', 'ArrowRight', 'ArrowLeft')).toEqual([2, 4, 2]);
    page.press('Enter');
    expect(page.document.activeElement?.localName).toBe('article');
    expect(walk('ArrowDown')).toEqual([2]);
    page.press('Escape');
    expect(page.document.activeElement).toBe(page.link(2));
  });

  it('folds what continues from a node, except what others lead to', () => {
    const page = openBranching('#n2');
    page.press('ArrowLeft');
    expect(page.shown()).toEqual([1, 2, 3, 6, 7]);
    expect(page.status()).toBe('5 of 7 nodes shown');
    expect(linesOf(page)).toBe(4);
    const button = page.link(2).nextElementSibling;
    expect([button?.textContent, button?.getAttribute('aria-expanded')]).toEqual(['▸ 2', 'false']);
    page.press('ArrowRight');
    expect(page.shown()).toHaveLength(7);

    page.click(page.link(1).nextElementSibling);
    expect(page.shown()).toEqual([1]);
    expect(page.chosen()).toBe(1);
    page.click(page.document.querySelector('article a[href="#n3"]'));
    expect([page.chosen(), page.shown().length]).toEqual([3, 7]);
    const fold = page.document.querySelector('#fold');
    page.click(fold);
    expect(page.shown()).toEqual([1, 2, 3, 6, 7]);
    page.click(fold);
    expect(page.shown()).toHaveLength(7);
    expect(page.errors).toEqual([]);
  });

  it('folds away the chosen node by choosing the one that was folded', () => {
    const page = openBranching('#n4');
    page.click(page.link(2).nextElementSibling);
    expect([page.chosen(), page.shown()]).toEqual([2, [1, 2, 3, 6, 7]]);
  });

  it('is searched in all texts, and gives the graph back', () => {
    const page = openBranching('#n1');
    page.press('/');
    expect(page.document.activeElement?.localName).toBe('input');
    page.search('LEFT Ｂ');
    expect([page.shown(), page.status()]).toEqual([[5], '1 of 7 nodes found']);
    page.press('Enter');
    expect([page.chosen(), page.document.activeElement]).toEqual([5, page.link(5)]);
    page.search('ｶﾌｪ');
    expect(page.shown()).toEqual([7]);
    page.search('nowhere');
    expect([page.shown(), page.status()]).toEqual([[], '0 of 7 nodes found']);
    page.press('Escape');
    expect([page.shown().length, page.status(), page.chosen()]).toEqual([7, '7 nodes', 5]);
    page.search('left');
    page.click(page.document.querySelector('article a[href="#n6"]'));
    expect([page.chosen(), page.shown().length]).toEqual([6, 7]);
  });

  it('names everything that can be used, and is one stop of the tab key in the graph', () => {
    const { document, link } = openBranching('#n2');
    for (const element of document.querySelectorAll('input,nav,article,li button')) {
      expect(element.getAttribute('aria-label')).toMatch(/\w/);
    }
    expect(document.querySelectorAll('li a[tabindex="0"]')).toHaveLength(1);
    expect(link(2).textContent).toBe('2 [案] left');
    expect(link(2).getAttribute('aria-current')).toBe('true');
    expect(document.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
    expect(document.querySelector('[role=status]')).not.toBeNull();
    expect(document.querySelector('meta[name=viewport]')?.getAttribute('content')).toContain(
      'width=device-width',
    );
    expect(document.querySelectorAll('h1,h2,h3')).toHaveLength(4);
  });

  it('of many nodes holds few elements for each, and the texts of one', () => {
    const view = largeFlow(300);
    const page = openPage(toHtml(view, nodesOf(view)));
    expect(page.shown()).toHaveLength(300);
    expect(linesOf(page)).toBe(view.flow.connections.length);
    expect(page.document.querySelectorAll('*').length).toBeLessThan(4 * 300);
    expect(page.document.querySelectorAll('pre')).toHaveLength(2);
    expect(page.document.querySelectorAll('path').length).toBeLessThan(20);
    page.search('node 299');
    expect(page.shown()).toEqual([300]);
  });

  it('draws no line of a branch through a node of another', () => {
    const titles = Array.from({ length: 300 }, (_, at) => `n${at}`);
    const tree = flowOf(
      titles,
      titles.slice(1).map((_, at) => [at % 7 === 0 ? Math.floor(at / 3) : at, at + 1]),
    );
    const { document } = openPage(toHtml(tree, nodesOf(tree)));
    const numbersOf = (kind: string): number[][] =>
      [...document.querySelectorAll(`path.${kind}`)].flatMap((path) => {
        const drawn = path.getAttribute('d')?.split('M').slice(1) ?? [];
        return drawn.map((piece) => [...piece.matchAll(/[\d.]+/g)].map(Number));
      });
    const dots = numbersOf('dot');
    const edges = numbersOf('edge');
    expect([dots.length, edges.length]).toEqual([300, 299]);
    const isOn = (x = 0, from = 0, to = 0): boolean =>
      dots.some(([dotX = 0, dotY = 0]) => dotX === x && dotY > from && dotY < to);
    // The straight pieces before and after the curve, each up to the dot where it ends.
    const through = edges.filter((edge) => {
      const [startX, startY, , from] = edge;
      const [, to = 0, endX, endY] = edge.slice(-4);
      return isOn(startX, startY, (from ?? 0) + 1) || isOn(endX, to - 1, endY);
    });
    expect(through).toEqual([]);
  });

  it('without scripts lists the titles', () => {
    const { document } = new JSDOM(toHtml(branching, nodesOf(branching))).window;
    expect([...document.querySelectorAll('li a')].map((link) => link.textContent).at(-1)).toBe(
      '7 猫カフェ',
    );
    expect(document.querySelector('noscript')).not.toBeNull();
  });
});
