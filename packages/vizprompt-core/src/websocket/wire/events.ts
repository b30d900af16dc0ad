import { LLMError, messageOf } from '@vizprompt/providers';
import { z } from 'zod';
import { VizPromptError } from '../../errors.ts';
import type { VizPromptEvents } from '../../events.ts';
import type { StoredFlow } from '../../flow/flow.ts';
import { wireFlow } from './flow.ts';
import { toWireNode, wireNode } from './node.ts';

/** An event as it is sent, and of which flow it is. */
export interface WireEvent {
  readonly data: object;
  /** For subscriptions to one flow: it, or its id if it is gone. */
  readonly flow?: Pick<StoredFlow, 'id' | 'name' | 'alias'> | { readonly id: string };
}

/** An event of a project in the protocol. */
export interface EventKind<Payload> {
  readonly summary: string;
  readonly data: z.ZodType;
  write(payload: Payload): WireEvent;
}

type EventKinds = {
  readonly [Name in keyof VizPromptEvents]: EventKind<VizPromptEvents[Name]>;
};

const counts = { done: z.int(), total: z.int().exactOptional() };
const ofNode = z.strictObject({ node_id: z.string(), node: wireNode });
const ofFlow = z.strictObject({ flow_id: z.string(), flow: wireFlow });

/** How far a long task has come. */
export const progress: z.ZodType = z.strictObject(counts);

/** All events of a project, by their names there. */
export const EVENT_KINDS: EventKinds = {
  'node:created': {
    summary: 'A node was made',
    data: ofNode,
    write: ({ node }) => ({ data: { node_id: node.id, node: toWireNode(node) } }),
  },
  'node:updated': {
    summary: 'A node was changed: its text, its summary, or how far its answer has come',
    data: ofNode,
    write: ({ node }) => ({ data: { node_id: node.id, node: toWireNode(node) } }),
  },
  'node:deleted': {
    summary: 'A node is gone',
    data: z.strictObject({ node_id: z.string() }),
    write: ({ id }) => ({ data: { node_id: id } }),
  },
  'node:collided': {
    summary: 'Several files carry one id; the first of them is the node',
    data: z.strictObject({ node_id: z.string(), files: z.array(z.string()) }),
    write: ({ id, files }) => ({ data: { node_id: id, files } }),
  },
  'flow:created': { summary: 'A flow was made', data: ofFlow, write: flowEvent },
  'flow:updated': {
    summary: 'A flow was changed: its nodes, connections, names or head',
    data: ofFlow,
    write: flowEvent,
  },
  'flow:deleted': {
    summary: 'A flow is gone; its nodes stay',
    data: z.strictObject({ flow_id: z.string() }),
    write: ({ id }) => ({ data: { flow_id: id }, flow: { id } }),
  },
  'problem:found': {
    summary: 'Something is wrong with a file',
    data: z.strictObject({
      severity: z.enum(['error', 'warning']),
      message: z.string(),
      file: z.string(),
      line: z.int().exactOptional(),
      column: z.int().exactOptional(),
    }),
    write: ({ severity, message, file, line, column }) => ({
      data: { severity, message, file, line, column },
    }),
  },
  'index:progress': { summary: 'Files are read into the index', data: progress, write: plain },
  'map:repaired': {
    summary: 'A map was rebuilt from the files',
    data: z.strictObject({ file: z.string() }),
    write: plain,
  },
  'import:progress': {
    summary: 'Conversations are imported',
    data: z.strictObject({ ...counts, nodes: z.int() }),
    write: plain,
  },
  'import:skipped': {
    summary: 'An entry of an import was left out',
    data: z.strictObject({ entry: z.string(), reason: z.string() }),
    write: plain,
  },
  'build:progress': { summary: 'Summaries are made', data: progress, write: plain },
  'check:progress': { summary: 'Files are checked', data: progress, write: plain },
  'build:failed': {
    summary: 'A node got no summary; it stays outdated',
    data: z.strictObject({ node_id: z.string(), message: z.string() }),
    write: ({ id, error }) => ({ data: { node_id: id, message: reasonOf(error) } }),
  },
};

/** Returns the mistake in a node, for clients: errors of other kinds may reveal details of the machine. */
export function reasonOf(error: unknown): string {
  const isTold = VizPromptError.isInstance(error) || LLMError.isInstance(error);
  return isTold ? messageOf(error) : 'the server failed; its log says why';
}

/** Returns the name of an event in the protocol: `flow:updated` is `flow_updated`. */
export function wireName(name: string): string {
  return name.replace(':', '_');
}

/** The names of the events of a project in the protocol. */
export const EVENT_NAMES: readonly string[] = Object.keys(EVENT_KINDS).map(wireName);

function flowEvent({ flow }: { readonly flow: StoredFlow }): WireEvent {
  return { data: { flow_id: flow.id, flow }, flow };
}

function plain(payload: object): WireEvent {
  return { data: payload };
}
