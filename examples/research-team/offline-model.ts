import { type ChatModel, type JsonValue, type Message, textOf } from '@vizprompt/providers';
import { scriptedModel, type ScriptedAnswer } from '@vizprompt/providers/testing';

/**
 * Replaces the model where none was named: a lead that delegates searches, saves the findings and reports, and a finder
 * that searches. It reads the results of the tools, so the report quotes the novel.
 */
export function offlineModel(): ChatModel {
  return scriptedModel(
    ({ messages }) => {
      const [role = '', prompt = ''] = messages.map((message) => textOf(message));
      const results = messages.filter(({ role: from }) => from === 'tool');
      return role.includes('You lead') ? lead(prompt, results) : finder(prompt, results);
    },
    { provider: 'offline', modelId: 'rules' },
  );
}

function lead(prompt: string, results: readonly Message[]): ScriptedAnswer {
  const [, found] = /^finder: ([^]*?)^Notes:/m.exec(prompt) ?? [];
  if (found === undefined) {
    return call('hand_over', { to: 'finder', message: `探してください: ${questionIn(prompt)}` });
  }
  const content = `${questionIn(prompt)}\n${found.trim()}`;
  if (results.length === 0) return call('memory_log', { type: 'ai_response', data: { content } });
  const isKept = !results.some(({ parts }) => JSON.stringify(parts).includes('refused'));
  return `${found.trim()}\n${isKept ? '記憶に残しました。' : '記憶には残していません。'}`;
}

function finder(prompt: string, results: readonly Message[]): ScriptedAnswer {
  const [last] = results.at(-1)?.parts ?? [];
  if (last?.type !== 'tool-result') {
    const query = questionIn(prompt);
    return call('novels_search_novel_content', { novelId: 'novel', query, limit: 1 });
  }
  const text = JSON.stringify(last.output);
  const [, file = '', line = ''] =
    /"file\\?":\s*\\?"([^"\\]+)[^]*?"startLine\\?":\s*(\d+)/.exec(text) ?? [];
  const [, quote = ''] = /"snippet\\?":\s*\\?"([^"\\]+)/.exec(text) ?? [];
  return file === '' ? 'ありませんでした。' : `${file}:${line} 「${quote}」`;
}

function questionIn(prompt: string): string {
  return /^Question: (.*)$/m.exec(prompt)?.[1] ?? '';
}

function call(name: string, input: JsonValue): ScriptedAnswer {
  return { parts: [{ type: 'tool-call', id: name, name, input }], finishReason: 'tool-calls' };
}
