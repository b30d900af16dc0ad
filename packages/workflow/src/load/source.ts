/** A file that was read, or what was given in its place. */
export interface Source {
  /** For messages. */
  readonly name: string;
  readonly value: unknown;
  /** Absent for what was given as an object. */
  readonly text?: string;
  readonly format: 'json' | 'yaml' | 'object';
  /** Mistyped keys as they are written, by the paths that they have in `value`, as JSON. */
  readonly renamed?: ReadonlyMap<string, string>;
}
