import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, listAt, objectAt, textAt } from '@vizprompt/providers/internal';
import {
  askedBy,
  newId,
  resultText,
  startEvents,
  writeJson,
  type Answer,
  type Protocol,
} from './protocol.ts';

/** The API of Gemini. */
export const gemini: Protocol = {
  read(url, body) {
    if (!/generateContent/i.test(url)) return undefined;
    const isJson = objectAt(body, 'generationConfig')['responseMimeType'] === 'application/json';
    const contents = listAt(body, 'contents').filter(isJsonObject);
    return askedBy(
      contents.map((content) => {
        const parts = listAt(content, 'parts').filter(isJsonObject);
        return {
          role: textAt(content, 'role') ?? 'user',
          text: parts.map((part) => textAt(part, 'text') ?? '').join('\n'),
          hasCalls: content['role'] === 'model' && parts.some((part) => 'functionCall' in part),
          results: parts
            .filter((part) => 'functionResponse' in part)
            .map((part) => resultText(objectAt(part, 'functionResponse')['response'])),
        };
      }),
      listAt(body, 'tools').length > 0 && !isJson,
    );
  },
  other: (url) => (/countTokens/i.test(url) ? { totalTokens: 100 } : undefined),
  write(response, answer, url, body) {
    const parts = answer.calls.length > 0 || answer.say !== undefined ? partsOf(answer) : [];
    const shown = isForJson(body) ? [{ text: JSON.stringify(choiceFor(body)) }] : parts;
    const candidate = { content: { role: 'model', parts: shown }, finishReason: 'STOP', index: 0 };
    const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };
    const whole = { candidates: [candidate], usageMetadata, modelVersion: 'fake' };
    if (!url.includes('stream')) {
      writeJson(response, whole);
      return;
    }
    startEvents(response)(whole);
    response.end();
  },
};

function isForJson(body: JsonObject): boolean {
  return objectAt(body, 'generationConfig')['responseMimeType'] === 'application/json';
}

/** Returns the small questions that the program asks on its own: how hard a task is, who speaks next. */
function choiceFor(body: JsonObject): JsonValue {
  const schema = JSON.stringify(objectAt(body, 'generationConfig'));
  if (schema.includes('complexity_score'))
    return { complexity_reasoning: 'x', complexity_score: 50 };
  if (schema.includes('model_choice')) return { reasoning: 'x', model_choice: 'pro' };
  return schema.includes('next_speaker') ? { reasoning: 'x', next_speaker: 'user' } : {};
}

function partsOf({ think, say, calls }: Answer): readonly JsonObject[] {
  const thoughtSignature = Buffer.from(newId('s')).toString('base64');
  return [
    ...(think === undefined ? [] : [{ text: `**考え**\n${think}`, thought: true }]),
    ...(say === undefined ? [] : [{ text: say }]),
    ...calls.map(({ name, input }, at) => ({
      functionCall: { id: newId('', 4), name, args: input },
      ...(at === 0 ? { thoughtSignature } : {}),
    })),
  ];
}
