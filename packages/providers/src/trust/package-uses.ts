import type { TrustUse } from './trust-request.ts';

/** A model that a file names. */
export interface NamedModel {
  /** Its whole name, such as `ai-sdk:@ai-sdk/mistral:mistral-large-latest`. */
  readonly model: string;
  /** The place of the name in the file, such as `participants[0].model`. */
  readonly source: string;
}

/** Returns what a model that a file names needs consent for: a package that is loaded is a program with all rights. */
export function packageUses({ model, source }: NamedModel): TrustUse[] {
  const [, name] = /^ai-sdk:([^:]*)/.exec(model) ?? [];
  if (name === undefined) return [];
  const shown = /^[\w.@/~-]+$/.test(name) ? name : JSON.stringify(name);
  return [{ kind: 'package', text: `the package ${shown} is loaded and run`, source }];
}
