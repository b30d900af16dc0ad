/**
 * What is used of `@huggingface/transformers` 4. The package has 474 MB with its runtimes, so it is no dependency for
 * development either.
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
