/** Names that CEL keeps for types of its own, so that no variable of that name is seen. */
export const CEL_NAMES: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'dyn',
  'int',
  'list',
  'map',
  'null_type',
  'optional_type',
  'string',
  'type',
  'uint',
]);
