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
  described,
  either,
  FLAG,
  FUNCTION,
  having,
  isRecord,
  listOf,
  LOGGER,
  NONEMPTY,
  NUMBER,
  OBJECT,
  objectOf,
  oneOf,
  oneOrMore,
  optional,
  orNull,
  POSITIVE,
  SIGNAL,
  TEXT,
  textOf,
  TEXTS,
  wholeFrom,
  type AnyKinds,
  type Description,
  type JsonSchema,
  type Kind,
  type Kinds,
  type OptionalKind,
} from '../input/kinds.ts';
export { ERASE_OPTIONS } from '../erase/erase-options.ts';
export { jsonSchemaOf, objectSchemaOf } from '../input/json-schema.ts';
export { nearestName } from '../input/nearest-name.ts';
export { optionChecks, type OptionChecks } from '../input/option-checks.ts';
export { problemsOf, shownValue, type InputProblem } from '../input/problems.ts';
export {
  snakeInput,
  wireInput,
  type InputOf,
  type StandardInput,
  type WireInput,
  type WireProblem,
  type WireResult,
} from '../input/wire-input.ts';
export { yamlOffset, type YamlDocument } from './yaml-offset.ts';
