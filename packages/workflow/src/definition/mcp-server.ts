/** A program that is started and spoken to by its standard input and output. */
interface StdioServer {
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables of its environment, besides those that every program needs; `${NAME}` is one of this process, `${NAME:-default}` one that may be absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its working directory. Default: that of this process. */
  readonly cwd?: string;
}

/** A server that is there already. */
interface HttpServer {
  readonly url: string;
  /** Headers of requests; `${NAME}` is a variable of the environment of this process, `${NAME:-default}` one that may be absent. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server of the Model Context Protocol whose tools agents may call. */
export type McpServer = StdioServer | HttpServer;
