import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { timeValue } from '../format/ids-and-times.ts';
import type { NodeSummary, VizNode } from '../node/node.ts';
import { readNodeXml } from '../node/read-node-xml.ts';
import { writeNodeXml } from '../node/write-node-xml.ts';
import { mergeKeys, type Sides } from './three-way.ts';

/** Fields that are merged as a whole: two different changes are a conflict. */
const FIELDS = [
  'timestamp',
  'prompt',
  'response',
  'model',
  'stats',
  'status',
  'speaker',
  'source',
  'promptParts',
  'responseParts',
  'unknown',
] as const satisfies readonly (keyof VizNode)[];

/**
 * Merges the texts of a node file by its fields, so that two who have built the same node, or tagged it,
 * are in no conflict: tags are those of both, and of two summaries the newer is taken.
 *
 * @returns `undefined` if both sides changed the same field, each in its own way.
 * @throws VizPromptError with the code `node-invalid` if one of them is no node.
 */
export function mergeNodeFiles(file: string, texts: Sides<string>): string | undefined {
  const ours = readNodeXml(file, texts.ours);
  const theirs = readNodeXml(file, texts.theirs);
  const base = texts.base === undefined ? undefined : readNodeXml(file, texts.base);
  if (ours.id !== theirs.id || !base) return undefined;
  const fields: Record<string, unknown> = {};
  for (const name of FIELDS) {
    const [was, mine, other] = [base, ours, theirs].map((node) => JSON.stringify(node[name]));
    if (mine !== other && mine !== was && other !== was) return undefined;
    fields[name] = mine === was ? theirs[name] : ours[name];
  }
  const tags = mergeKeys({
    base: new Set(base.tags),
    ours: new Set(ours.tags),
    theirs: new Set(theirs.tags),
  });
  const isNew = ({ prompt, response }: VizNode): boolean =>
    prompt !== fields['prompt'] || response !== fields['response'];
  const summary = newerSummary({ base: base.summary, ours: ours.summary, theirs: theirs.summary });
  const side = summary === theirs.summary ? theirs : ours;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields are those of nodes
  const merged = { ...ours, ...(defined(fields) as Partial<VizNode>) };
  return writeNodeXml({
    ...merged,
    tags: [...tags],
    summary: isNew(side) ? { ...summary, isOutdated: true } : summary,
  });
}

function newerSummary({ base, ours, theirs }: Sides<NodeSummary>): NodeSummary {
  const [was, mine, other] = [base, ours, theirs].map((summary) => JSON.stringify(summary));
  if (mine === was) return theirs;
  if (other === was) return ours;
  return timeValue(theirs.lastBuilt ?? '') > timeValue(ours.lastBuilt ?? '') ? theirs : ours;
}
