/** A talk of two models and a moderator, on a server of Ollama's protocol. */
export const MODELS = `topic: 猫と犬
participants:
  - { name: 猫派, model: 'ollama:cat', persona: 皮肉屋 }
  - { name: 犬派, model: 'ollama:dog' }
moderator: { name: 司会, model: 'ollama:mc' }
rounds: 2
`;

/** A talk of people. */
export const PEOPLE = `topic: 連句
language: ja
participants:
  - { name: 芭蕉, person: true }
  - { name: 其角, person: true }
rounds: 1
`;
