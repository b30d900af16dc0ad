import { compareTimes } from './ids-and-times.ts';

/** The kinds of files in numbered folders. */
export type NumberedKind = 'nodes' | 'flows';

const ENDINGS: Readonly<Record<NumberedKind, string>> = { nodes: '.xml', flows: '.yaml' };

/** A place in the numbered folders: `{ folder: 0, number: 1 }` is `00/01`. */
export interface Slot {
  readonly folder: number;
  readonly number: number;
}

/** Returns the key of a numbered file: two hexadecimal digits each, more for folders after `ff`. */
export function slotFile(kind: NumberedKind, { folder, number }: Slot): string {
  return `${kind}/${hex(folder)}/${hex(number)}${ENDINGS[kind]}`;
}

/** Returns the place of a file, if its name is one that {@link slotFile} gives. */
export function slotOf(kind: NumberedKind, file: string): Slot | undefined {
  const [, folder = '', number = ''] =
    /^[a-z]+\/([0-9a-f]{2,})\/([0-9a-f]{2})\.[a-z]+$/.exec(file) ?? [];
  const slot = { folder: Number.parseInt(folder, 16), number: Number.parseInt(number, 16) };
  return slotFile(kind, slot) === file ? slot : undefined;
}

/** Returns the place after the last one. Places that became free are not used again. */
export function nextSlot(last: Slot | undefined, filesPerFolder: number): Slot {
  if (!last) return { folder: 0, number: 0 };
  const { folder, number } = last;
  return number + 1 < filesPerFolder
    ? { folder, number: number + 1 }
    : { folder: folder + 1, number: 0 };
}

function hex(value: number): string {
  return value.toString(16).padStart(2, '0');
}

/**
 * Checks whether a file of the project is of this kind. Files of other systems are not: what begins with a dot,
 * such as `._00.xml` of macOS, and the folder `__MACOSX`.
 */
export function isOfKind(kind: NumberedKind, file: string): boolean {
  return (
    file.startsWith(`${kind}/`) &&
    file.endsWith(ENDINGS[kind]) &&
    !/\/(?:\.|__MACOSX\/|~\$)/.test(file)
  );
}

/** Orders files as their folders are counted: `ff/00.xml` comes before `100/00.xml`. */
export function compareFiles(a: string, b: string): number {
  const [folderA, folderB] = [folderOf(a), folderOf(b)];
  if (folderA.length !== folderB.length) return folderA.length - folderB.length;
  return a < b ? -1 : Number(a > b);
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/'));
}

/** A file that carries an id. */
interface Version {
  readonly file: string;
  readonly timestamp: string;
}

/**
 * Orders the files that carry one id: the newest first, of equally new ones that which is found
 * later when the folders are walked.
 */
export function precedence(a: Version, b: Version): number {
  return compareTimes(b.timestamp, a.timestamp) || compareFiles(b.file, a.file);
}

/** All files that a project writes, as keys. Other files are never written, whatever a file of it says. */
const PLACES: readonly RegExp[] = [
  /^config\.yaml$/,
  /^\.gitattributes$/,
  /^nodes\/.+\.xml$/s,
  /^flows\/.+\.yaml$/s,
  /^metadata\/(?:node_map\.tsv|flow_map\.tsv|tags\.yaml|index\.yaml)$/,
  /^history\/(?:stack\.json|\.gitignore|[0-9A-Za-z-]{1,64}\.json\.br)$/,
  /^attachments\/(?:\.gitignore|([0-9a-f]{2})\/\1[0-9a-f]{62})$/,
  /^lost\+found\/(?:nodes\/.+\.xml|flows\/.+\.yaml|config\.yaml)(?:\.\d+)?(?:\.txt)?$/s,
];

/** Checks whether a key is one of the places that a project writes. */
export function isProjectPlace(key: string): boolean {
  return PLACES.some((place) => place.test(key));
}

/** The file that maps nodes to their files. */
export const NODE_MAP = 'metadata/node_map.tsv';

/** The file that maps flows to their files. */
export const FLOW_MAP = 'metadata/flow_map.tsv';
