/** Something that a folder or a file from elsewhere would cause, and that its user has to consent to. */
export interface TrustUse {
  /**
   * - `address`: what is asked of a model goes to a server that is not the provider's own
   * - `key`: the value of an environment variable goes to a server
   * - `package`: a package is loaded, which is a program with all rights
   * - `command`: a program is started
   * - `path`: a file outside of the folder is read or written
   * - `memory`: what is said is stored in the folder, and its contents are sent to models
   */
  readonly kind: 'address' | 'key' | 'package' | 'command' | 'path' | 'memory';
  /** The use, canonical: the same use has the same text. */
  readonly text: string;
  /** Where it is said, such as `config.yaml: providers.openai`. */
  readonly source: string;
}

/** The request of a folder or a file. */
export interface TrustRequest {
  /**
   * The folder or file, as a path. Its real path is what is trusted. Absent where there is none, as on a
   * database: then only consent that a program gives counts.
   */
  readonly place?: string | undefined;
  readonly uses: readonly TrustUse[];
}

/**
 * How consent is given by a program: `true` for everything, `false` for nothing, or a function that is
 * asked. Absent: what is recorded outside of every project (`grantTrust`, `vizprompt trust`) counts.
 */
export type TrustOption = boolean | ((request: TrustRequest) => boolean | Promise<boolean>);
