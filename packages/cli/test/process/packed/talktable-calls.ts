import type { PackedCall } from './packed-command.ts';

const files = {
  'talk.yaml':
    'topic: 連句\nparticipants: [{ name: 芭蕉, person: true }, { name: 其角, person: true }]\nrounds: 1\n',
};

/** The commands of talktable; the speakers are people, so that no model is needed. */
export const talktableCalls: readonly PackedCall[] = [
  { args: ['run', 'talk.yaml', '--id', 'a'], files, input: '古池や\n', code: 130, shows: '其角' },
  { args: ['say', 'talk.yaml', '静かに。'], shows: 'said' },
  { args: ['resume', 'talk.yaml', 'a'], input: '蛙\n' },
  { args: ['list'], shows: 'done' },
  { args: ['show'], shows: '古池や' },
  { args: ['export', '--format', 'html'], shows: '<html' },
  { args: ['erase', '--speaker', '其角', '--json'], shows: '"place":"turns"' },
];
