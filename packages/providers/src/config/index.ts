export { decodeUtf8, type DecodedText } from './decode-utf8.ts';
export {
  JsonSyntaxError,
  parseJsonText,
  placeAt,
  type JsonText,
  type TextPlace,
} from './json-text.ts';
export { nearestName } from './nearest-name.ts';
export { yamlOffset, type YamlDocument } from './yaml-offset.ts';
