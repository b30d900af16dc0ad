import { VizPromptError } from '../errors.ts';
import type { StoredNode } from '../node/node.ts';
import { readHealthyNode, readStoredNode } from '../node/read-node.ts';
import type { Project } from '../project/project.ts';
import type { ContextNode } from './scene.ts';

/** Reads the nodes that are given in full, each once. */
export class Bodies {
  readonly #project: Project;
  readonly #read = new Map<string, StoredNode | undefined>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** The nodes that were read. */
  get known(): ReadonlyMap<string, StoredNode | undefined> {
    return this.#read;
  }

  /** A node; `undefined`, and a `problem:found`, if its file cannot be understood or is gone. */
  async find({ id, row }: ContextNode): Promise<StoredNode | undefined> {
    if (!this.#read.has(id)) {
      this.#read.set(id, row && (await readHealthyNode(this.#project, row.file)));
    }
    return this.#read.get(id);
  }

  /**
   * A node that was asked for.
   *
   * @throws VizPromptError with the code `node-not-found` or `node-invalid`.
   */
  async get({ id, row }: ContextNode): Promise<StoredNode> {
    const node =
      this.#read.get(id) ?? (row && (await readStoredNode(this.#project.files, row.file)));
    if (!node) {
      throw new VizPromptError('node-not-found', `the file of the node ${id} is gone`, {
        context: { node: id, ...(row ? { file: row.file } : {}) },
      });
    }
    this.#read.set(id, node);
    return node;
  }
}
