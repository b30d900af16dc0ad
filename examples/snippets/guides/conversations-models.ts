// #region program
import { ollama } from '@vizprompt/providers/ollama';
import { openai } from '@vizprompt/providers/openai';

const small = ollama({ model: 'qwen3:8b' });
const large = openai({ model: 'gpt-5' }); // the key is in OPENAI_API_KEY
// #endregion program
console.log(small.modelId, large.modelId);
