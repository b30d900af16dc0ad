/** A tool of an agent, by the form of its name in a file. */
export type ToolReference =
  | { readonly kind: 'engine'; readonly name: string }
  | { readonly kind: 'retriever'; readonly name: string }
  | { readonly kind: 'flow'; readonly name: string }
  /** Without `tool`: all tools of the server. */
  | { readonly kind: 'mcp'; readonly name: string; readonly tool?: string };

const PREFIX = /^(mcp|flow|retrieve):(.+)$/s;

/** Reads `name`, `mcp:server`, `mcp:server/tool`, `flow:workflow` or `retrieve:retriever`. */
export function readToolReference(text: string): ToolReference {
  const [, kind, rest = ''] = PREFIX.exec(text) ?? [];
  if (kind === 'flow') return { kind, name: rest };
  if (kind === 'retrieve') return { kind: 'retriever', name: rest };
  if (kind !== 'mcp') return { kind: 'engine', name: text };
  const slash = rest.indexOf('/');
  if (slash < 0) return { kind, name: rest };
  const tool = rest.slice(slash + 1);
  return { kind, name: rest.slice(0, slash), ...(tool === '*' ? {} : { tool }) };
}
