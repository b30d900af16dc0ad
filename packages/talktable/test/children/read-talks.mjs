// Reads and exports a log from the built package: node read-talks.mjs PATH ID
import { ConversationLog } from '@vizprompt/talktable';

const [path, id] = process.argv.slice(2);
try {
  const log = await ConversationLog.open(path);
  const turns = [];
  for await (const { number, text } of log.turns(id)) turns.push(`${number} ${text}`);
  const markdown = await log.exportConversation(id, 'markdown');
  const { speakers } = await log.analyze(id);
  await log.close();
  console.log(
    JSON.stringify({ turns, headings: markdown.match(/^## .*/gm), speakers: speakers.length }),
  );
} catch (error) {
  console.log(JSON.stringify({ code: error.code, message: error.message }));
}
