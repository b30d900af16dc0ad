import type { StoredFile } from '@vizprompt/providers';
import { problemOf } from '../errors.ts';
import { conflictSides } from '../format/merge-conflict.ts';
import type { NodePart, VizNode } from '../node/node.ts';
import { readNodeXml } from '../node/read-node-xml.ts';
import { type IllegalCharacter, illegalIn } from '../node/write-node-xml.ts';
import type { Found } from './finding.ts';
import { PROPOSALS } from './proposals.ts';

/** What is kept of a node file, without what was said. */
export interface NodeFacts {
  readonly file: string;
  readonly version: string;
  /** Absent where the file cannot be understood. */
  readonly node?: Pick<VizNode, 'id' | 'timestamp' | 'model' | 'tags'> & {
    readonly summary: string;
  };
  /** The ids of both sides of a conflict. */
  readonly conflicting?: readonly string[];
  /** The attachments that it names, and the lines where. */
  readonly attachments: readonly { readonly path: string; readonly line: number }[];
  readonly findings: readonly Found[];
}

/** Looks at a node file. */
export function inspectNode(file: string, stored: StoredFile): NodeFacts {
  const { version } = stored;
  try {
    const { text } = stored;
    const sides = conflictSides(text);
    if (sides) {
      const message = 'git left both sides of a merge in this node';
      const place = { file, line: sides.line };
      const conflicting = [sides.ours, sides.theirs].flatMap(idIn);
      return { file, version, conflicting, attachments: [], findings: [conflict(place, message)] };
    }
    const node = readNodeXml(file, text);
    const { id, timestamp, model, tags, summary } = node;
    const illegal = illegalIn(text);
    return {
      file,
      version,
      node: detached({ id, timestamp, model, tags, summary: summary.text }),
      attachments: attachmentsOf(node).map((path) => ({ path, line: lineOf(text, path) })),
      findings: illegal === undefined ? [] : [illegalFound(file, illegal)],
    };
  } catch (error) {
    const finding = illFormed(file, error);
    return { file, version, attachments: [], findings: [finding] };
  }
}

function illegalFound(file: string, { code, line }: IllegalCharacter): Found {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const message = `${name} stands in it as it is, which no XML can hold: other programs refuse the file`;
  const repair = PROPOSALS.mendNode;
  return { code: 'ill-formed', severity: 'warning', file, line, message, repair };
}

/** A copy that does not keep the text of the file in memory, of which V8's strings are pieces. */
function detached(facts: object): NonNullable<NodeFacts['node']> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same as it was given
  return JSON.parse(JSON.stringify(facts)) as NonNullable<NodeFacts['node']>;
}

function idIn(text: string): string[] {
  return /<node\b[^>]*\bid="([0-9a-f-]{36})"/i.exec(text)?.slice(1) ?? [];
}

function conflict(place: { file: string; line: number }, message: string): Found {
  const repair = PROPOSALS.splitNode;
  return { code: 'merge-conflict', severity: 'error', ...place, message, repair };
}

/** The finding of a file that cannot be read. */
export function illFormed(file: string, error: unknown): Found {
  return { code: 'ill-formed', ...problemOf(file, error), repair: PROPOSALS.setAside };
}

function attachmentsOf({ promptParts, responseParts }: VizNode): string[] {
  const path = (part: NodePart): string[] =>
    part.type === 'file' && part.path !== undefined ? [part.path] : [];
  return [...new Set([...promptParts, ...responseParts].flatMap(path))];
}

function lineOf(text: string, search: string): number {
  return text.slice(0, Math.max(0, text.indexOf(search))).split('\n').length;
}
