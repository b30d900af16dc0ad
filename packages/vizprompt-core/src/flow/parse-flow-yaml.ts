import { type Document, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { type FilePlace, invalidFile } from '../errors.ts';
import { refuseMergeConflict } from '../format/merge-conflict.ts';
import { parseYaml } from '../format/parse-yaml.ts';
import { yamlJson } from '../format/yaml.ts';
import {
  FLOW_FIELDS,
  rawFlowFile,
  type RawFlow,
  type RawFlowFile,
  scanRawFlow,
} from './scan-flow-yaml.ts';

/**
 * Reads what a flow file says.
 *
 * @param file - The key of the file, for errors.
 * @param isLenient - True if invalid numbers count as missing.
 * @throws VizPromptError with the code `flow-invalid` if it is not YAML of that form.
 */
export function readRawFlow(file: string, text: string, isLenient = false): RawFlowFile {
  const scanned = scanRawFlow(file, text);
  if (scanned) return scanned;
  const { raw, document } = parseFlowYaml(file, text, isLenient);
  return { ...rawFlowFile(raw), document };
}

/** A flow file as the YAML parser sees it. */
export interface ParsedFlowYaml {
  readonly raw: RawFlow;
  /** The document, by which comments and unknown keys survive when the flow changes. */
  readonly document: Document.Parsed;
}

/**
 * Reads a flow file of any form that YAML allows.
 *
 * @param isLenient - True if invalid numbers count as missing, instead of hiding all the rest.
 * @throws VizPromptError with the code `flow-invalid` and the line and column of the problem.
 */
export function parseFlowYaml(file: string, text: string, isLenient = false): ParsedFlowYaml {
  const { lineCounter, document, problem: found } = parseYaml(text);
  const placeAt = (offset: number): FilePlace => {
    const { line, col: column } = lineCounter.linePos(offset);
    return { file, line, column };
  };
  const placeOf = (node: unknown): FilePlace => {
    const range = (isMap(node) || isScalar(node) || isSeq(node)) && node.range;
    return range ? placeAt(range[0]) : { file };
  };
  const fail = (node: unknown, problem: string): never => {
    throw invalidFile('flow-invalid', placeOf(node), problem);
  };

  if (found) {
    refuseMergeConflict('flow-invalid', file, text);
    throw invalidFile('flow-invalid', placeAt(found.offset), found.message, found.cause);
  }
  const root = document.contents;
  if (!isMap(root)) return fail(root, 'a flow is a map with id, name, nodes and connections');

  const itemsOf = (name: string): YAMLMap[] => {
    const list = root.get(name, true) as Node | undefined;
    if (list === undefined || (isScalar(list) && list.value === null)) return [];
    if (!isSeq(list)) return fail(list, `'${name}' is no list`);
    return list.items.map((item) =>
      isMap(item) ? item : fail(item, `an entry of '${name}' is no map`),
    );
  };
  const numberIn = (map: YAMLMap, key: string): number | undefined => {
    const value = map.get(key, true);
    if (value === undefined || !isScalar(value)) return undefined;
    const number = Number(value.value);
    if (Number.isSafeInteger(number) && number >= 0 && value.value !== '') return number;
    return isLenient ? undefined : fail(value, `'${key}' is no number from 0 on`);
  };
  const textIn = (map: YAMLMap, key: string): string | undefined => {
    const value = map.get(key, true);
    if (value === undefined || !isScalar(value) || value.value === null) return undefined;
    // A time or a number that is not quoted is meant as it is written.
    return typeof value.value === 'string' ? value.value : value.source;
  };

  const objectIn = (map: YAMLMap, key: string): string | undefined => {
    const value = map.get(key, true);
    if (value === undefined || (isScalar(value) && value.value === null)) return undefined;
    return isMap(value) ? yamlJson(value.toJS(document)) : fail(value, `'${key}' is no map`);
  };

  const fields: Record<string, string> = {};
  for (const name of FLOW_FIELDS) {
    const value = name === 'meta' ? objectIn(root, name) : textIn(root, name);
    if (value !== undefined) fields[name] = value;
  }
  const raw: RawFlow = {
    fields,
    nodes: itemsOf('nodes').map((map) => ({
      index: numberIn(map, 'index'),
      id: textIn(map, 'id'),
      place: placeOf(map),
    })),
    connections: itemsOf('connections').map((map) => ({
      from: numberIn(map, 'from'),
      to: numberIn(map, 'to'),
      fromId: textIn(map, 'from_id'),
      toId: textIn(map, 'to_id'),
      branch: textIn(map, 'branch'),
      place: placeOf(map),
    })),
  };
  return { raw, document };
}
