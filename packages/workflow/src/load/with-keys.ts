import type { Path } from '../problems/finding.ts';

/** What is done with a key. */
export interface KeyChange {
  readonly path: Path;
  /** What it is called from then on. Default: it is left out. */
  readonly name?: string;
}

/** A value with other keys. Only what is on the way to them is copied: the value itself stays as it is. */
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
