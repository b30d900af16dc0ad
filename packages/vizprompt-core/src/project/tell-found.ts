import { VizPromptError } from '../errors.ts';
import type { StoredFlow } from '../flow/flow.ts';
import { readFlowFile } from '../flow/flow-file.ts';
import { problemOf } from '../index/problem-of.ts';
import { readHealthyNode } from '../node/read-healthy-node.ts';
import type { Project } from './project.ts';

/** Emits what somebody else did to a node, by how it is now. */
export async function tellNode(project: Project, id: string, isKnown: boolean): Promise<void> {
  const { events, index, known } = project;
  const [file] = await index.nodes.filesOf(id);
  if (file === undefined) {
    events.emit('node:deleted', { id });
    return;
  }
  const node = await readHealthyNode(project, file);
  if (!node) return;
  known.rememberNode(node);
  events.emit(isKnown ? 'node:updated' : 'node:created', { node });
}

/** Emits what somebody else did to a flow, by how it is now. */
export async function tellFlow(project: Project, id: string, isKnown: boolean): Promise<void> {
  const { events, index } = project;
  const [file] = (await index.flows.known([id])).has(id) ? await index.flows.find(id) : [];
  if (file === undefined) {
    events.emit('flow:deleted', { id });
    return;
  }
  const flow = await readHealthyFlow(project, file);
  if (flow) events.emit(isKnown ? 'flow:updated' : 'flow:created', { flow });
}

async function readHealthyFlow(
  { files, events, known }: Project,
  file: string,
): Promise<StoredFlow | undefined> {
  const stored = await files.read(file);
  if (!stored) return undefined;
  try {
    const { flow } = readFlowFile(file, stored.text);
    known.rememberFlow(stored.version, flow);
    return { ...flow, file, version: stored.version };
  } catch (error) {
    if (!VizPromptError.isInstance(error)) throw error;
    events.emit('problem:found', problemOf(file, error));
    return undefined;
  }
}
