import type { Part } from '../models/message.ts';
import { redact as redactText, type RedactOptions } from '../redact/redact.ts';
import type { Middleware } from '../models/chat-model.ts';
import { redactStrings } from '../cassettes/redact-strings.ts';

/**
 * Removes secrets from requests, by `redact`: from the text of all messages and the results of
 * tools. The model's own reasoning and tool calls go back unchanged, as providers
 * sign it, and files are not looked into.
 *
 * @example
 * ```ts
 * const model = compose(openai({ model: 'gpt-5' }), redact({ entropy: 4.5 }));
 * ```
 */
export function redact(options: RedactOptions = {}): Middleware {
  return {
    name: 'redact',
    stream: (request, next) => {
      const messages = request.messages.map((message) => {
        const parts = message.parts.map((part) => redactPart(part, options));
        return { ...message, parts };
      });
      return next({ ...request, messages });
    },
  };
}

function redactPart(part: Part, options: RedactOptions): Part {
  if (part.type === 'text') return { ...part, text: redactText(part.text, options).text };
  if (part.type === 'tool-result') {
    return { ...part, output: redactStrings(part.output, options) };
  }
  return part;
}
