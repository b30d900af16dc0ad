import { describe, expect, it } from 'vitest';
import { readMendedFlow } from '../../src/doctor/repair-files.ts';
import { repairRawFlow } from '../../src/doctor/repair-raw-flow.ts';

describe('nodes of a flow that are ids alone', () => {
  const ids = [1, 2, 3].map((at) => `01a22b65-5672-7000-a90b-00000000000${at}`);
  const [a = '', b = '', c = ''] = ids;
  const link = (from: number, to: number): string => `  - from: ${from}\n    to: ${to}\n`;
  const node = (index: number, id: string): string => `  - index: ${index}\n    id: ${id}\n`;

  it.each<
    readonly [name: string, nodes: string, links: string, numbers: number[], connected: string[]]
  >([
    [
      'have numbers from their places',
      `  - ${a}\n  - ${b}\n  - ${c}\n`,
      link(1, 2) + link(2, 3),
      [1, 2, 3],
      [a, b, b, c],
    ],
    [
      'take none that another has',
      `  - ${c}\n${node(1, a)}${node(2, b)}`,
      link(1, 2),
      [3, 1, 2],
      [a, b],
    ],
    [
      'take none of later ones',
      `${node(1, a)}  - ${c}\n${node(2, b)}`,
      link(1, 2),
      [1, 3, 2],
      [a, b],
    ],
    [
      'take none without a bullet',
      `  - ${c}\n\n    index: 1\n    id: ${a}\n${node(2, b)}`,
      link(1, 2),
      [3, 1, 2],
      [a, b],
    ],
    [
      'take the one that is missing',
      `${node(1, a)}  - ${b}\n${node(3, c)}`,
      link(1, 2) + link(2, 3),
      [1, 2, 3],
      [a, b, b, c],
    ],
    ['take none of a map', `  - ${c}\n  1: ${a}\n  2: ${b}\n`, link(1, 2), [3, 1, 2], [a, b]],
    [
      'take none of braces',
      `  - ${c}\n  - {index: 1, id: ${a}\n  - {index: 2, id: ${b}\n`,
      link(1, 2),
      [3, 1, 2],
      [a, b],
    ],
    [
      'keep the place of one that is cut',
      `  - ${b.slice(0, 13)}\n  - ${a}\n  - ${c}\n`,
      link(2, 3),
      [2, 3],
      [a, c],
    ],
    [
      'have their places beside one that is at its own',
      `  - ${a}\n  - ${b}\n${node(3, c)}`,
      link(1, 2) + link(2, 3),
      [1, 2, 3],
      [a, b, b, c],
    ],
    [
      'have their places beside one with the key',
      `  - ${a}\n  - ${b}\n  - id: ${c}\n`,
      link(1, 2) + link(2, 3),
      [1, 2, 3],
      [a, b, b, c],
    ],
    [
      'have their places with another key below one',
      `  - ${a}\n  - ${b}\n    branch: a\n`,
      link(1, 2),
      [1, 2],
      [a, b],
    ],
    [
      'have the number that is below them',
      `  - ${b}\n    index: 2\n  - ${a}\n    index: 1\n`,
      link(1, 2),
      [2, 1],
      [a, b],
    ],
    [
      'have no number of an id that is cut',
      `  - ${b}\n  - ${a.slice(0, 13)}\n    index: 1\n`,
      link(1, 2),
      [2],
      [],
    ],
    [
      'have no number of an entry without a bullet whose id is broken',
      `  - ${c}\n    index: 1\n    id ${a}\n${node(2, b)}`,
      link(1, 2),
      [3, 2],
      [],
    ],
  ])('%s', (_, nodes, links, numbers, connected) => {
    const text = `id: ${a}\nname: main\nnodes:\n${nodes}connections:\n${links}`;
    const { raw } = readMendedFlow('flows/00/00.yaml', text);
    const { flow } = repairRawFlow('flows/00/00.yaml', raw, {
      isNode: () => true,
      createId: () => a,
    });
    expect(flow.nodes.map(({ index }) => index)).toEqual(numbers);
    expect(flow.connections.flatMap(({ from, to }) => [from, to])).toEqual(connected);
  });

  it.each([
    ['ids alone', `  - ${b}\n  - ${c}\n`],
    ['entries with keys', node(1, b) + node(2, c)],
    ['both', `  - ${b}\n${node(2, c)}`],
    ['ids alone without indentation', `- ${b}\n- ${c}\n`],
  ])('keep their places where keys of the flow are below %s', (_, nodes) => {
    const text = `nodes:\n${nodes}id: ${a}\nname: x: y\nconnections:\n${link(1, 2)}`;
    const { raw } = readMendedFlow('flows/00/00.yaml', text);
    const { flow } = repairRawFlow('flows/00/00.yaml', raw, {
      isNode: () => true,
      createId: () => 'new',
    });
    expect(flow).toMatchObject({ id: a, name: 'x: y', connections: [{ from: b, to: c }] });
    expect(flow.nodes.map(({ id }) => id)).toEqual([b, c]);
  });

  it('leave a flow the id that is above them', () => {
    const text = `id: ${c}\nname: x: y\nnodes:\n  - ${a}\n  - ${b}\nid: ${b}\n`;
    const { raw } = readMendedFlow('flows/00/00.yaml', text);
    expect(raw.fields['id']).toBe(c);
    expect(raw.nodes.map(({ id }) => id)).toEqual([a, b]);
  });

  it('have ids without indentation in entries', () => {
    const text = `id: ${c}\nnodes:\n- index: 1\nid: ${a}\n- index: 2\nid: ${b}\nname: x: y\n`;
    expect(readMendedFlow('flows/00/00.yaml', text).raw.nodes).toMatchObject([
      { index: 1, id: a },
      { index: 2, id: b },
    ]);
  });
});
