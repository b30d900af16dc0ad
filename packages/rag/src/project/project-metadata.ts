import { isJsonObject, messageOf, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { JsonSyntaxError, parseJsonText, type JsonText } from '@vizprompt/providers/config';
import { PROJECT_FILE } from '../files/file-area.ts';
import type { NovelProject } from './novel-project.ts';

/**
 * The project that a `novel.json` describes. What is wrong in it is told, and hinders nothing: the
 * texts of a project are worth more than its title.
 *
 * @param text - Of `novel.json`, if there is one.
 */
export function projectOf(id: string, text: string | undefined): NovelProject {
  const plain: NovelProject = { id, title: id, tags: [], metadata: {} };
  if (text === undefined) return plain;
  let json: JsonText;
  try {
    json = parseJsonText(text);
  } catch (error) {
    const place =
      error instanceof JsonSyntaxError ? `:${error.place.line}:${error.place.column}` : '';
    return { ...plain, problem: `${PROJECT_FILE}${place}: ${messageOf(error)}` };
  }
  if (!isJsonObject(json.value)) return { ...plain, problem: `${PROJECT_FILE} must be an object` };
  return describe(id, json.value, json);
}

function describe(id: string, metadata: JsonObject, json: JsonText): NovelProject {
  const problems: string[] = [];
  const fail = (key: string, wanted: string): undefined => {
    const { line, column } = json.placeOf([key]);
    problems.push(`${PROJECT_FILE}:${line}:${column}: '${key}' must be ${wanted}`);
    return undefined;
  };
  const textOf = (key: string): string | undefined => {
    const value = metadata[key];
    if (value === undefined || typeof value === 'string') return value;
    return fail(key, 'a text');
  };
  const title = textOf('title');
  const author = textOf('author');
  const description = textOf('description');
  const given = metadata['tags'] ?? [];
  const tags = isTextList(given) ? given : (fail('tags', 'a list of texts') ?? []);
  return {
    id,
    title: title === undefined || title.trim() === '' ? id : title,
    ...(author === undefined ? {} : { author }),
    ...(description === undefined ? {} : { description }),
    tags,
    metadata,
    ...(problems[0] === undefined ? {} : { problem: problems.join('; ') }),
  };
}

function isTextList(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
