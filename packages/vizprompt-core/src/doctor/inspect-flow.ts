import { createId, type StoredFile } from '@vizprompt/providers';
import type { FilePlace } from '../errors.ts';
import type { Flow } from '../flow/flow.ts';
import { readRawFlow } from '../flow/parse-flow-yaml.ts';
import { conflictSides } from '../format/merge-conflict.ts';
import type { Found } from './finding.ts';
import { healFlow } from './heal-flow.ts';
import { illFormed } from './inspect-node.ts';
import { PROPOSALS } from './proposals.ts';

/** What is kept of a flow file. */
export interface FlowFacts {
  readonly file: string;
  readonly version: string;
  /** The flow as far as it can be understood. */
  readonly flow?: Pick<Flow, 'id' | 'alias' | 'name'> & { readonly connections: number };
  /** It is a flow to the rest of the package, too. */
  readonly isSound: boolean;
  /** The nodes that it names, and where. */
  readonly nodes: ReadonlyMap<string, FilePlace>;
  readonly findings: readonly Found[];
}

/** Looks at a flow file. */
export function inspectFlow(file: string, stored: StoredFile): FlowFacts {
  const none = { file, version: stored.version, isSound: false, nodes: new Map() };
  try {
    const { text } = stored;
    const sides = conflictSides(text);
    if (sides) {
      const finding: Found = {
        code: 'merge-conflict',
        severity: 'error',
        file,
        line: sides.line,
        message: 'git left both sides of a merge in this flow',
        repair: PROPOSALS.mergeFlow,
      };
      return { ...none, nodes: nodesOf(file, [sides.ours, sides.theirs]), findings: [finding] };
    }
    const context = { isNode: () => true, createId: createId };
    const { flow, places, faults } = healFlow(file, readRawFlow(file, text, true).raw, context);
    const { id, name, alias, connections } = flow;
    return {
      ...none,
      flow: {
        id,
        name,
        connections: connections.length,
        ...(alias === undefined ? {} : { alias }),
      },
      isSound: faults.every(({ severity }) => severity === 'warning'),
      nodes: places,
      findings: faults.map(({ place, ...fault }) => ({
        ...fault,
        ...place,
        // Of what stands at the top, the head alone can be doubtful, and the id ill-formed.
        line: place.line ?? lineOf(text, fault.code === 'doubtful-flow' ? 'head' : 'id'),
        repair: PROPOSALS.mendFlow,
      })),
    };
  } catch (error) {
    return { ...none, findings: [illFormed(file, error)] };
  }
}

function lineOf(text: string, field: string): number {
  return text.split('\n').findIndex((line) => line.startsWith(`${field}:`)) + 1 || 1;
}

/** The nodes of a flow in conflict belong to a flow, whichever side names them. */
function nodesOf(file: string, sides: readonly string[]): Map<string, FilePlace> {
  const ids = sides.flatMap((text) => [...text.matchAll(/^ +(?:- )?id: ([0-9a-f-]{36})\s*$/gm)]);
  return new Map(ids.map(([, id = '']) => [id, { file }]));
}
