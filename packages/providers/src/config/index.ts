export { decodeUtf8, type DecodedText } from './decode-utf8.ts';
export {
  guardYaml,
  repeatedKey,
  type YamlExcess,
  type YamlLimits,
  type YamlScanner,
} from './guard-yaml.ts';
export {
  JsonSyntaxError,
  parseJsonText,
  placeAt,
  type JsonText,
  type TextPlace,
} from './json-text.ts';
export {
  AMOUNT,
  ANYTHING,
  ARRAY,
  AT_A_TIME,
  COUNT,
  either,
  FLAG,
  FUNCTION,
  having,
  listOf,
  LOGGER,
  NUMBER,
  OBJECT,
  oneOf,
  optional,
  SIGNAL,
  TEXT,
  TEXTS,
  type Kind,
  type Kinds,
} from './kinds.ts';
export { nearestName } from './nearest-name.ts';
export { optionChecks, shownValue, type OptionChecks } from './option-checks.ts';
export { yamlOffset, type YamlDocument } from './yaml-offset.ts';
