import { lstatSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, objectOf, textAt, usePlainFile } from '@vizprompt/providers/internal';
import { textHash } from '@vizprompt/providers/transcripts/internal';

/** Maximum size of an output that is read whole, in bytes; a larger one by a half at its beginning and one at its end. */
const MAX_OUTPUT = 16 << 20;

/**
 * Returns the details of a tool result with the whole output. Some agents store a long output in a file next to the
 * transcript, and delete it later.
 *
 * @param beside - The folder of the transcript's own files; the path in the details may belong to another machine.
 */
export function wholeOutput(details: JsonValue, beside: string | undefined): JsonValue {
  if (beside === undefined || !isJsonObject(details)) return details;
  for (const [field, folder] of OUTPUT_FILES) {
    const path = textAt(details, field);
    if (path === undefined || isLink(beside)) continue;
    const name = basename(path.replaceAll('\\', '/'));
    const text = textOf(beside, join(folder, name));
    if (text === undefined) continue;
    const shown = ['stdout', 'content', 'output', 'result'].find((key) => key in details);
    return { ...details, [shown ?? 'stdout']: text };
  }
  return details;
}

/** Fields that name the file of an output, and the folder in which it is: of Claude Code and of opencode. */
const OUTPUT_FILES = [
  ['persistedOutputPath', 'tool-results'],
  ['outputPath', 'tool-output'],
] as const;

/** The head of an output that Copilot CLI stores in a temporary file, which it deletes when it ends. */
const MOVED =
  /^Output too large to read at once \([^()\n]*\)\. Saved to: ([^\n]*[\\/]\d\d*-copilot-tool-output-[\w-][\w-]*\.txt)\n/;

/** Returns the path of the temporary file with the whole output of a tool, if there is one. */
export function movedOutput(output: JsonValue | undefined): string | undefined {
  const text = textAt(objectOf(output), 'content', 'text_result_for_llm') ?? '';
  return MOVED.exec(text)?.[1];
}

/**
 * Returns an output with the text of its temporary file.
 *
 * @param files - Texts of files that are gone, by path.
 */
export function broughtBack(
  output: JsonValue,
  files: { get(path: string): string | undefined },
): JsonValue {
  const path = movedOutput(output);
  if (path === undefined) return output;
  const content = files.get(path) ?? textOf(dirname(path), basename(path));
  return content === undefined ? output : { ...objectOf(output), content };
}

/**
 * The head of an output that was saved in a file: by Gemini CLI in the folder of the project, today and in older versions, and
 * by Claude Code in that of the session, where subagents' transcripts have nothing but this text.
 */
const SAVED =
  /^(?:Output too large\. Showing first [^\n]{1,60} characters\. For full output see: |Tool output was too large and has been truncated\.\nThe full output has been saved to: |<persisted-output>\nOutput too large \([^()\n]{1,40}\)\. Full output saved to: )/;
/** Ends the head of Claude Code, with the beginning of the output; other text may follow. */
const SAVED_END = '</persisted-output>';
/** The names of these files in the folder that a transcript shares with others, and the folder of transcripts in there. */
const SAVED_NAMES: readonly (readonly [name: RegExp, transcripts: string])[] = [
  [/\/(tool-results\/[\w.-]*\.(?:json|txt))$/, 'subagents'],
  [/\/(tool-outputs\/(?:session-[\w.-]*\/)?[\w.-]*\.txt|[\w.-]*\.output)$/, 'chats'],
];
/** No path is longer, in characters. */
const MAX_PATH = 4096;
/** The folder that a transcript shares with others is at most this many above that of its own files. */
const MAX_ABOVE = 3;

/**
 * Returns the output of a tool with the whole texts of what was saved.
 *
 * @param beside - The folder of the transcript's own files; the path in the output may belong to another machine.
 */
export function savedOutput(output: JsonValue, beside: string | undefined): JsonValue {
  if (beside === undefined) return output;
  if (typeof output === 'string') return savedText(output, beside) ?? output;
  if (!Array.isArray(output)) return output;
  // Each part may name the same large file.
  let left = 2 * MAX_OUTPUT;
  const brought = (text: string): string | undefined => {
    const whole = left > 0 ? savedText(text, beside) : undefined;
    if (whole === undefined) return undefined;
    left = whole.length > left ? 0 : left - whole.length;
    return left > 0 ? whole : undefined;
  };
  return (output as readonly JsonValue[]).map((part) => {
    const { functionResponse, text } = objectOf(part);
    if (typeof text === 'string') {
      const whole = brought(text);
      return whole === undefined ? part : { ...objectOf(part), text: whole };
    }
    const { response } = objectOf(functionResponse);
    const whole = brought(textAt(objectOf(response), 'output') ?? '');
    if (whole === undefined) return part;
    const saved = { ...objectOf(response), output: whole };
    return {
      ...objectOf(part),
      functionResponse: { ...objectOf(functionResponse), response: saved },
    };
  });
}

/** Returns an output with the text of the file that it names. */
function savedText(output: string, beside: string): string | undefined {
  const [head] = SAVED.exec(output) ?? [];
  // Most outputs name no file, and the disk takes longer than the text.
  if (head === undefined || isLink(beside)) return undefined;
  const rest = output.slice(head.length, head.length + MAX_PATH);
  // Without a line of its own it is no path.
  const path = rest.slice(0, Math.max(0, rest.indexOf('\n'))).replaceAll('\\', '/');
  const end = head.startsWith('<') ? output.indexOf(SAVED_END, head.length) : -1;
  const after = end < 0 ? '' : output.slice(end + SAVED_END.length);
  for (const [pattern, transcripts] of SAVED_NAMES) {
    const name = pattern.exec(path)?.[1];
    if (name === undefined) continue;
    for (const folder of [beside, sharedFolder(beside, transcripts)]) {
      const text = folder === undefined ? undefined : textOf(folder, name);
      if (text !== undefined) return text + after;
    }
  }
  return undefined;
}

/** Returns the folder that has a folder of transcripts; those without one share nothing. */
function sharedFolder(beside: string, transcripts: string): string | undefined {
  let folder = beside;
  for (let above = 1; above < MAX_ABOVE; above++) {
    folder = dirname(folder);
    if (basename(folder) === transcripts) return dirname(folder);
  }
  return undefined;
}

/** Checks for a link: in an archive it may lead to any folder of the user. */
function isLink(folder: string): boolean {
  try {
    return lstatSync(folder).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Returns the text of a file in a folder that may come from elsewhere; one that is empty is no output. */
function textOf(folder: string, name: string): string | undefined {
  try {
    const path = join(realpathSync(folder), name);
    // A link may lead to any file of the user.
    if (realpathSync(path) !== path) return undefined;
    const text = usePlainFile(path, (file, size) =>
      size > MAX_OUTPUT ? edgesOf(file, size) : textAtOffset(file, 0, size),
    );
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

function edgesOf(file: number, size: number): string {
  const half = MAX_OUTPUT / 2;
  // The character at the cut is not whole.
  const head = textAtOffset(file, 0, half).replace(/\ufffd$/, '');
  const tail = textAtOffset(file, size - half, half).replace(/^\ufffd{1,3}/, '');
  return `${head}\n… ${size - 2 * half} bytes left out …\n${tail}`;
}

function textAtOffset(file: number, at: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString('utf8', 0, readSync(file, bytes, 0, length, at));
}

/**
 * Tools of the memory's own MCP server, as agents call them: `mcp__ptta__search`, `mcp_ptta_search`, `ptta-search`. Claude Code
 * names those of a plugin `mcp__plugin_ptta_ptta__search`, and their server `plugin:ptta:ptta`.
 */
const OWN_TOOL = /^(?:mcp_{1,2})?(?:plugin_[\w-]{1,100}_)?ptta(?:_{1,2}|[-./])\w\w*$/i;
const OWN_SERVER = /^(?:mcp_{1,2})?(?:plugin[:_][\w-]{1,100}[:_])?ptta$/i;
const OWN_CODE = /\btools\.mcp__(?:plugin_[\w-]{1,100}_)?ptta__/;
const SHELL_FIELDS = ['command', 'cmd', 'script'] as const;
/** Commands that print contents of the memory, from the name of the program on; and what may precede that name. */
const OWN_COMMAND =
  /ptta(?:\.js)?['"]?\s\s*(?:-\S\S*\s\s*(?:[^-\s]\S*\s\s*)??){0,50}?(?:search|recall|history|export|session:show|file:history)(?=$|[\s;&|)`'"])/y;
const COMMAND_START = /(?:^|[;&|(`'"\n]\s*|\b(?:npx|exec|env|time|command)\s\s*)(?:\S*\/)?$/;
/** At most this many places of a command are checked for the program, and characters of a folder before its name. */
const [MAX_PLACES, MAX_FOLDER] = [100, 300];

/** Checks whether a call asks this memory: its results are not a memory of their own. */
export function asksMemory(tool: string, input: JsonValue, raw?: JsonValue): boolean {
  if (OWN_TOOL.test(tool)) return true;
  const named = textAt(objectOf(raw), 'namespace', 'server', 'mcpServerName');
  if (named !== undefined && OWN_SERVER.test(named)) return true;
  if (typeof input === 'string') return runsMemory(input) || OWN_CODE.test(input);
  const fields: JsonObject = objectOf(input);
  return SHELL_FIELDS.some((name) => {
    const value = fields[name];
    const text = Array.isArray(value) ? value.join('\n') : value;
    return typeof text === 'string' && runsMemory(text);
  });
}

function runsMemory(command: string): boolean {
  let at = command.indexOf('ptta');
  for (let place = 0; at >= 0 && place < MAX_PLACES; place++) {
    OWN_COMMAND.lastIndex = at;
    const before = command.slice(Math.max(0, at - MAX_FOLDER), at);
    if (OWN_COMMAND.test(command) && COMMAND_START.test(before)) return true;
    at = command.indexOf('ptta', at + 1);
  }
  return false;
}

/** Returns the record of a result of the memory itself: its length and hash, not its text. */
export function omittedResult(result: JsonValue): JsonObject {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return { omitted: 'from this memory', characters: text.length, sha256_32: textHash(text) };
}
