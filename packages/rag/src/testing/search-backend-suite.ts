import { declareSuite, type ContractCase, type SuiteOptions } from '@vizprompt/providers/testing';
import { openSubject, type OpenBackend, type SearchBackendSubject } from './backend-subject.ts';
import { hitCases } from './hit-cases.ts';
import { queryCases } from './query-cases.ts';
import { rankingCases } from './ranking-cases.ts';
import { persistenceCases, robustnessCases } from './robustness-cases.ts';
import { updateCases } from './update-cases.ts';
import { checkArgument } from '../check-options.ts';
import { having } from '@vizprompt/providers/config/internal';

/** The cases of every search backend. */
export const searchBackendCases: readonly ContractCase<SearchBackendSubject>[] = [
  ...updateCases,
  ...rankingCases,
  ...queryCases,
  ...hitCases,
  ...robustnessCases,
];

/** The cases of backends that store what they hold. */
export const persistentBackendCases: readonly ContractCase<SearchBackendSubject>[] =
  persistenceCases;

/** Options of {@link testSearchBackend}. */
export interface SearchBackendSuiteOptions extends Omit<
  SuiteOptions<SearchBackendSubject>,
  'open'
> {
  /** Makes a fresh, empty backend with the analyzer and the chunks of the suite. */
  readonly open: OpenBackend;
  /** True if it stores what it holds; then `reopen` is needed. Default: `false`. */
  readonly isPersistent?: boolean | undefined;
}

const SUITE = having('{ name, open, runner: { describe, it } }', 'open', 'runner');

/**
 * Declares the tests of a search backend.
 *
 * @example
 * ```ts
 * testSearchBackend({
 *   name: 'my backend',
 *   runner: { describe, it },
 *   open: async ({ analyzer, chunking }) => {
 *     const backend = await MyBackend.open({ analyzer, chunking });
 *     return { backend, close: () => backend.close() };
 *   },
 * });
 * ```
 */
export function testSearchBackend(options: SearchBackendSuiteOptions): void {
  checkArgument('the options of testSearchBackend', options, SUITE);
  const { open, isPersistent = false, ...rest } = options;
  const cases = isPersistent
    ? [...searchBackendCases, ...persistentBackendCases]
    : searchBackendCases;
  declareSuite('SearchBackend', cases, { ...rest, open: () => openSubject(open) });
}
