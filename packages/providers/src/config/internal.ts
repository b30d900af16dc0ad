/**
 * The kinds that options and input are checked by, and what else readers of files share. Nothing here is
 * promised: any release may change or remove it.
 *
 * @internal
 * @module @vizprompt/providers/config/internal
 */
export {
  AMOUNT,
  ANYTHING,
  ARRAY,
  AT_A_TIME,
  type AnyKinds,
  COUNT,
  FLAG,
  FUNCTION,
  type Description,
  type JsonSchema,
  type Kind,
  type Kinds,
  LOGGER,
  NONEMPTY,
  NUMBER,
  OBJECT,
  type OptionalKind,
  POSITIVE,
  SIGNAL,
  TEXT,
  TEXTS,
  described,
  either,
  having,
  isRecord,
  listOf,
  objectOf,
  oneOf,
  oneOrMore,
  optional,
  orNull,
  textOf,
  wholeFrom,
  type ListenerCheck,
  type OptionChecks,
  optionChecks,
  shownValue,
} from '../input/kinds.ts';
export {
  ANALYZER,
  ASYNC_ITERABLE,
  BYTES,
  CHAT_MODEL,
  DATABASE,
  EMBEDDING_MODEL,
  FILE_STORE,
  RETRIEVER,
  STORAGE,
  TURN,
} from '../input/part-kinds.ts';
export { ERASE_OPTIONS } from '../erase/erasure.ts';
export {
  type InputOf,
  type WireInput,
  type WireResult,
  snakeInput,
  wireInput,
} from '../input/wire-input.ts';
export { guardYaml, repeatedKey } from './guard-yaml.ts';
export { zodProblem } from '../input/zod-problem.ts';
export { jsonSchemaOf } from '../input/json-schema.ts';
export { placeAt } from './json-text.ts';
