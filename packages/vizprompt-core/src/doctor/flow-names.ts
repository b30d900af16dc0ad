import { isOfKind } from '../format/layout.ts';
import type { Project } from '../project/project.ts';
import { sameFlows } from './check-graph.ts';
import { type FlowFacts, inspectFlow } from './inspect-flow.ts';

/** What the flows of a project are called, and which of them must be called otherwise. */
export class FlowNames {
  readonly #aliases: Set<string>;
  readonly #doubles: ReadonlySet<string>;

  private constructor(flows: ReadonlyMap<string, FlowFacts>) {
    this.#aliases = new Set([...flows.values()].flatMap(({ flow }) => flow?.alias ?? []));
    this.#doubles = new Set(
      sameFlows({ flows: new Map(flows) }).map(({ code, file }) => `${code} ${file}`),
    );
  }

  /** Reads all flows as they are now. */
  static async load({ files }: Project): Promise<FlowNames> {
    const flows = new Map<string, FlowFacts>();
    for await (const { key } of files.list('flows/')) {
      const stored = isOfKind('flows', key) ? await files.read(key) : null;
      if (stored) flows.set(key, inspectFlow(key, stored));
    }
    return new FlowNames(flows);
  }

  /** What a flow needs, if it is to be called otherwise at all. */
  needsOf(file: string, isMeant: boolean): { needsId: boolean; needsAlias: boolean } {
    return {
      needsId: isMeant && this.#doubles.has(`duplicate-id ${file}`),
      needsAlias: isMeant && this.#doubles.has(`duplicate-alias ${file}`),
    };
  }

  /** An alias that no flow has, from now on this one: `main-2` for `main`. */
  freeAlias(alias: string): string {
    for (let number = 2; ; number++) {
      const free = `${alias}-${number}`;
      if (this.#aliases.has(free)) continue;
      this.#aliases.add(free);
      return free;
    }
  }
}
