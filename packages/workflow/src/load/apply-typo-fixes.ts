import { type Finding, isRenamed, keyOf, type Path, type Source } from '../problems/finding.ts';
import { valueAt } from '../problems/locate.ts';

/** A file with its typos in keys fixed. */
interface FixedFile {
  /** With mistyped keys under the names that were meant. */
  readonly source: Source;
  /** The mistakes in the file as it is written, and below its mistyped keys. */
  readonly findings: readonly Finding[];
  /** The mistakes in the file as it was meant. */
  readonly left: readonly Finding[];
}

/**
 * Renames mistyped keys to the nearest known ones, so that what is below them is checked too, and not reported as
 * missing.
 *
 * @param findingsOf - Finds mistakes in the structure of a file.
 */
export function applyTypoFixes(
  written: Source,
  findingsOf: (source: Source) => readonly Finding[],
): FixedFile {
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
function placed({ source, findings, left }: FixedFile): FixedFile {
  const own = (finding: Finding): Finding => ({ ...finding, source });
  const isThere = ({ code, path, words }: Finding): boolean =>
    code === 'missing-key' && source.renamed?.has(keyOf([...path, words?.['name'] ?? ''])) === true;
  return {
    source,
    findings: findings.filter((finding) => !isThere(finding)).map(own),
    left: left.map(own),
  };
}

/** The change of a key. */
interface KeyChange {
  readonly path: Path;
  /** Its new name. Default: it is left out. */
  readonly name?: string;
}

/** Returns a value with other keys. Only what is on the way to them is copied: the value itself stays as it is. */
export function withKeys(value: unknown, changes: readonly KeyChange[]): unknown {
  const copies = new Set<unknown>();
  const ownCopy = (holder: object, key: string | number): object | undefined => {
    const one: unknown = Object(holder)[key];
    if (typeof one !== 'object' || one === null) return undefined;
    if (copies.has(one)) return one;
    const copy = Array.isArray(one) ? [...one] : { ...one };
    copies.add(copy);
    set(holder, key, copy);
    return copy;
  };
  const root = { value };
  for (const { path, name } of changes) {
    const key = path.at(-1);
    let holder: object | undefined = ownCopy(root, 'value');
    for (const step of path.slice(0, -1)) holder = holder && ownCopy(holder, step);
    if (key === undefined || !holder) continue;
    if (name !== undefined) set(holder, name, Object(holder)[key]);
    Reflect.deleteProperty(holder, key);
  }
  return root.value;
}

/** Also for keys such as `__proto__`. */
function set(holder: object, key: string | number, value: unknown): void {
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
