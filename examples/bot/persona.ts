import { textMessage } from '@vizprompt/providers';
import type { Middleware } from '@vizprompt/providers/middleware';

const WHO = `あなたは家のボットです。短く答えてください。
参照情報を使った文の終わりには、その記号を [A] のように付けてください。知らないことは、知らないと答えてください。`;

/** The layer that tells the model who it is. */
export const persona: Middleware = {
  name: 'persona',
  stream: (request, next) =>
    next({ ...request, messages: [textMessage('system', WHO), ...request.messages] }),
};
