import { VizPrompt } from '@vizprompt/core';
import type { Storage } from '@vizprompt/providers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyStorage, randomRuns } from '../support/open-project.ts';

const LOST = '00000000-0000-4000-8000-00000000000a';

/** A text that can be looked for in the files, whatever else is in it. */
const text = fc
  .tuple(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom('猫', '🐈‍⬛', 'a]]>b', '<<<<<<< HEAD'),
  )
  .map(([any, known]) => `${any}\n${known}`);

const project = fc.record({
  /** For each node: its texts, and which of those before it leads to it. */
  nodes: fc.array(
    fc.record({ prompt: text, response: text, parents: fc.array(fc.nat(), { maxLength: 2 }) }),
    {
      minLength: 3,
      maxLength: 8,
    },
  ),
  name: fc.constantFrom('main', '料理 🍳', 'R&D: "x"'),
});

/** A fault: what is done to a file, and what check must say of it. */
interface Fault {
  readonly code: string;
  readonly file: string;
  readonly change: (content: string) => string;
}

const FLOW = 'flows/00/00.yaml';
const NODE = 'nodes/00/01.xml';
const NODE_MAP = 'metadata/node_map.tsv';
const conflict = (content: string): string =>
  `<<<<<<< HEAD\n${content}=======\n${content.replace('prompt', 'prompt ')}>>>>>>> other\n`;

const FAULTS: readonly Fault[] = [
  { code: 'ill-formed', file: NODE, change: (xml) => xml.replace('</prompt>', '') },
  { code: 'ill-formed', file: FLOW, change: (yaml) => `${yaml}nodes: [\n` },
  { code: 'merge-conflict', file: NODE, change: conflict },
  { code: 'merge-conflict', file: FLOW, change: conflict },
  { code: 'merge-conflict', file: NODE_MAP, change: conflict },
  { code: 'ill-formed', file: NODE_MAP, change: (map) => `${map}x\n` },
  {
    code: 'missing-file',
    file: NODE_MAP,
    change: (map) => `${map}zz/00.xml\t${LOST}\tx\n`,
  },
  {
    code: 'unlisted-file',
    file: 'nodes/00/02.xml',
    change: (map) => map.replace(/^00\/02\.xml.*\n/m, ''),
  },
  {
    code: 'map-drift',
    file: NODE_MAP,
    change: (map) => map.replace(/\t2\d{3}-/, '\t1999-'),
  },
  {
    code: 'tags-drift',
    file: 'metadata/tags.yaml',
    change: (yaml) => `${yaml}  x:\n    - ${LOST}\n`,
  },
  {
    code: 'index-drift',
    file: 'metadata/index.yaml',
    change: (yaml) => yaml.replace(/summary: ("?)/, 'summary: $1x'),
  },
  {
    code: 'ill-formed',
    file: 'metadata/index.yaml',
    change: (yaml) => `${yaml}  "\n`,
  },
  {
    code: 'dangling-edge',
    file: FLOW,
    change: (yaml) => `${yaml}  - from: 99\n    to: 1\n`,
  },
  { code: 'cycle', file: FLOW, change: (yaml) => `${yaml}  - from: 1\n    to: 1\n` },
  { code: 'missing-node', file: FLOW, change: (yaml) => addNode(yaml, 77, LOST) },
  { code: 'duplicate-index', file: FLOW, change: (yaml) => addNode(yaml, 1, LOST) },
  {
    code: 'duplicate-id',
    file: FLOW,
    change: (yaml) => addNode(yaml, 78, /index: 1\n {4}id: (.*)/.exec(yaml)?.[1] ?? ''),
  },
  {
    code: 'doubtful-flow',
    file: FLOW,
    change: (yaml) => yaml.replace('nodes:', `head: ${LOST}\nnodes:`),
  },
];

/** Returns the file that is changed: a map that does not list one, for one. */
function changedBy({ code, file }: Pick<Fault, 'code' | 'file'>): string {
  return code === 'unlisted-file' ? NODE_MAP : file;
}

/** Some faults, each in a file of its own. */
const anyFaults = fc
  .shuffledSubarray([...FAULTS], { minLength: 1, maxLength: 4 })
  .map((faults) => [...new Map(faults.map((fault) => [changedBy(fault), fault])).values()]);

function addNode(yaml: string, index: number, id: string): string {
  return yaml.replace('connections:', `  - index: ${index}\n    id: ${id}\nconnections:`);
}

async function allTexts({ files }: Storage): Promise<string> {
  const texts: string[] = [];
  for (const folder of ['nodes/', 'flows/', 'lost+found/']) {
    for await (const { key } of files.list(folder)) texts.push((await files.read(key))?.text ?? '');
  }
  return texts.join('\n');
}

describe('any project with a fault of any kind', () => {
  it('shows it with its place, is settled by repair, and loses nothing', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(project, anyFaults, async ({ nodes, name }, faults) => {
        for (const { code, file } of faults) seen.add(`${code} ${file}`);
        await using storage = await anyStorage();
        await using vizprompt = await VizPrompt.open({ storage });
        await vizprompt.createFlow({ name, alias: 'main' });
        const ids: string[] = [];
        for (const { prompt, response, parents } of nodes) {
          const after = [
            ...new Set(parents.map((parent) => ids[parent % (ids.length || 1)] ?? '')),
          ];
          const place = after.filter((id) => id !== '');
          ids.push(
            (await vizprompt.createNode({ prompt, response, tags: ['猫'] }, { after: place })).id,
          );
        }
        await vizprompt.build({ model: null });
        expect((await vizprompt.check()).findings).toEqual([]);
        const entries = await allTexts(storage);

        const isOpen = new Set<string>();
        for (const { code, file, change } of faults) {
          const changed = changedBy({ code, file });
          const before = (await storage.files.read(changed))?.text ?? '';
          const planted = change(before);
          expect(planted).not.toBe(before);
          await storage.files.write(changed, planted);
          isOpen.add(changed);
        }
        // Which would repair the map on its own.
        if (!isOpen.has(NODE_MAP)) await vizprompt.refresh();
        const report = await vizprompt.check();
        const found = report.findings.map(({ code, file, line }) => {
          return { code, file, hasLine: line > 0 };
        });
        for (const { code, file } of faults) {
          expect(found).toContainEqual({ code, file, hasLine: true });
        }
        await vizprompt.repair(report);
        const after = await vizprompt.check();
        const rest = after.findings.filter(({ severity }) => severity !== 'info');
        expect(rest).toEqual([]);
        const now = await allTexts(storage);
        for (const id of [...ids, ...entries.matchAll(/id: (.*)/g)].map(String)) {
          expect(now).toContain(id.replace(/,.*/, ''));
        }
        for (const block of entries.matchAll(/<(?:prompt|response)[^]*?<\/(?:prompt|response)>/g)) {
          const said = /CDATA\[\n([^]*)\n\]\]/.exec(block[0])?.[1] ?? '';
          expect(now).toContain(said);
        }
      }),
      { numRuns: randomRuns(12) },
    );
    expect(seen.size).toBeGreaterThan(FAULTS.length / 4);
  });
});
