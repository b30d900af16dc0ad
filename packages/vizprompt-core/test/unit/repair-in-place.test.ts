import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredNode, VizPrompt } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { decodeFile } from '../../src/format/foreign-bytes.ts';
import { testProject, type TestProject } from '../support/open-project.ts';

interface Damaged {
  readonly project: TestProject;
  readonly vizprompt: VizPrompt;
  readonly folder: string;
  readonly nodes: readonly StoredNode[];
}

/** Three nodes in a row, of which the second is damaged. */
async function damaged(damage: (text: string) => string | Buffer, at = 'node'): Promise<Damaged> {
  const project = await testProject();
  const { vizprompt, folder } = project;
  const nodes: StoredNode[] = [];
  for (const name of ['one', 'two', 'three']) {
    nodes.push(await vizprompt.createNode({ prompt: `${name} & <more>`, response: `of ${name}` }));
  }
  const file = at === 'node' ? (nodes[1]?.file ?? '') : at;
  const path = join(folder, file);
  await writeFile(path, damage(await readFile(path, 'utf8')));
  await vizprompt.refresh();
  return { project, vizprompt, folder, nodes };
}

async function assertWhole({ vizprompt, nodes }: Damaged): Promise<void> {
  await vizprompt.repair(await vizprompt.check());
  const flow = await vizprompt.getFlow();
  expect(flow.nodes.map(({ id }) => id)).toEqual(nodes.map(({ id }) => id));
  expect(flow.connections).toHaveLength(2);
  for (const { id, response } of nodes) {
    expect((await vizprompt.getNode(id)).response).toBe(response);
  }
  const { findings } = await vizprompt.check();
  expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
}

function numbered(text: string, sign: string): string {
  const lines = text.trimEnd().split('\n');
  return lines.map((line, at) => `${String(at + 1)}${sign}${line}`).join('\n');
}

function escapedAsPage(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

describe('a node file is repaired where it is', () => {
  it.each<readonly [name: string, damage: (text: string) => string]>([
    ['a mistyped closing tag', (text) => text.replace('</prompt>', '</promt>')],
    ['swapped letters', (text) => text.replace('</response>', '</repsonse>')],
    ['a mistyped opening tag', (text) => text.replace('<response>', '<reponse>')],
    [
      'both tags mistyped',
      (text) => text.replace('<summary ', '<sumary ').replace('</summary>', '</sumary>'),
    ],
    ['a tag in capitals', (text) => text.replace('</metadata>', '</METADATA>')],
    ['a closing tag that is missing', (text) => text.replace('</tags>', '')],
    ['the end of the file missing', (text) => text.slice(0, text.indexOf('</metadata>'))],
    ['a tag without its bracket', (text) => text.replace('</response>', '</response')],
    ['CDATA without its end', (text) => text.replace(']]></prompt>', '</prompt>')],
    ['a bare ampersand', (text) => text.replace('<tags>', '<tags><tag>Q&A</tag>')],
    ['a bare bracket', (text) => text.replace('<tags>', '<tags><tag>a < b</tag>')],
    ['no time', (text) => text.replace(/ timestamp="[^"]*"/, '')],
    ['a time in words', (text) => text.replace(/timestamp="[^"]*"/, 'timestamp="yesterday"')],
    [
      'a day that is none',
      (text) => text.replace(/timestamp="[^"]*"/, 'timestamp="2026-02-30T10:00:00Z"'),
    ],
    [
      'a time with slashes',
      (text) => text.replace(/timestamp="[^"]*"/, 'timestamp="2026/3/4 5:06"'),
    ],
    [
      'an id in capitals',
      (text) => text.replace(/id="([^"]*)"/, (_, id: string) => `id="${id.toUpperCase()}"`),
    ],
    ['an id in braces', (text) => text.replace(/id="([^"]*)"/, 'id="{$1}"')],
    [
      'an id without dashes',
      (text) => text.replace(/id="([^"]*)"/, (_, id: string) => `id="${id.replaceAll('-', '')}"`),
    ],
    ['quotes of another kind', (text) => text.replace(/id="([^"]*)"/, "id='$1'")],
    ['curly quotes', (text) => text.replace(/id="([^"]*)"/, 'id=“$1”')],
    ['no quotes', (text) => text.replace(/timestamp="([^"]*)"/, 'timestamp=$1')],
    ['a letter for a digit', (text) => text.replace(/id="0/, 'id="O')],
    ['a wide bracket', (text) => text.replace('</prompt>', '＜/prompt＞')],
    ['a space in a tag', (text) => text.replace('</prompt>', '</ prompt>')],
    ['a backslash', (text) => text.replace('</prompt>', '<\\prompt>')],
    ['CDATA in small letters', (text) => text.replaceAll('CDATA', 'cdata')],
    ['lines before the prolog', (text) => `\n\n${text}`],
    ['text after the root', (text) => `${text}\nsome notes`],
    ['a prompt that is not closed before the answer', (text) => text.replace(/<\/prompt>\s*/, '')],
    [
      'sections none of which are closed',
      (text) => text.replaceAll(/<\/(?:prompt|response)>/g, ''),
    ],
    ['a date in words', (text) => text.replace(/timestamp="[^"]*"/, 'timestamp="May 1, 2026"')],
    ['no id', (text) => text.replace(/ id="[^"]*"/, '')],
    ['a blank id', (text) => text.replace(/ id="[^"]*"/, ' id=""')],
    ['an id that was cut', (text) => text.replace(/ id="([^"]*)..."/, ' id="$1"')],
    [
      'an id with long dashes',
      (text) => text.replace(/ id="[^"]*"/, (id) => id.replaceAll('-', '–')),
    ],
    ['quoted in a mail', (text) => text.replaceAll(/^/gm, '> ')],
    ['the numbers of its lines', (text) => numbered(text, '\t')],
    ['a character without a width', (text) => text.replace('<prompt>', '<\u200bprompt>')],
    ['a comma between attributes', (text) => text.replace(/" (?=timestamp)/, '", ')],
    ['a root that is closed at once', (text) => text.replace(/(<node[^>]*)>/, '$1/>')],
    ['a colon for an equals sign', (text) => text.replace(' id=', ' id:')],
    ['an attribute twice', (text) => text.replace('<node ', '<node lang="en" lang="ja" ')],
    ['a name space', (text) => text.replace('<node', '<vp:node').replace('</node', '</vp:node')],
    ['the tags of a page around it', escapedAsPage],
    ['a prompt that begins twice', (text) => text.replace('<prompt>', '<prompt><prompt>')],
    ['a prompt without its first bracket', (text) => text.replace('<prompt>', 'prompt>')],
    ['a prompt without its last bracket', (text) => text.replace('</prompt>', '/prompt>')],
    ['CDATA with spaces', (text) => text.replace('<![CDATA[', '<! [CDATA[')],
    ['CDATA with a bracket less', (text) => text.replace('<![CDATA[', '<![CDATA')],
    ['CDATA that ends with a bracket less', (text) => text.replace(']]></p', ']></p')],
    ['CDATA that ends with a space', (text) => text.replace(']]></p', ']] ></p')],
  ])('%s', async (_, damage) => {
    await expect(assertWhole(await damaged(damage))).resolves.toBeUndefined();
  });

  it('with what looks like a tag in a prompt without CDATA', async () => {
    const { vizprompt, nodes } = await damaged((text) =>
      text.replaceAll('<![CDATA[', '').replaceAll(']]>', ''),
    );
    await vizprompt.repair(await vizprompt.check());
    expect((await vizprompt.getNode(nodes[1]?.id ?? '')).prompt.trim()).toBe('two & <more>');
  });

  it('with tags none of which are closed', async () => {
    const given = await damaged((text) =>
      text
        .replace('<tags>', '<tags><tag>猫<tag>犬')
        .replace('<tags/>', '<tags><tag>猫<tag>犬</tags>'),
    );
    await given.vizprompt.repair(await given.vizprompt.check());
    expect((await given.vizprompt.getNode(given.nodes[1]?.id ?? '')).tags).toEqual(['猫', '犬']);
  });

  it('without an id, where several are: by the map of nodes, or left aside', async () => {
    const given = await damaged((text) => text.replace(/ id="[^"]*"/, ''));
    const { vizprompt, folder, nodes } = given;
    const path = join(folder, nodes[0]?.file ?? '');
    await writeFile(path, (await readFile(path, 'utf8')).replace(/ id="[^"]*"/, ''));
    const { findings } = await vizprompt.check();
    await vizprompt.repair(findings);
    for (const node of nodes) {
      const files = [node.file, `lost+found/${node.file}`].map((file) => join(folder, file));
      const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
      // No node has what another said.
      expect(texts.join('')).toContain(node.prompt);
    }
  });

  it.each<readonly [name: string, damage: (text: string) => Buffer]>([
    ['UTF-16 that was cut off', (text) => Buffer.from(text, 'utf16le').subarray(0, -1)],
    ['UTF-16 with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 without one', (text) => Buffer.from(text, 'utf16le')],
    ['UTF-16, the high byte first', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('where it is in %s', async (_, damage) => {
    await expect(assertWhole(await damaged(damage))).resolves.toBeUndefined();
    await expect(assertWhole(await damaged(damage, 'flows/00/00.yaml'))).resolves.toBeUndefined();
  });

  it('and is no UTF-16 for a zero in it', () => {
    const text = '<\0node>one & <more>猫</node>\n';
    const data = Buffer.from(text);
    expect(data.length % 2).toBe(0);
    expect(decodeFile({ data, text, version: 'v' })).toEqual({ text });
  });

  it.each(['id: flow\nname: the flow\n', 'name: \u3042\u3044\u3046\u3048\u304a\n'])(
    'where UTF-16 without a mark is valid UTF-8: %j',
    (text) => {
      for (const data of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]) {
        expect(decodeFile({ data, text: data.toString(), version: 'v' }).text).toBe(text);
      }
    },
  );

  it('in Shift_JIS', async () => {
    // 「猫の話」 in Shift_JIS.
    const said = Buffer.from([0x94, 0x4c, 0x82, 0xcc, 0x98, 0x62]);
    const { vizprompt, nodes } = await damaged((text) => {
      const at = text.indexOf('two');
      return Buffer.concat([
        Buffer.from(text.slice(0, at)),
        said,
        Buffer.from(text.slice(at + 'two'.length)),
      ]);
    });
    await vizprompt.repair(await vizprompt.check());
    expect((await vizprompt.getNode(nodes[1]?.id ?? '')).prompt).toBe('猫の話 & <more>');
    expect((await vizprompt.getFlow()).nodes).toHaveLength(3);
  });

  it('and is set aside where its bytes are no text, with its place kept', async () => {
    const { vizprompt, nodes } = await damaged((text) =>
      Buffer.concat([Buffer.from(text.slice(0, 150)), Buffer.alloc(300, 0xfe)]),
    );
    await vizprompt.repair(await vizprompt.check());
    expect((await vizprompt.getFlow()).nodes.map(({ id }) => id)).toEqual(
      nodes.map(({ id }) => id),
    );
  });

  it('and keeps a time that was meant', async () => {
    const given = await damaged((text) =>
      text.replace(/timestamp="[^"]*"/, 'timestamp="2026/3/4 5:06"'),
    );
    await assertWhole(given);
    const { timestamp } = await given.vizprompt.getNode(given.nodes[1]?.id ?? '');
    expect(timestamp).toBe('2026-03-04T05:06:00Z');
  });

  it('with what references to forbidden characters mean', async () => {
    const given = await damaged((text) =>
      text.replace(
        /<prompt>.*<\/prompt>/s,
        '<prompt>&#xD83D;&#xDE00; &#55357;&#56832; &#0;.</prompt>',
      ),
    );
    expect((await given.vizprompt.getNode(given.nodes[1]?.id ?? '')).prompt).toBe('😀 😀 \0.');
    await assertWhole(given);
    expect((await given.vizprompt.getNode(given.nodes[1]?.id ?? '')).prompt).toBe('😀 😀 \0.');
  });
});

describe('a flow file is repaired where it is', () => {
  it.each<readonly [name: string, damage: (text: string) => string]>([
    ['a tab', (text) => text.replace('    id:', '\tid:')],
    ['tabs alone', (text) => text.replaceAll('    ', '\t\t').replaceAll('  - ', '\t- ')],
    [
      'ids in capitals',
      (text) => text.replaceAll(/id: (\S+)/g, (_, id: string) => `id: ${id.toUpperCase()}`),
    ],
    ['no space after a colon', (text) => text.replace('index: 2', 'index:2')],
    [
      'the id of a node for its index',
      (text) => text.replace('from: 1', `from: ${/index: 1\n\s*id: (\S+)/.exec(text)?.[1] ?? ''}`),
    ],
    ['a wide colon', (text) => text.replace('index: 2', 'index：2')],
    ['one space less', (text) => text.replace('    id:', '   id:')],
    ['no indentation', (text) => text.replaceAll(/^ +/gm, '')],
    ['dashes of an editor', (text) => text.replaceAll('  - ', '  – ')],
    ['numbers for dashes', (text) => text.replaceAll('  - ', '  1. ')],
    ['a list in bold', (text) => text.replace('nodes:', '**nodes:**')],
    ['a list as a heading', (text) => text.replace('nodes:', '## nodes')],
    [
      'ends in other words',
      (text) => text.replaceAll('from:', 'source:').replaceAll('to:', 'target:'),
    ],
    ['quoted in a mail', (text) => text.replaceAll(/^/gm, '> ')],
    ['the numbers of its lines', (text) => numbered(text, ': ')],
    ['stars for dashes', (text) => text.replaceAll('  - ', '  * ')],
    ['a dash without its space', (text) => text.replace('- index: 2', '-index: 2')],
    ['a missing dash', (text) => text.replace('  - index: 2', '    index: 2')],
    ['an equals sign', (text) => text.replace('index: 2', 'index = 2')],
    ['a comma', (text) => text.replace('index: 2', 'index: 2,')],
    ['a wide digit', (text) => text.replace('index: 2', 'index: ２')],
    ['a key twice', (text) => text.replace('index: 2', 'index: 2\n    index: 2')],
    ['a mistyped key', (text) => text.replace('index: 2', 'idnex: 2')],
    ['a mistyped list', (text) => text.replace('connections:', 'conections:')],
    ['a key in capitals', (text) => text.replace('nodes:', 'Nodes:')],
    ['ids in braces', (text) => text.replaceAll(/id: (\S+)/g, 'id: {$1}')],
    ['an open quote', (text) => text.replace('name: ', 'name: "')],
    ['a name with a colon', (text) => text.replace(/name: .*/, 'name: a: b')],
    ['a name like an alias', (text) => text.replace(/name: .*/, 'name: @home')],
    ['a single mark of git', (text) => text.replace('connections:', '=======\nconnections:')],
    ['an index of its neighbour', (text) => text.replace('index: 2', 'index: 1')],
    ['an index of the next one', (text) => text.replace('index: 1', 'index: 2')],
    ['the file twice', (text) => `${text}---\n${text}`],
    ['no index', (text) => text.replace('  - index: 2\n    id', '  - id')],
    ['an id that is short by a letter', (text) => text.replace(/(index: 2\n.*)./, '$1')],
    ['an id that was cut', (text) => text.replace(/(index: 2\n.*).{9}/, '$1')],
    ['an id with a letter more', (text) => text.replace(/(index: 2\n.*)/, '$1a')],
    ['an id with another letter', (text) => text.replace(/(index: 2\n.*)(..)/, '$1ff')],
    ['a character without a width', (text) => text.replace('- index: 2', '- \u200bindex: 2')],
    ['arrows', (text) => text.replaceAll(/from: (\d)\n {4}to: (\d)/g, '$1 -> $2')],
    ['ids alone', (text) => text.replaceAll(/index: \d\n {4}id: /g, '')],
    ['a map of indices', (text) => text.replaceAll(/- index: (\d)\n {4}id: /g, '$1: ')],
    ['open braces', (text) => text.replaceAll(/index: (\d)\n {4}id: (.*)/g, '{index: $1, id: $2')],
  ])('%s', async (_, damage) => {
    await expect(assertWhole(await damaged(damage, 'flows/00/00.yaml'))).resolves.toBeUndefined();
  });
});

describe('settings are repaired where they are', () => {
  it.each<readonly [name: string, damage: (text: string) => string]>([
    ['a tab', (text) => text.replace(/^ {2}/m, '\t')],
    ['no space after a colon', (text) => text.replace('created: ', 'created:')],
    ['a wide colon', (text) => text.replace('created: ', 'created：')],
    ['an open quote', (text) => text.replace('created: ', 'created: "')],
    ['a line twice', (text) => text.replace(/(created: .*\n)/, '$1$1')],
    ['a single mark of git', (text) => `${text}>>>>>>> other\n`],
    ['quoted in a mail', (text) => text.replaceAll(/^/gm, '> ')],
    ['a comment of another language', (text) => `// mine\n${text}`],
    ['wide digits', (text) => text.replace('256', '２５６')],
    ['a fence', (text) => `\`\`\`yaml\n${text}\`\`\`\n`],
    ['zeros after it', (text) => `${text}\0\0\0`],
    ['a number in quotes', (text) => text.replace('256', '"256"')],
    ['a space more', (text) => text.replace('  max_files', '   max_files')],
    ['a section without settings', (text) => `${text}providers:\n`],
  ])('%s', async (_, damage) => {
    const { project, folder } = await damaged((text) => text);
    const path = join(folder, 'config.yaml');
    const before = await readFile(path, 'utf8');
    await writeFile(path, damage(before));
    const vizprompt = await project.reopen();
    await vizprompt.repair(await vizprompt.check());
    expect((await readFile(path, 'utf8')).trim()).toBe(before.trim());
    expect((await vizprompt.check()).findings).toEqual([]);
  });

  it('but two values of one are for a person to decide', async () => {
    const { project, folder } = await damaged((text) => text);
    const path = join(folder, 'config.yaml');
    const before = await readFile(path, 'utf8');
    await writeFile(path, `${before}created: 2020-01-01T00:00:00Z\n`);
    await expect(project.reopen()).rejects.toThrow('unique');
  });
});

describe('a file that cannot be repaired', () => {
  it('leaves its place in the flow for when it comes back', async () => {
    const given = await damaged((text) =>
      text.replace(/^[^]*?(<node [^>]*>)[^]*$/, '$1 \0 <<< >>> </x'),
    );
    const { vizprompt, folder, nodes } = given;
    const path = join(folder, nodes[1]?.file ?? '');
    await writeFile(
      path,
      `<node id="${nodes[1]?.id}" timestamp="x"><![CDATA[`.replace('<![CDATA[', '<part start=>'),
    );
    await vizprompt.refresh();
    const { setAside } = await vizprompt.repair(await vizprompt.check());
    const ids = async (): Promise<string[]> =>
      (await vizprompt.getFlow()).nodes.map(({ id }) => id);
    expect(await ids()).toEqual(nodes.map(({ id }) => id));
    await vizprompt.repair(await vizprompt.check());
    expect(await ids()).toEqual(nodes.map(({ id }) => id));
    if (setAside.length > 0) {
      await rename(join(folder, setAside[0]?.to ?? ''), path);
      await vizprompt.refresh();
    }
  });
});

describe('files of others', () => {
  it('are no nodes where their names begin with a dot', async () => {
    const { vizprompt, folder } = await damaged((text) => text);
    await mkdir(join(folder, 'nodes/__MACOSX'), { recursive: true });
    for (const name of [
      'nodes/00/._01.xml',
      'nodes/__MACOSX/01.xml',
      'flows/00/._00.yaml',
      'nodes/00/.DS_Store',
    ]) {
      await writeFile(join(folder, name), 'Mac OS X \0\x05');
    }
    await vizprompt.refresh();
    const { findings } = await vizprompt.check();
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('has its settings opened and settled after a conflict of git', async () => {
    const { project } = await damaged(
      (text) =>
        text.replace(
          /^created: (.*)$/m,
          '<<<<<<< ours\ncreated: 2026-05-07T10:00:00Z\n=======\ncreated: 2026-05-06T10:00:00Z\n>>>>>>> theirs',
        ),
      'config.yaml',
    );
    const again = await project.reopen();
    const { findings } = await again.check();
    expect(findings.map(({ code, file, line }) => `${code} ${file}:${line}`)).toContain(
      'merge-conflict config.yaml:2',
    );
    await again.repair(await again.check());
    const text = await project.read('config.yaml');
    expect(text).toContain('created: 2026-05-06T10:00:00Z');
    expect(text).not.toContain('<<<<');
    expect((await again.check()).isHealthy).toBe(true);
  });

  it.each([
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'), 'UTF-16'],
    [
      'big-endian UTF-16',
      (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
      'UTF-16',
    ],
    ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le'), 'UTF-16'],
    ['Latin-1', (text: string) => Buffer.from(`# é\n${text}`, 'latin1'), 'no UTF-8'],
  ])('has its settings opened in %s, and stored in UTF-8', async (_, damage, named) => {
    const { project } = await damaged(damage, 'config.yaml');
    const again = await project.reopen();
    const before = await again.check();
    const [finding] = before.findings.filter(({ file }) => file === 'config.yaml');
    expect(finding?.code).toBe('ill-formed');
    expect(finding?.message).toContain(named);
    await again.repair(before);
    expect(await project.read('config.yaml')).toContain(
      '\nsettings:\n  max_files_per_folder: 256\n',
    );
    expect((await again.check()).isHealthy).toBe(true);
  });

  it('names its settings where they are no text', async () => {
    const { project } = await damaged(
      () => Buffer.from([0x89, 0xff, 0xfe, 0xc0, 0x80, 0xf5, 0xff]),
      'config.yaml',
    );
    await expect(project.reopen()).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('save it in UTF-8'),
    });
  });
});
