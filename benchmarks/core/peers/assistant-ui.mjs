import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { MessageRepository, fromThreadMessageLike } from '@assistant-ui/core/internal';
import { halves, newTurn } from './turn.mjs';

/** The tree of a thread, in memory. What keeps it is the JSON of `export()`. */
export async function openAssistantUi({ folder, conversation }) {
  const tree = new MessageRepository();
  const [first, second] = halves(conversation);
  let end = null;
  for (const message of [...first, ...second]) end = add(end, message);
  const middle = first.at(-1).uuid;
  const next = second[0].uuid;
  const ends = { main: end, branch: '' };
  const file = join(folder, 'thread.json');

  function add(parent, { uuid, sender, text }) {
    const role = sender === 'human' ? 'user' : 'assistant';
    const like = { role, content: [{ type: 'text', text }] };
    tree.addOrUpdateMessage(parent, fromThreadMessageLike(like, uuid, COMPLETE));
    return uuid;
  }
  function addTurn(parent, name) {
    const { prompt, response } = newTurn(name);
    const question = add(parent, { uuid: `q${name}`, sender: 'human', text: prompt });
    return add(question, { uuid: `a${name}`, sender: 'assistant', text: response });
  }
  function append(name) {
    ends.main = addTurn(ends.main, name);
  }

  return {
    branch(name) {
      ends.branch = addTurn(middle, name);
    },
    branches: () => tree.getBranches(next),
    append,
    save(name) {
      append(name);
      writeDurably(folder, file, JSON.stringify(tree.export()));
    },
    edit(name) {
      const { parentId, message } = tree.getMessage(middle);
      const content = [{ type: 'text', text: newTurn(name).response + name }];
      tree.addOrUpdateMessage(parentId, { ...message, content });
    },
    load() {
      const again = new MessageRepository();
      again.import(JSON.parse(readFileSync(file, 'utf8')));
      return again.getMessages();
    },
    path: () => tree.getMessages(ends.branch),
    switch(name, round) {
      tree.switchToBranch(round % 2 ? ends.main : ends.branch);
    },
    count: (value) => value.length,
    close() {},
  };
}

const COMPLETE = { type: 'complete', reason: 'unknown' };

function writeDurably(folder, path, text) {
  const file = openSync(`${path}.tmp`, 'w');
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.tmp`, path);
  const parent = openSync(folder, 'r');
  fsyncSync(parent);
  closeSync(parent);
}
