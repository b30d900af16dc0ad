/** All settings that a command line may give, with what each takes. */
export const SETTINGS = {
  'project-root': '<folder>',
  backend: '<name>',
  database: '<url>',
  'max-tokens': '<n>',
  overlap: '<share>',
  chapters: '[boolean]',
  'default-k': '<n>',
  'max-k': '<n>',
  romaji: '[boolean]',
  thesaurus: '<file>',
  'flex-profile': '<name>',
  'log-file': '<file>',
  'log-level': '<level>',
  vector: '<none>',
  'vector-enabled': '[boolean]',
  'vector-provider': '<name>',
  'qdrant-url': '<url>',
  'qdrant-api-key': '<key>',
  'qdrant-collection': '<name>',
  'embedding-model': '<model>',
  'embedding-dimensions': '<n>',
  'vector-gate': '<share>',
  'vector-weight': '<n>',
} as const;

/** The name of a setting: `max-tokens`. */
export type SettingName = keyof typeof SETTINGS;
