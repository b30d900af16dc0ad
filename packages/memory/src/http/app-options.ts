import type { Logger } from '@vizprompt/providers';

/** Options of {@link createMemoryApp}. */
export interface MemoryAppOptions {
  /**
   * The token that clients send as `Authorization: Bearer …`, at least 16 characters. Default: none, which is
   * for servers that listen on 127.0.0.1 alone.
   */
  readonly token?: string | undefined;
  /**
   * Names that requests may be for (`Host`), without port. Default: `localhost`, `127.0.0.1` and `[::1]`.
   * Others are refused: a page in a browser could have made them lead here.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Origins of other pages that may use the API, such as `http://localhost:5173`; they get the CORS
   * headers. Default: none but pages that come from the same host and port.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The largest body of a request in bytes. Default: 67,108,864 (64 MiB). */
  readonly maxBodyBytes?: number | undefined;
  /** How many live timelines and lists may be open at once. Default: 100. */
  readonly maxStreams?: number | undefined;
  /** How many of them one client may have, by its address. Default: half of `maxStreams`. */
  readonly maxStreamsPerClient?: number | undefined;
  /**
   * How often a live timeline or list looks for what other processes wrote, in milliseconds. Events of this
   * process are sent at once. Default: 500.
   */
  readonly pollMs?: number | undefined;
  /** After how long a silent stream sends a comment, in milliseconds. Default: 15,000. */
  readonly keepAliveMs?: number | undefined;
  /** Ends all streams, so that a server can close. */
  readonly signal?: AbortSignal | undefined;
  /** Receives requests that failed for no fault of the client. Default: says nothing. */
  readonly logger?: Logger | undefined;
}
