/** How the text of an argument or variable becomes a value. */
type ValueKind = 'text' | 'number' | 'flag';

/** A key of the settings that can also be given from outside. */
export interface ConfigKey {
  readonly path: readonly [string, ...string[]];
  /** `--project-root`. */
  readonly argument: string;
  /** `DIALOGOI_PROJECT_ROOT`. */
  readonly variable: string;
  readonly kind: ValueKind;
}

function key(path: string, name: string, kind: ValueKind): ConfigKey {
  const [first = '', ...rest] = path.split('.');
  return {
    path: [first, ...rest],
    argument: `--${name}`,
    variable: `DIALOGOI_${name.toUpperCase().replaceAll('-', '_')}`,
    kind,
  };
}

/** All of them, in the order of the file. */
export const CONFIG_KEYS: readonly ConfigKey[] = [
  key('vector', 'vector', 'text'),
  key('vector.enabled', 'vector-enabled', 'flag'),
  key('vector.provider', 'vector-provider', 'text'),
  key('vector.qdrant.url', 'qdrant-url', 'text'),
  key('vector.qdrant.apiKey', 'qdrant-api-key', 'text'),
  key('vector.qdrant.collection', 'qdrant-collection', 'text'),
  key('vector.embedding.model', 'embedding-model', 'text'),
  key('vector.embedding.dimensions', 'embedding-dimensions', 'number'),
  key('projectRoot', 'project-root', 'text'),
  key('chunk.maxTokens', 'max-tokens', 'number'),
  key('chunk.overlap', 'overlap', 'number'),
  key('flex.profile', 'flex-profile', 'text'),
  key('search.defaultK', 'default-k', 'number'),
  key('search.maxK', 'max-k', 'number'),
];

/** The names of keys below a path, for whoever mistyped one. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  const names = CONFIG_KEYS.filter((known) => {
    return path.every((part, index) => known.path[index] === part);
  }).flatMap((known) => known.path[path.length] ?? []);
  return [...new Set(names)];
}
