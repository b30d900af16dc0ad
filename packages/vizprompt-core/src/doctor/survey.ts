import type { FileEntry } from '@vizprompt/providers';
import { isUnreadable } from '../errors.ts';
import { isOfKind } from '../format/layout.ts';
import type { Project } from '../project/project.ts';
import { type FlowFacts, inspectFlow } from './inspect-flow.ts';
import { illFormed, inspectNode, type NodeFacts } from './inspect-node.ts';
import { PROPOSALS } from './proposals.ts';

const FOLDERS = ['nodes/', 'flows/', 'attachments/'];
/** Reads that run side by side. */
const PARALLEL = 16;
/** After so many files, others get a turn. */
const PAUSE = 64;

/** All files of a project as they are, read once for each version that they have. */
export class Survey {
  readonly nodes: Map<string, NodeFacts> = new Map();
  readonly flows: Map<string, FlowFacts> = new Map();
  /** The keys of the attachments that are there. */
  readonly attachments: Set<string> = new Set();
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  /** Reads what is new or has changed since the last time, and forgets what is gone. */
  async update(signal?: AbortSignal): Promise<void> {
    const { files, events } = this.#project;
    const changed: FileEntry[] = [];
    const gone = new Set([...this.nodes.keys(), ...this.flows.keys()]);
    this.attachments.clear();
    for (const folder of FOLDERS) {
      for await (const entry of files.list(folder)) {
        const { key, version } = entry;
        gone.delete(key);
        const facts = this.#kindOf(key);
        if (!facts) this.attachments.add(key);
        else if (facts.get(key)?.version !== version) changed.push(entry);
      }
    }
    for (const key of gone) {
      this.nodes.delete(key);
      this.flows.delete(key);
    }
    let done = 0;
    const queue = changed.values();
    const work = async (): Promise<void> => {
      for (const { key, version } of queue) {
        signal?.throwIfAborted();
        await this.#read(key, version);
        done++;
        if (done % PAUSE > 0) continue;
        events.emit('check:progress', { done, total: changed.length });
        await new Promise(setImmediate);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    signal?.throwIfAborted();
  }

  #kindOf(key: string): Map<string, NodeFacts> | Map<string, FlowFacts> | undefined {
    if (isOfKind('nodes', key)) return this.nodes;
    return isOfKind('flows', key) ? this.flows : undefined;
  }

  async #read(file: string, version: string): Promise<void> {
    const isNode = isOfKind('nodes', file);
    try {
      const stored = await this.#project.files.read(file);
      if (!stored) return;
      if (isNode) this.nodes.set(file, inspectNode(file, stored));
      else this.flows.set(file, inspectFlow(file, stored));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      const findings = [{ ...illFormed(file, error), repair: PROPOSALS.unreadable }];
      if (isNode) this.nodes.set(file, { file, version, attachments: [], findings });
      else this.flows.set(file, { file, version, isSound: false, nodes: new Map(), findings });
    }
  }
}
