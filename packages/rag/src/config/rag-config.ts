/** How indexing weighs memory against speed, by the names that FlexSearch has; see {@link RagConfig.flex}. */
type FlexProfile = 'default' | 'fast' | 'memory' | 'performance' | 'match' | 'score';

/** Where vectors lie and what makes them. */
export interface VectorConfig {
  /** `false`: as if `vector` were `"none"`. Default: `true`. */
  readonly enabled: boolean;
  /** Where the vectors are. Default: `qdrant`. */
  readonly provider: 'qdrant' | 'none';
  /** The server. */
  readonly qdrant?: {
    /** Such as `http://localhost:6333`. */
    readonly url: string;
    readonly apiKey?: string;
    readonly collection: string;
  };
  /** The model that makes the vectors. */
  readonly embedding: {
    /** `provider:model` of a model registry, or what the host understands. */
    readonly model: string;
    readonly dimensions: number;
  };
  /** How vectors count next to words; `dialogoi eval` proposes it. Default: that of `Fusion`. */
  readonly fusion?: {
    /** See `Fusion.gate`: from 0, vectors only follow words, to 1, they always count. */
    readonly gate?: number;
    /** How much vectors count next to words, which count 1. */
    readonly weight?: number;
  };
}

/** The settings of `config/dialogoi.config.json`, complete. */
export interface RagConfig {
  /** True if projects are searched by meaning, too. Default: `"none"`. */
  readonly vector: 'none' | VectorConfig;
  /**
   * Where the index of words is. `files`: in files of each project. `postgres`: in the database that `database` names, for
   * all machines that serve these projects: one of them indexes, all search. Default: `files`.
   */
  readonly backend?: 'files' | 'postgres';
  /** The connection string of PostgreSQL, such as `postgres://user@server/novels`. Default: none. */
  readonly database?: string;
  /** The folder that holds a folder for each project, absolute. Default: `novels`. */
  readonly projectRoot: string;
  /** How documents are cut. */
  readonly chunk: {
    /** Tokens of a chunk at most, from 20. Default: 400. */
    readonly maxTokens: number;
    /** The share of `maxTokens` that is repeated from the chunk before, from 0 to 0.5. Default: 0.2. */
    readonly overlap: number;
    /** True if lines that name chapters, such as `第一章`, are headings in `.txt`. Default: true. */
    readonly chapters: boolean;
  };
  /**
   * A thesaurus that the command `dialogoi thesaurus` compiled: words that mean about the same find texts where the words
   * of a question are hardly found. Absolute. Default: none.
   */
  readonly thesaurus?: string;
  /** The settings of the keyword index. */
  readonly flex: {
    /**
     * `memory`: many documents are indexed in the same process, which takes longer to answer meanwhile. The others: in a
     * process of its own. Words are found and ranked in the same way with each. Default: `fast`.
     */
    readonly profile: FlexProfile;
  };
  /** How searches answer. */
  readonly search: {
    /** How many hits a search gives if it does not say. Default: 10. */
    readonly defaultK: number;
    /** How many it may ask for at most. Default: 50. */
    readonly maxK: number;
    /** True if words in Latin letters also find what is read so: `toudai` finds 灯台. Default: `false`. */
    readonly romaji?: boolean;
  };
  /** The log of the commands and of the MCP server. Default: none. */
  readonly log?: {
    /** A file that ends in `.log`, absolute; lines of JSON are added to it. */
    readonly file: string;
    /** The least that is written: `debug`, `info`, `warn` or `error`. Default: `info`. */
    readonly level: 'debug' | 'info' | 'warn' | 'error';
  };
}
