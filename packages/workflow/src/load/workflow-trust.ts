import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TrustRequest, TrustUse } from '@vizprompt/providers/trust';
import { packageUses } from '@vizprompt/providers/trust/internal';
import { MAX_DEPTH } from './fast-yaml.ts';
import { readSource } from './read-source.ts';

/**
 * Reads what a workflow file asks its user to consent to: packages of the AI SDK that it names as models. What cannot be
 * read asks for nothing, as it cannot run either.
 */
export async function readWorkflowTrust(
  path: string | URL,
): Promise<TrustRequest & { readonly place: string }> {
  const { source } = await readSource(path, { name: 'file', isThorough: false });
  const place = path instanceof URL ? fileURLToPath(path) : resolve(path);
  const uses = new Map(usesIn(source.value, MAX_DEPTH).map((use) => [use.text, use]));
  return { place, uses: [...uses.values()] };
}

/** Any text may become the name of a model, by an alias for one. */
function usesIn(value: unknown, depth: number): readonly TrustUse[] {
  if (typeof value === 'string') return packageUses({ model: value, source: 'model' });
  if (typeof value !== 'object' || value === null || depth <= 0) return [];
  return Object.values(value).flatMap((one: unknown) => usesIn(one, depth - 1));
}
