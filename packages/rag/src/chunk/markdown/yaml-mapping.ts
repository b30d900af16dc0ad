import type * as Yaml from 'yaml';
import type { Mapping } from './plain-mapping.ts';

/** So many times may aliases repeat what they stand for: a few lines can mean gigabytes. */
const MAX_ALIASES = 100;

let parser: Promise<typeof Yaml> | undefined;

/**
 * Reads any YAML. The parser is loaded with the first one.
 *
 * @param yaml - With lines that end with LF.
 * @returns `undefined` if it is no YAML, or no mapping.
 */
export async function readYamlMapping(yaml: string): Promise<Mapping | undefined> {
  parser ??= import('yaml');
  const { parse } = await parser;
  try {
    const found: unknown = parse(yaml, {
      // What looks like a number stays as it is written.
      schema: 'failsafe',
      customTags: ['null'],
      mapAsMap: true,
      maxAliasCount: MAX_ALIASES,
      // Looking for equal keys takes the square of their number.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    });
    return found instanceof Map ? found : undefined;
  } catch {
    return undefined;
  }
}
