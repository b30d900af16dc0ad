/** How calls of hooks are recorded. */
export interface RecordSettings {
  /** Where the places up to which transcripts were read are kept. Default: `~/.ptta/hooks`. */
  readonly stateFolder?: string | undefined;
  /** How many bytes of a transcript one hook reads. Default: 2 MiB; eight times so at the session's end. */
  readonly maxBytes?: number | undefined;
  /** Outputs of tools in files that may be gone, by path. */
  readonly outputs?: ReadonlyMap<string, string> | undefined;
}
