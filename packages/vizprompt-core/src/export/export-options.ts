import { type Kinds, AMOUNT, ANYTHING, optional, TEXT } from '@vizprompt/providers/config/internal';

/**
 * The forms in which a flow can be written.
 *
 * - `html`: one page with the graph, search and keyboard, which loads nothing
 * - `markdown`: a document
 * - `json`: everything that flow and nodes hold, files included
 * - `mermaid`: a flowchart; above 500 connections straight runs are one box, and a note says what is
 *   left out even so
 * - `dot`: for Graphviz
 * - `svg`: a picture, laid out by the optional package `@viz-js/viz`
 * - `chatgpt`: ChatGPT's export, with all branches; `openai`: the messages of one branch; both, and
 *   `json`, can be imported again
 * - `canvas`: cards with prompt and response on a JSON Canvas 1.0, for Obsidian
 * - `cytoscape`, `graphml`: graphs with what is known of nodes next to their texts, for analysis
 *
 * @example
 * ```ts
 * await writeFile('main.canvas', await vizprompt.exportFlow('main', { format: 'canvas' }));
 * ```
 */
export type ExportFormat =
  | 'html'
  | 'markdown'
  | 'json'
  | 'chatgpt'
  | 'openai'
  | 'mermaid'
  | 'dot'
  | 'svg'
  | 'canvas'
  | 'cytoscape'
  | 'graphml';

/** Options of `exportFlow`. */
export interface ExportOptions {
  /** The form of the result. */
  readonly format: ExportFormat;
  /** For `openai`: the id of the node that the line ends with. Default: the head of the flow. */
  readonly leaf?: string | undefined;
  /**
   * For `json`, `chatgpt` and `openai`: whether the files that nodes hold are contained, by Base64, up to 64 MB
   * together. `'omit'`: they are only named. Default: `'embed'`.
   */
  readonly attachments?: 'embed' | 'omit' | undefined;
}

/** Formats are checked where they are read, with what there is. */
export const EXPORT_OPTIONS: Kinds<ExportOptions> = {
  format: ANYTHING,
  leaf: optional(TEXT),
  attachments: ANYTHING,
};

/** Options of `toText`. */
export interface TextMapOptions {
  /** Columns of a line at most. Default: 80. */
  readonly width?: number | undefined;
}

export const TEXT_MAP_OPTIONS: Kinds<TextMapOptions> = { width: optional(AMOUNT) };
