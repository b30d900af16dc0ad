// #region first
import { ConversationManager } from '@vizprompt/talktable';

await using manager = await ConversationManager.open('talk.yaml');
for await (const event of manager.start()) {
  if (event.type === 'turn:started') process.stdout.write(`\n${event.turn.speaker}: `);
  if (event.type === 'turn:delta') process.stdout.write(event.text);
}
// #endregion first
