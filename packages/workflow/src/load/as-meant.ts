import type { Finding } from '../problems/finding.ts';
import { valueAt } from '../problems/locate.ts';
import { isRenamed, keyOf } from '../problems/written-path.ts';
import type { Source } from './source.ts';
import { withKeys, type KeyChange } from './with-keys.ts';

/** A file as it was most likely meant. */
export interface MeantFile {
  /** With mistyped keys under the names that were meant. */
  readonly source: Source;
  /** What is wrong with the file as it is written, and below its mistyped keys. */
  readonly findings: readonly Finding[];
  /** What is wrong with the file as it was meant. */
  readonly left: readonly Finding[];
}

/**
 * Reads mistyped keys as the ones that were meant, so that what is below them and what depends on them is looked at
 * as well, and not taken for missing.
 *
 * @param findingsOf - What is wrong with the structure of a file.
 */
export function asMeant(
  written: Source,
  findingsOf: (source: Source) => readonly Finding[],
): MeantFile {
  const renamed = new Map<string, string>();
  const findings: Finding[] = [];
  let source = written;
  for (;;) {
    const left = findingsOf(source);
    findings.push(...left.filter(({ path }) => source === written || isRenamed(source, path)));
    const changes: KeyChange[] = [];
    for (const { code, path, nearest } of left) {
      if (code !== 'unknown-key' || nearest === undefined) continue;
      const holder = path.slice(0, -1);
      const name = keyOf([...holder, nearest]);
      const isTaken = Object.hasOwn(Object(valueAt(source.value, holder)), nearest);
      // A key is renamed once, even if the better name fits no better.
      if (isTaken || renamed.has(name) || renamed.has(keyOf(path))) continue;
      renamed.set(name, String(path.at(-1)));
      changes.push({ path, name: nearest });
    }
    if (changes.length === 0) return placed({ source, findings, left });
    source = { ...written, value: withKeys(source.value, changes), renamed };
  }
}

/** All findings are of the one file, as it was meant in the end. A key that is mistyped is not missing. */
function placed({ source, findings, left }: MeantFile): MeantFile {
  const own = (finding: Finding): Finding => ({ ...finding, source });
  const isThere = ({ code, path, words }: Finding): boolean =>
    code === 'missing-key' && source.renamed?.has(keyOf([...path, words?.['name'] ?? ''])) === true;
  return {
    source,
    findings: findings.filter((finding) => !isThere(finding)).map(own),
    left: left.map(own),
  };
}
