import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finding, VizPrompt } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { highestOf } from '../../src/flow/flow-graph.ts';
import {
  anyStorage,
  storageAt,
  temporaryFolder,
  testProject,
  type TestProject,
} from '../support/open-project.ts';

const LOST = '00000000-0000-4000-8000-00000000000a';

/** Returns a project with two flows, tags, keywords and an attachment, which is whole. */
async function wholeProject(): Promise<TestProject> {
  const project = await testProject();
  const { vizprompt } = project;
  await vizprompt.createNode({
    prompt: '猫カフェの予約',
    response: '猫カフェを予約した',
    tags: ['猫'],
  });
  await vizprompt.createNode({
    prompt: '二つ目 🐾',
    attachments: [{ data: Buffer.from('png'), mediaType: 'image/png' }],
  });
  await vizprompt.createNode({ prompt: '三つ目' });
  await vizprompt.createFlow({ name: '料理 🍳', alias: 'cook' });
  await vizprompt.createNode({ prompt: 'カレーの作り方' }, { flow: 'cook' });
  await vizprompt.build({ model: null });
  return project;
}

function brief(findings: readonly Finding[]): string[] {
  return findings.map(({ code, severity, file, line }) =>
    [severity, code, file, line].filter((part) => part !== undefined).join(' '),
  );
}

/** Plants a fault, and returns the findings and what remains of them after a repair. */
async function plant(
  fault: (project: TestProject) => Promise<unknown>,
  options: Parameters<VizPrompt['repair']>[1] = {},
): Promise<{ project: TestProject; found: string[]; left: string[] }> {
  const project = await wholeProject();
  await fault(project);
  await project.vizprompt.refresh();
  const report = await project.vizprompt.check();
  await project.vizprompt.repair(report, { missingNodes: 'keep', ...options });
  const after = await project.vizprompt.check();
  return { project, found: brief(report.findings), left: brief(after.findings) };
}

describe('a project that is whole', () => {
  it('has no findings, and repair writes nothing', async () => {
    const { vizprompt } = await wholeProject();
    const report = await vizprompt.check();
    expect(report).toEqual({ findings: [], nodes: 4, flows: 2, isHealthy: true });
    const nothing = { repaired: [], left: [], written: [], setAside: [] };
    expect(await vizprompt.repair(report)).toEqual(nothing);
  });

  it('is so without a folder too, and while it is new', async () => {
    await using storage = await anyStorage();
    await using vizprompt = await VizPrompt.open({ storage });
    expect((await vizprompt.check()).findings).toEqual([]);
    await vizprompt.createNode({ prompt: 'a' });
    expect((await vizprompt.check()).findings).toEqual([]);
  });

  it('reports nodes in no flow and of versions, which are nothing wrong', async () => {
    const { vizprompt, read, write } = await wholeProject();
    const alone = await vizprompt.createNode({ prompt: 'ひとり' }, { flow: null });
    await write('nodes/00/zz.xml', await read('nodes/00/02.xml'));
    await vizprompt.refresh();
    const report = await vizprompt.check();
    expect(report.isHealthy).toBe(true);
    expect(brief(report.findings)).toEqual([
      'info duplicate-id nodes/00/02.xml 1',
      `info orphan ${alone.file} 1`,
    ]);
  });
});

it('the highest index is found among more than a function takes as arguments', () => {
  const numbers = Array.from({ length: 200_000 }, (_, at) => at);
  expect(highestOf(numbers)).toBe(199_999);
});

describe('check finds, with its place, and repair settles', () => {
  it('an edge that leads nowhere, and keeps the flow as it was', async () => {
    const { project, found, left } = await plant(async ({ read, write }) =>
      write('flows/00/00.yaml', `${await read('flows/00/00.yaml')}  - from: 2\n    to: 9\n`),
    );
    expect(found).toEqual(['error dangling-edge flows/00/00.yaml 19']);
    expect(left).toEqual([]);
    expect(await project.read('lost+found/flows/00/00.yaml')).toContain('to: 9');
    expect(await project.read('lost+found/flows/00/00.yaml.txt')).toContain("'to: 9', and no such");
  });

  it('a circle, an index and a node that come twice, a doubtful head', async () => {
    const { project, found, left } = await plant(async ({ read, write, vizprompt }) => {
      const { nodes } = await vizprompt.getFlow();
      const [first, , third] = nodes;
      const text = (await read('flows/00/00.yaml'))
        .replace(
          'connections:',
          `  - index: 3\n    id: ${LOST}\n  - index: 7\n    id: ${first?.id}\nconnections:`,
        )
        .replace(/^nodes:/m, `head: ${LOST.replace('a', 'b')}\nnodes:`);
      await write(
        'flows/00/00.yaml',
        `${text}  - from: ${third?.index}\n    to: ${first?.index}\n`,
      );
    });
    expect(found).toEqual([
      'warning doubtful-flow flows/00/00.yaml 7',
      'error duplicate-index flows/00/00.yaml 15',
      'warning missing-node flows/00/00.yaml 15',
      'error duplicate-id flows/00/00.yaml 17',
      'error cycle flows/00/00.yaml 24',
    ]);
    expect(left).toEqual(['warning missing-node flows/00/00.yaml 14']);
    const { nodes } = await project.vizprompt.getFlow();
    expect(nodes.map(({ index }) => index)).toEqual([1, 2, 3, 8]);
    const report = await project.vizprompt.check();
    await project.vizprompt.repair(report);
    expect((await project.vizprompt.check()).findings).toEqual([]);
  });

  it('an index that is no number, and keeps the rest of the flow where it is', async () => {
    const { project, found, left } = await plant(async ({ read, write }) =>
      write('flows/00/00.yaml', (await read('flows/00/00.yaml')).replace('index: 3', 'index: -3')),
    );
    expect(found).toEqual(['error ill-formed flows/00/00.yaml 12']);
    expect(left).toEqual([]);
    const flow = await project.vizprompt.getFlow();
    expect(flow.nodes.map(({ index }) => index)).toEqual([1, 2, 3]);
    // The connections say which index was meant.
    expect(flow.connections).toHaveLength(2);
  });

  it('files that are no XML and no YAML', async () => {
    const { project, found, left } = await plant(async ({ write }) => {
      await write('nodes/00/02.xml', '<node><prompt>大切な話 & more</prompt>');
      await write('flows/00/01.yaml', 'id: [\n');
    });
    expect(found).toContain('error ill-formed nodes/00/02.xml 1');
    expect(found).toContain('error ill-formed flows/00/01.yaml 2');
    // It has the only id that a flow names and no file has.
    expect(left).toEqual(['info orphan nodes/00/03.xml 1']);
    expect(await project.read('nodes/00/02.xml')).toContain('大切な話 & more');
    expect(await project.read('lost+found/nodes/00/02.xml')).toContain('大切な話');
    expect(await project.read('lost+found/flows/00/01.yaml')).toBe('id: [\n');
  });

  it('what no XML can hold, and writes it so that it can', async () => {
    const { project, found, left } = await plant(async ({ read, write }) =>
      write('nodes/00/00.xml', (await read('nodes/00/00.xml')).replace('した', 'し\u001b[0mた\0')),
    );
    expect(found).toEqual(['warning ill-formed nodes/00/00.xml 7']);
    expect(left).toEqual([]);
    const [first] = (await project.vizprompt.getFlow()).nodes;
    const node = await project.vizprompt.getNode(first?.id ?? '');
    expect(node.response).toBe('猫カフェを予約し\u001b[0mた\0');
    expect(await project.read('nodes/00/00.xml')).toContain('\\u001B[0m');
  });

  it('settings with which the project could not be opened again', async () => {
    const { found, left } = await plant(({ write }) => write('config.yaml', 'settings:\n\t- a\n'));
    expect(found).toEqual(['error ill-formed config.yaml 2']);
    expect(left).toEqual(found);
  });

  it('maps that drift, are ill-formed or in conflict', async () => {
    const faults: readonly (readonly [change: (map: string) => string, found: RegExp])[] = [
      [
        (map) => map.replace(/\t[^\t]*\n$/, '\t2020-01-01T00:00:00Z\n'),
        /map-drift .*node_map\.tsv 5/,
      ],
      [(map) => map.replace('00/02.xml', 'zz/02.xml'), /missing-file .*node_map\.tsv 4/],
      [(map) => map.replace(/^00\/02\.xml.*\n/m, ''), /unlisted-file nodes\/00\/02\.xml/],
      [(map) => `${map}nonsense\n`, /ill-formed .*node_map\.tsv 6/],
      [
        (map) => `${map}<<<<<<< HEAD\na\n=======\nb\n>>>>>>> b\n`,
        /merge-conflict .*node_map\.tsv 6/,
      ],
    ];
    for (const [change, expected] of faults) {
      const project = await wholeProject();
      const map = 'metadata/node_map.tsv';
      const text = await project.read(map);
      await project.write(map, change(text));
      const report = await project.vizprompt.check();
      expect(brief(report.findings)).toContainEqual(expect.stringMatching(expected));
      await project.vizprompt.repair(report);
      expect((await project.vizprompt.check()).findings).toEqual([]);
      expect(await project.read(map)).toBe(text);
    }
  });

  it('tags that are no YAML, in one line with their place', async () => {
    const { vizprompt, write } = await wholeProject();
    await write('metadata/tags.yaml', 'tags: {{{');
    const { findings } = await vizprompt.check();
    expect(findings).toMatchObject([
      { code: 'ill-formed', file: 'metadata/tags.yaml', line: 1, column: 10 },
    ]);
    expect(findings[0]?.message).not.toContain('\n');
  });

  it('tags and index that drift, and keeps keywords', async () => {
    const { project, found, left } = await plant(async ({ read, write }) => {
      await write(
        'metadata/tags.yaml',
        (await read('metadata/tags.yaml')).replace(/^ {2}猫:/m, '  犬:'),
      );
      await write(
        'metadata/index.yaml',
        (await read('metadata/index.yaml')).replace('summary: ', 'summary: ちがう'),
      );
    });
    expect(found).toContainEqual(
      expect.stringMatching(/^warning tags-drift metadata\/tags\.yaml \d+$/),
    );
    expect(found).toContainEqual(
      expect.stringMatching(/^warning index-drift metadata\/index\.yaml 6$/),
    );
    expect(left).toEqual([]);
    expect(await project.vizprompt.searchNodes({ keywords: ['予約'] })).toHaveLength(1);
    expect(await project.read('metadata/index.yaml')).toContain('予約');
  });

  it('two flows with one id and one alias', async () => {
    const { project, found, left } = await plant(async ({ read, write }) =>
      write('flows/00/02.yaml', await read('flows/00/01.yaml')),
    );
    expect(found).toEqual([
      'warning duplicate-id flows/00/02.yaml 1',
      'warning duplicate-alias flows/00/02.yaml 1',
    ]);
    expect(left).toEqual([]);
    const flows = await project.vizprompt.listFlows();
    expect(flows.map(({ alias }) => alias)).toEqual(['main', 'cook', 'cook-2']);
  });

  it('an attachment that is gone, for which there is no repair', async () => {
    const { found, left } = await plant(async ({ folder }) => {
      await rm(join(folder, 'attachments'), { recursive: true });
    });
    expect(found).toEqual([
      expect.stringMatching(/^warning missing-attachment nodes\/00\/01\.xml \d+$/),
    ]);
    expect(left).toEqual(found);
  });

  it('a cache that knows something else', async () => {
    const folder = await temporaryFolder();
    await using storage = await storageAt(folder);
    await using vizprompt = await VizPrompt.open({ storage });
    const node = await vizprompt.createNode({ prompt: '猫', tags: ['猫'] });
    await vizprompt.createNode({ prompt: 'b' });
    await vizprompt.build({ model: null });
    await storage.cache.execute("UPDATE core_node SET summary = 'x' WHERE file = ?", [node.file]);
    await storage.cache.execute("UPDATE core_flow SET name = 'y'");
    await storage.cache.execute("DELETE FROM core_node WHERE file = 'nodes/00/01.xml'");
    const report = await vizprompt.check();
    expect(brief(report.findings)).toEqual(
      expect.arrayContaining([
        'warning cache-drift nodes/00/00.xml 1',
        'warning cache-drift nodes/00/01.xml 1',
        'warning cache-drift flows/00/00.yaml 1',
      ]),
    );
    await vizprompt.repair(report);
    expect((await vizprompt.check()).findings).toEqual([]);
    expect((await vizprompt.listFlows())[0]?.name).toBe('main');
  });

  it('what git left in a node, also within what was said', async () => {
    const { project, found, left } = await plant(async ({ read, write }) => {
      const conflict = '<<<<<<< HEAD\n甲\n=======\n乙\n>>>>>>> other';
      const text = await read('nodes/00/02.xml');
      await write('nodes/00/02.xml', text.replace('三つ目', conflict));
    });
    expect(found).toContain('error merge-conflict nodes/00/02.xml 4');
    expect(left).toEqual(['info duplicate-id nodes/00/02.xml 1']);
    expect(await project.read('nodes/00/02.xml')).toContain('甲');
    expect(await project.read('nodes/00/04.xml')).toContain('乙');
    expect(await project.read('lost+found/nodes/00/02.xml')).toContain('<<<<<<< HEAD\n甲');
  });
});

describe('a text that has the marks of git in what was said', () => {
  it('is no conflict, and comes back as it was', async () => {
    const prompt = '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\nどう直す？ C:\\temp';
    const { vizprompt, folder } = await testProject();
    const { id, file } = await vizprompt.createNode({ prompt, response: prompt });
    expect((await vizprompt.check()).findings).toEqual([]);
    expect((await vizprompt.getNode(id)).prompt).toBe(prompt);
    expect(await readFile(join(folder, file), 'utf8')).not.toContain('<<<<<<<');
  });

  const LONG = '<<<<<<<<<< a\nx\n==========\ny\n>>>>>>>>>> b';

  it.each([
    ['of git', LONG],
    [
      'of Jujutsu',
      '<<<<<<<<<<< c 1 of 1\n+++++++++++ 1\nx\n+++++++++++ 2\ny\n>>>>>>>>>>> c 1 of 1',
    ],
  ])('is none where they are longer marks %s', async (_, prompt) => {
    const { vizprompt, read } = await testProject();
    const { id, file } = await vizprompt.createNode({ prompt, response: prompt });
    const text = await read(file);
    const report = await vizprompt.check();
    expect(report.findings).toEqual([]);
    await vizprompt.repair(report);
    expect(await read(file)).toBe(text);
    expect((await vizprompt.getNode(id)).prompt).toBe(prompt);
  });

  it.each([
    ['a tag', (text: string) => text.replace('</metadata>', '< /metadata>')],
    [
      'a merge',
      (text: string) =>
        text.replace(/^<metadata>$/m, '<<<<<<< HEAD\n$&\n=======\n$&\n>>>>>>> other'),
    ],
  ])('keeps them when %s in the same node is repaired', async (_, damage) => {
    const { vizprompt, read, write } = await testProject();
    const { id, file } = await vizprompt.createNode({ prompt: LONG, response: LONG });
    await write(file, damage(await read(file)));
    await vizprompt.refresh();
    await vizprompt.repair(await vizprompt.check());
    expect(await vizprompt.getNode(id)).toMatchObject({ prompt: LONG, response: LONG });
  });

  it('is a conflict where a node cannot be read for longer marks alone', async () => {
    const { project, found } = await plant(async ({ read, write }) => {
      const both = '<<<<<<<<<< HEAD\n$&\n==========\n$&\n>>>>>>>>>> other';
      const text = await read('nodes/00/02.xml');
      await write('nodes/00/02.xml', text.replace(/^<metadata>$/m, both));
    });
    expect(found.join('\n')).toMatch(/^error merge-conflict nodes\/00\/02\.xml \d+$/m);
    expect(await project.read('nodes/00/02.xml')).not.toContain('<<<<<<<');
  });
});

describe('repair', () => {
  it('does what was chosen, and leaves what has changed since', async () => {
    const { vizprompt, write, read } = await wholeProject();
    const text = await read('nodes/00/02.xml');
    await write('nodes/00/02.xml', '<node');
    await write('nodes/00/03.xml', '<node');
    const { findings } = await vizprompt.check();
    const chosen = findings.filter(
      ({ code, file }) => code === 'ill-formed' && file.endsWith('02.xml'),
    );
    await write('nodes/00/02.xml', text);
    const { repaired, left, setAside } = await vizprompt.repair(chosen);
    expect([repaired, left, setAside]).toEqual([[], chosen, []]);
    expect(await read('nodes/00/02.xml')).toBe(text);
    expect(await read('nodes/00/03.xml')).toBe('<node');
  });

  it('stops when it is aborted', async () => {
    const { vizprompt } = await wholeProject();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(vizprompt.check({ signal })).rejects.toThrow('enough');
  });
});
