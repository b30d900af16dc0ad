import { describe, expect, it } from 'vitest';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

/** Imports a log of Claude Code, and returns who says what in it. */
async function shown(text: string): Promise<readonly string[]> {
  const store = await openMemory();
  const path = await put(await newFolder(), 'session.jsonl', text);
  await store.importTranscript(path, { closed: true });
  return (await onlyEvents(store)).map(({ type, data }) =>
    'content' in data ? `${type}: ${data.content}` : type,
  );
}

describe('logs of Claude Code', () => {
  it('have what other agents of a team say, and not what their programs report', async () => {
    const told = (text: string): string =>
      `<teammate-message teammate_id="lead" summary="s">\n${text}\n</teammate-message>`;
    const another = 'Another Claude session sent a message:\n';
    const idle = told('{"type":"idle_notification","from":"x"}');
    const quoted = `${told('x')}\nwhat does this mean?`;
    const log = new ClaudeLog('team').user(told('count')).user(idle).user(`${another}${idle}`);
    log.user([{ type: 'text', text: `${another}${idle}\n${told('found')}` }]).user(quoted);
    log.user('<cross-session-message from="y">done</cross-session-message>');
    expect(await shown(log.toString())).toEqual([
      'assistant_message: count',
      'assistant_message: found',
      `user_message: ${quoted}`,
      'assistant_message: done',
    ]);
  });

  it.each([
    ['', '\n\nThis came from another Claude session — not typed by your user, but for them.'],
    ['Another Claude session sent a message:\n', ''],
    [
      'Another Claude session sent a message:\n',
      '\n\nThis came from another Claude session — not typed by your user.',
    ],
    [
      'Another Claude session sent a message while you were working:\n',
      '\n\nThat "other Claude session" is an agent working inside this same session.',
    ],
    ['Another Claude session sent a message:\n', '\n\nIMPORTANT: This is NOT from your user.'],
  ])('have messages without what the program writes around them: %j %j', async (before, after) => {
    const idle = '{"type":"idle_notification","from":"x"}';
    const log = new ClaudeLog('frame');
    for (const tag of ['agent-message', 'cross-session-message', 'teammate-message']) {
      log.user(`${before}<${tag} from="a" summary="1 > 0">\nfound\n</${tag}>${after}`);
      log.user(`${before}<${tag} from="a">\n${idle}\n</${tag}>${after}`);
    }
    expect(await shown(log.toString())).toEqual(Array(3).fill('assistant_message: found'));
  });

  it('have messages that quote their own tag, follow each other, or were cut', async () => {
    const heading = 'Another Claude session sent a message:\n';
    const trailer = '\n\nThis came from another Claude session — not typed by your user.';
    const told = (text: string): string => `<agent-message from="a">${text}</agent-message>`;
    const log = new ClaudeLog('odd').user(`${heading}${told('a</agent-message> b')}${trailer}`);
    log.user(`${heading}${told('c')}${trailer}\n\n${heading}${told('d')}${trailer}`);
    log.user('<teammate-message teammate_id="a">e');
    log.user(told('{"type":"task"} please')).user(told('{"type":"finding","n":1}'));
    log.user(`${heading}what is that?`);
    expect(await shown(log.toString())).toEqual([
      'assistant_message: a\n\nb',
      'assistant_message: c\n\nd',
      'assistant_message: e',
      'assistant_message: {"type":"task"} please',
      'assistant_message: {"type":"finding","n":1}',
      `user_message: ${heading}what is that?`,
    ]);
  });

  it('have messages without a heading that quote their own tag', async () => {
    const inner = '<teammate-message x="1">in</teammate-message>';
    const log = new ClaudeLog('quote');
    log.user(`<teammate-message teammate_id="x">see ${inner} it</teammate-message>`);
    log.user(`<agent-message from="a">x</agent-message> or ${inner}?`);
    expect(await shown(log.toString())).toEqual([
      'assistant_message: see <teammate-message x="1">in\n\nit',
      `user_message: <agent-message from="a">x</agent-message> or ${inner}?`,
    ]);
  });

  it('have commands that the user ran in a shell as they were typed', async () => {
    const log = new ClaudeLog('shell').user('<bash-input>git status</bash-input>');
    log.user('<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>');
    expect(await shown(log.toString())).toEqual(['user_message: ! git status']);
  });

  it.each([
    '<system-reminder> is what?',
    '<task-notification> handling is broken',
    '<tick> what is it',
    '<local-command-stdout> shows nothing',
    '<teammate-message> is shown twice',
    '<agent-message class="x">\n<p>a</p>\nfix the CSS of this unclosed tag please',
    '<agent-message from="a"/> how do I render it?',
    '<cross-session-message from="a" /> how do I render it?',
    '<teammate-message id="x"> what does this do?',
    '<bash-input> is odd',
  ])('have words of the user that begin with a tag: %s', async (text) => {
    expect(await shown(new ClaudeLog('tag').user(text).toString())).toEqual([
      `user_message: ${text}`,
    ]);
  });

  it.each([
    '<local-command-stdout></local-command-stdout>',
    '<tick>12:00</tick>',
    '<system-reminder>\nnot closed',
    '<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>',
  ])('have no words of the user in %j', async (text) => {
    const log = new ClaudeLog('note').user(text).user('yes');
    expect(await shown(log.toString())).toEqual(['user_message: yes']);
  });

  it.each(['relocated', 'frame-link', 'tag', 'agent-color', 'file-history-delta', 'continued-in'])(
    'have known lines that are no events: %s',
    async (type) => {
      const log = new ClaudeLog('known').user('a');
      log.assistant({ type: 'fallback', from: { model: 'x' }, to: { model: 'y' } });
      log.raw({ type, sessionId: log.session });
      expect(await shown(log.toString())).toEqual(['user_message: a']);
    },
  );
});
