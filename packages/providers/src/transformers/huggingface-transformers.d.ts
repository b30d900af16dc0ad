/**
 * The parts of `@huggingface/transformers` 4 that are used. The package has 474 MB with its runtimes, so it is not a
 * development dependency.
 */
declare module '@huggingface/transformers' {
  /** Settings of the whole process. */
  export const env: { cacheDir: string | null; allowRemoteModels: boolean; remoteHost: string };
  export function pipeline(
    task: 'feature-extraction',
    model: string,
    options: Readonly<Record<string, unknown>>,
  ): Promise<unknown>;
}
