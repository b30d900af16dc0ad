/**
 * Reading settings: JSON and YAML whose errors name line and column, and names that were mistyped.
 *
 * @module @vizprompt/providers/config
 */
export { decodeUtf8, type DecodedText } from './decode-utf8.ts';
export { JsonSyntaxError, parseJsonText, type JsonText, type TextPlace } from './json-text.ts';
export { nearestName } from '../input/nearest-name.ts';
export { yamlOffset, type YamlDocument } from './yaml-offset.ts';
export type { JsonValue } from '../index.ts';
