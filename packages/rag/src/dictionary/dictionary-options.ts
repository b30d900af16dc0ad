/** Options of opening the dictionary. */
export interface DictionaryOptions {
  /**
   * The compiled file itself, such as an {@link AnalyzerSpec} names. It is made when missing, as any
   * other. Default: a file in `cacheFolder` whose name tells dictionary and format.
   */
  readonly dictionary?: string;
  /**
   * Where compiled dictionaries lie. Default: `$XDG_CACHE_HOME/vizprompt`, `~/.cache/vizprompt`, or
   * `%LOCALAPPDATA%\vizprompt` on Windows.
   */
  readonly cacheFolder?: string;
  /** Told how far the compilation has come, from 0 to 1, if there must be one. */
  readonly onProgress?: (share: number) => void;
  /** Ends the compilation. */
  readonly signal?: AbortSignal;
}
