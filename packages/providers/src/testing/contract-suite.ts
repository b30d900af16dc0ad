import assert from 'node:assert/strict';
import { checkArgument } from '../input/check-input.ts';
import { ARRAY, having } from '../input/kinds.ts';
import { StorageError, type StorageErrorCode } from '../storage/storage-error.ts';

/** One sentence of a contract, and how to check it. */
export interface ContractCase<Subject> {
  /** A sentence about behaviour. */
  readonly name: string;
  /** Rejects if the subject does not behave so. */
  run(subject: Subject): Promise<void>;
}

/** The two functions that vitest, jest and `node:test` have in common. */
export interface TestRunner {
  describe(name: string, define: () => void): unknown;
  it(name: string, run: () => Promise<void>): unknown;
}

/** A subject for one case. */
export interface OpenedSubject<Subject> {
  readonly subject: Subject;
  /** Closes it and deletes what it stored. */
  close(): Promise<void>;
}

/** How a contract suite is run on an implementation. */
export interface SuiteOptions<Subject> {
  /** The name of the implementation, for the report. */
  readonly name: string;
  /** Makes a fresh, empty subject for each case. */
  open(): Promise<OpenedSubject<Subject>>;
  /** The test functions: `import { describe, it } from 'vitest'`. */
  readonly runner: TestRunner;
  /**
   * Cases that are known to fail, by name, each with the reason. One that starts to pass fails the
   * run, so that the list cannot go stale.
   */
  readonly expectedFailures?: Readonly<Record<string, string>>;
}

const SUITE = having('{ name, open, runner: { describe, it } }', 'open', 'runner');

/** Declares one test for each case of a contract. */
export function declareSuite<Subject>(
  contract: string,
  cases: readonly ContractCase<Subject>[],
  options: SuiteOptions<Subject>,
): void {
  checkArgument(`the options of the suite ${contract}`, options, SUITE);
  const { name, open, runner, expectedFailures = {} } = options;
  const unknown = Object.keys(expectedFailures).filter(
    (expected) => !cases.some((contractCase) => contractCase.name === expected),
  );
  if (unknown.length > 0) throw new Error(`no such case in ${contract}: ${unknown.join('; ')}`);

  runner.describe(`${contract}: ${name}`, () => {
    for (const contractCase of cases) {
      const reason = expectedFailures[contractCase.name];
      const title = reason ? `${contractCase.name} (fails: ${reason})` : contractCase.name;
      runner.it(title, async () => {
        const failure = await runCase(contractCase, open);
        if (reason === undefined && failure) throw failure.error;
        if (reason !== undefined && !failure) {
          throw new Error(`'${contractCase.name}' passes: take it off the expected failures`);
        }
      });
    }
  });
}

/** The result of {@link runContract}. */
export interface ContractReport {
  readonly passed: readonly string[];
  readonly failed: readonly { readonly name: string; readonly error: unknown }[];
}

/** Runs the cases of a contract without a test runner, one after the other. */
export async function runContract<Subject>(
  cases: readonly ContractCase<Subject>[],
  open: () => Promise<OpenedSubject<Subject>>,
): Promise<ContractReport> {
  checkArgument('the cases of runContract', cases, ARRAY);
  const passed: string[] = [];
  const failed: { name: string; error: unknown }[] = [];
  for (const contractCase of cases) {
    const failure = await runCase(contractCase, open);
    if (failure) failed.push({ name: contractCase.name, error: failure.error });
    else passed.push(contractCase.name);
  }
  return { passed, failed };
}

/** A case that takes longer waits for something that will not come. */
const CASE_TIMEOUT_MS = 100_000;

async function runCase<Subject>(
  contractCase: ContractCase<Subject>,
  open: () => Promise<OpenedSubject<Subject>>,
): Promise<{ readonly error: unknown } | undefined> {
  const { subject, close } = await open();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const error = new Error(`'${contractCase.name}' did not end within ${CASE_TIMEOUT_MS} ms`);
    timer = setTimeout(() => reject(error), CASE_TIMEOUT_MS);
  });
  try {
    await Promise.race([contractCase.run(subject), timeout]);
    return undefined;
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
    await close();
  }
}

/**
 * Asserts that work fails with a {@link StorageError} of one code.
 *
 * @param what - Named in the message. Default: the code only.
 */
export async function rejectsWith(
  code: StorageErrorCode,
  work: Promise<unknown> | (() => unknown),
  what = 'the call',
): Promise<void> {
  await assert.rejects(
    async () => (typeof work === 'function' ? work() : work),
    (error: unknown) => {
      assert.ok(StorageError.isInstance(error), `expected a StorageError, got ${String(error)}`);
      assert.equal(error.code, code, error.message);
      return true;
    },
    `${what}: expected a rejection with the code '${code}'`,
  );
}

/** Texts that software mistreats: scripts, directions, surrogates, control characters, numbers. */
export const difficultTexts: readonly string[] = [
  '',
  ' ',
  '\n\n 先頭の空行と空白 \n',
  '吾輩は猫である。名前はまだ無い。',
  'ｶﾞｷﾞｸﾞ がぎぐ か\u3099',
  '👩‍👩‍👧‍👦🇯🇵 𠮷野家',
  'שלום עולם مرحبا \u202etxt.exe',
  'a\r\nb\rc\u2028d\u0085e',
  '\u001b[31mred\u001b[0m \u0007',
  ']]> <![CDATA[ & &amp; &#0; </prompt> <!-- -->',
  '007',
  '1e5',
  'null',
  "'; DROP TABLE x; -- ? $1 %s \\",
  '\ufeffBOM',
];
