import { AscendingTable, buildTrie, encodeReading, type DictionaryFacts } from './dictionary.ts';
import type { Table, Tables } from './dictionary-file.ts';
import {
  readClasses,
  readEntries,
  type SourceEntry,
  findSpellings,
  type Spelling,
  KindNumbering,
} from './source-entries.ts';
import { hashSource, readSource } from './source.ts';

/** How far a compilation has come, from 0 to 1. */
export type CompileProgress = (share: number) => void;

/** Compiles the dictionary of a folder into the tables of a `Dictionary`. */
export function compileDictionary(folder: string, onProgress: CompileProgress = () => {}): Tables {
  const words = new Map<string, SourceEntry[]>();
  for (const entry of readEntries(folder)) {
    const known = words.get(entry.surface);
    if (known) known.push(entry);
    else words.set(entry.surface, [entry]);
  }
  onProgress(0.4);
  const trie = buildTrie(new Map([...words].map(([word, entries]) => [word, entries.length])));
  onProgress(0.6);

  const entries = trie.order.flatMap((word) => words.get(word) ?? []);
  const classes = readClasses(folder).map(({ always, groups, entries: unknown }) => {
    const firstEntry = entries.length;
    entries.push(...unknown);
    return { always, groups, firstEntry, lastEntry: entries.length };
  });
  const numbering = new KindNumbering();
  const kinds = Uint16Array.from(entries, (entry) => numbering.of(entry));
  const { allFeatures, allRules, left, right, features, rules } = numbering.finish();
  onProgress(0.8);

  const { matrix, contexts } = transposeMatrix(readSource(folder, 'cc'));
  const source = hashSource(folder);
  const facts: DictionaryFacts = { source, allFeatures, allRules, classes, contexts };
  return {
    ...table('children', trie.children),
    ...table('entries', trie.entries),
    units: trie.units,
    kinds,
    costs: Int16Array.from(entries, ({ cost }) => cost),
    kindLeft: left,
    kindRight: right,
    kindFeatures: features,
    kindRules: rules,
    matrix,
    characters: Uint8Array.from(readSource(folder, 'unk_char').subarray(0, 0x10000)),
    ...readingSections(entries),
    ...spellingSections(findSpellings(entries), entries),
    facts: Buffer.from(JSON.stringify(facts)),
  };
}

function table(name: string, { bases, offsets }: AscendingTable): Record<string, Table> {
  return { [`${name}Bases`]: bases, [`${name}Offsets`]: offsets };
}

/** Turns the costs so that all that one word may follow lie side by side. */
function transposeMatrix(bytes: Buffer): { matrix: Int16Array; contexts: number } {
  const contexts = bytes.readInt16LE(0);
  const matrix = new Int16Array(contexts * contexts);
  for (let right = 0; right < contexts; right++) {
    for (let left = 0; left < contexts; left++) {
      matrix[left * contexts + right] = bytes.readInt16LE(4 + 2 * (right * contexts + left));
    }
  }
  return { matrix, contexts };
}

function readingSections(entries: readonly SourceEntry[]): Record<string, Table> {
  const bytes: number[] = [];
  const starts: number[] = [];
  for (const { reading, surface } of entries) {
    starts.push(bytes.length);
    for (const byte of encodeReading(reading, surface)) bytes.push(byte);
  }
  starts.push(bytes.length);
  return {
    readings: Uint8Array.from(bytes),
    ...table('readingStarts', AscendingTable.from(starts)),
  };
}

/** Spellings by the first entry of their word, with the standard ones in UTF-16. */
function spellingSections(
  spellings: readonly Spelling[],
  entries: readonly SourceEntry[],
): Record<string, Table> {
  const standards = new Map(spellings);
  const firsts: number[] = [];
  const units: number[] = [];
  const starts: number[] = [];
  for (const [entry, { surface }] of entries.entries()) {
    const standard = standards.get(surface);
    if (standard === undefined) continue;
    standards.delete(surface);
    firsts.push(entry);
    starts.push(units.length);
    for (let at = 0; at < standard.length; at++) units.push(standard.charCodeAt(at));
  }
  starts.push(units.length);
  return {
    spellingEntries: Uint32Array.from(firsts),
    spellingUnits: Uint16Array.from(units),
    ...table('spellingStarts', AscendingTable.from(starts)),
  };
}
