/**
 * A piece of a glob: where it may end in a path, if it starts at any of some places. Places ascend
 * and are different, so a step never takes longer than the path is long.
 */
export type GlobStep = (path: string, starts: readonly number[]) => readonly number[];

/** Whatever means more than itself inside a class. */
const SPECIAL = /[-*+?.^${}(|)[\]]/u;

/** A text as it stands. */
export function literal(text: string): GlobStep {
  return (path, starts) =>
    starts.filter((at) => path.startsWith(text, at)).map((at) => at + text.length);
}

/** `?`: a character of a name. */
export const anyCharacter: GlobStep = (path, starts) =>
  charactersAt(path, starts, (character) => character !== '/');

/** `*`: any part of a name. */
export const name: GlobStep = (path, starts) => {
  const ends: number[] = [];
  for (const start of starts) {
    for (let at = Math.max(start, (ends.at(-1) ?? -1) + 1); at <= path.length; at += 1) {
      if (at > start && path[at - 1] === '/') break;
      ends.push(at);
    }
  }
  return ends;
};

/** `**`: anything. */
export const anything: GlobStep = (path, [start = 0]) =>
  Array.from({ length: path.length - start + 1 }, (_, index) => start + index);

/** `**` with the slash behind it: no folder, or some. */
export const folders: GlobStep = (path, starts) => {
  const ends: number[] = [];
  let next = 0;
  for (let at = starts[0] ?? 0; at <= path.length; at += 1) {
    const isStart = starts[next] === at;
    if (isStart) next += 1;
    if (isStart || path[at - 1] === '/') ends.push(at);
  }
  return ends;
};

/** `**` at the end, with the slash before it: what is here, and all below. */
export const below: GlobStep = (path, starts) =>
  starts.some((at) => at === path.length || path[at] === '/') ? [path.length] : [];

/** `{a,b}`: any of several. */
export function choice(branches: readonly (readonly GlobStep[])[]): GlobStep {
  return (path, starts) => {
    const ends = new Set<number>();
    for (const steps of branches) {
      let places = starts;
      for (const step of steps) if (places.length > 0) places = step(path, places);
      for (const place of places) ends.add(place);
    }
    return [...ends].toSorted((one, other) => one - other);
  };
}

/** `[a-z]`, `[!a-z]`: one of these characters, or none of them; `[1]` is also found as it stands. */
export function oneOf(token: string): GlobStep {
  const isNegated = /^\[[!^]./u.test(token);
  const body = token.slice(isNegated ? 2 : 1, -1);
  const ranges = rangesOf(body);
  const fits = (character: string): boolean => {
    const code = character.codePointAt(0) ?? 0;
    const isIn = ranges.some(([from, to]) => code >= from && code <= to);
    return isNegated ? !isIn && character !== '/' : isIn;
  };
  if (isNegated || SPECIAL.test(body)) return (path, starts) => charactersAt(path, starts, fits);
  const asItStands = literal(token);
  return choice([[(path, starts) => charactersAt(path, starts, fits)], [asItStands]]);
}

function rangesOf(body: string): readonly (readonly [from: number, to: number])[] {
  const codes = Array.from(body, (character) => character.codePointAt(0) ?? 0);
  const ranges: [number, number][] = [];
  for (let at = 0; at < codes.length; at += 1) {
    const from = codes[at] ?? 0;
    const last = codes[at + 1] === HYPHEN ? codes[at + 2] : undefined;
    ranges.push([from, last ?? from]);
    if (last !== undefined) at += 2;
  }
  return ranges;
}

const HYPHEN = 0x2d;

function charactersAt(
  path: string,
  starts: readonly number[],
  fits: (character: string) => boolean,
): readonly number[] {
  const ends: number[] = [];
  for (const at of starts) {
    const code = path.codePointAt(at);
    if (code === undefined) continue;
    const character = String.fromCodePoint(code);
    const end = at + character.length;
    if (ends.at(-1) !== end && fits(character)) ends.push(end);
  }
  return ends;
}
