import { describe, expect, it } from 'vitest';
import { openProject, shapeOf } from '../support/open-project.ts';

/** A question with two answers, the second of which is linked to the question in some way. */
function chat(link: (parent: string) => object, ids = ['q', 'a', 'b']): object {
  const [q = '', a = '', b = ''] = ids;
  return {
    messages: [
      { id: q, role: 'user', content: 'question' },
      { id: a, role: 'assistant', content: 'one', ...link(q) },
      { id: b, role: 'assistant', content: 'two', ...link(q) },
    ],
  };
}

const BRANCHES = ['question / one', 'question / two'];

describe('the parent of a message is found', () => {
  it.each<readonly [name: string, source: object]>([
    ['in parents', chat((id) => ({ parents: [id] }))],
    ['in an object', chat((id) => ({ parent: { id } }))],
    ['in prev_id', chat((id) => ({ prev_id: id }))],
    ['in previousMessage', chat((id) => ({ previousMessage: id }))],
    ['in reply_to_message_id', chat((id) => ({ reply_to_message_id: id }))],
    ['in ancestors', chat((id) => ({ ancestors: ['gone', id] }))],
    ['by a number', chat((id) => ({ parent_id: Number(id) }), ['0', '1', '2'])],
    ['by its place', chat(() => ({ parentIndex: 0 }))],
    [
      'in a list of edges',
      {
        ...chat(() => ({})),
        edges: [
          { source: 'q', target: 'a' },
          { source: 'q', target: 'b' },
        ],
      },
    ],
    [
      'in the lists of children',
      {
        messages: [
          { id: 'q', role: 'user', content: 'question', children: ['a', 'b'] },
          { id: 'a', role: 'assistant', content: 'one', children: [] },
          { id: 'b', role: 'assistant', content: 'two', children: [] },
        ],
      },
    ],
  ])('%s', async (_, source) => {
    const vizprompt = await openProject();
    await vizprompt.importConversations(source);
    expect((await shapeOf(vizprompt)).nodes.toSorted()).toEqual(BRANCHES);
  });

  it('where it names a question with its answer: what follows comes after the answer', async () => {
    const vizprompt = await openProject();
    await vizprompt.importConversations([
      { id: '1', query: 'first', answer: 'one' },
      { id: '2', query: 'second', answer: 'two', parent_message_id: '1' },
    ]);
    expect((await shapeOf(vizprompt)).edges).toEqual(['first / one → second / two']);
  });

  it('where only answers name one: it is their question, and the next question follows them', async () => {
    const vizprompt = await openProject();
    await vizprompt.importConversations({
      messages: [
        { id: 'q', role: 'user', content: 'first' },
        { id: 'a', role: 'assistant', content: 'one', parentId: 'q' },
        { id: 'b', role: 'assistant', content: 'two', parentId: 'q' },
        { id: 'r', role: 'user', content: 'second' },
        { id: 'c', role: 'assistant', content: 'three', parentId: 'r' },
      ],
    });
    const { nodes, edges } = await shapeOf(vizprompt);
    expect(nodes.toSorted()).toEqual(['first / one', 'first / two', 'second / three']);
    expect(edges).toEqual(['first / two → second / three']);
  });

  it('where a question has none among others that have: it begins a tree', async () => {
    const vizprompt = await openProject();
    await vizprompt.importConversations({
      messages: [
        { id: 'q', role: 'user', content: 'first' },
        { id: 'a', role: 'assistant', content: 'one', parentId: 'q' },
        { id: 'r', role: 'user', content: 'second', parentId: 'a' },
        { id: 'c', role: 'assistant', content: 'three', parentId: 'r' },
        { id: 's', role: 'user', content: 'first, edited' },
        { id: 'd', role: 'assistant', content: 'four', parentId: 's' },
      ],
    });
    expect((await shapeOf(vizprompt)).edges).toEqual(['first / one → second / three']);
  });

  it.each([
    ['only an answer that was given again has a parent', { parentId: null }, { parentId: 'r' }],
    ['only a result of a tool is below an answer', {}, {}],
  ])('in a row where %s', async (_what, field, ofAgain) => {
    const vizprompt = await openProject();
    const isTool = Object.keys(field).length === 0;
    const result = { id: 't', role: 'tool', content: 'found' };
    await vizprompt.importConversations({
      messages: [
        { id: 'q', role: 'user', content: 'first', ...field },
        {
          id: 'a',
          role: 'assistant',
          content: 'one',
          ...field,
          ...(isTool ? { children: [result] } : {}),
        },
        { id: 'r', role: 'user', content: 'second', ...field },
        { id: 'b', role: 'assistant', content: 'two', ...field },
        ...(isTool ? [] : [{ id: 'c', role: 'assistant', content: 'again', ...ofAgain }]),
      ],
    });
    const { edges } = await shapeOf(vizprompt);
    expect(edges[0]).toMatch(/^first \/ one.* → second \/ /);
  });

  /** A question that was edited: each of its wordings has an answer. */
  const edited = (first: object, link: (parent: string) => object): object[] => [
    { id: 'q', role: 'user', content: 'first', ...first },
    { id: 'a', role: 'assistant', content: 'one', ...link('q') },
    { id: 'r', role: 'user', content: 'edited', ...first },
    { id: 'b', role: 'assistant', content: 'two', ...link('r') },
  ];
  const ZERO = '00000000-0000-0000-0000-000000000000';
  it.each<readonly [name: string, source: object]>([
    ['null', { messages: edited({ parentId: null }, (id) => ({ parentId: id })) }],
    ['an empty list', { messages: edited({ parents: [] }, (id) => ({ parents: [id] })) }],
    ['-1', { messages: edited({ parent_id: -1 }, (id) => ({ parent_id: id })) }],
    [
      'zeros, as LibreChat has it',
      {
        messages: edited({ parentMessageId: ZERO }, (id) => ({ parentMessageId: id })).map(
          ({ id, ...rest }: { id?: string }) => ({ messageId: id, ...rest }),
        ),
      },
    ],
    [
      'in what wraps it',
      {
        messages: edited({ parentId: null }, (id) => ({ parentId: id })).map((message) => ({
          message,
        })),
      },
    ],
    [
      'in a list of edges that has others',
      {
        messages: edited({}, () => ({})),
        edges: [
          { source: 'q', target: 'a' },
          { source: 'r', target: 'b' },
        ],
      },
    ],
    [
      'in lists of children that have others',
      {
        messages: edited({}, () => ({})).map((message, at) =>
          at % 2 === 0 ? { ...message, children: [at === 0 ? 'a' : 'b'] } : message,
        ),
      },
    ],
    [
      'among the messages that others hold',
      {
        messages: [
          {
            role: 'user',
            content: 'first',
            children: [{ role: 'assistant', content: 'one' }],
          },
          {
            role: 'user',
            content: 'edited',
            children: [{ role: 'assistant', content: 'two' }],
          },
        ],
      },
    ],
  ])('where the first questions have none: %s', async (_, source) => {
    const vizprompt = await openProject();
    await vizprompt.importConversations(source);
    const { nodes, edges } = await shapeOf(vizprompt);
    expect(nodes.toSorted()).toEqual(['edited / two', 'first / one']);
    expect(edges).toEqual([]);
  });

  it.each<readonly [name: string, first: object, link: (parent: string) => object]>([
    ['nobody names one', { parentId: null }, () => ({ parentId: null })],
    ['answers name one elsewhere', { parentTitle: null }, (id) => ({ parentId: id })],
  ])('and all are in a row where %s', async (_, first, link) => {
    const vizprompt = await openProject();
    await vizprompt.importConversations({ messages: edited(first, link) });
    expect((await shapeOf(vizprompt)).edges).toEqual(['first / one → edited / two']);
  });

  it('and several make a merge', async () => {
    const vizprompt = await openProject();
    await vizprompt.importConversations({
      messages: [
        { id: 'q', role: 'user', content: 'q' },
        { id: 'a', role: 'assistant', content: 'a', parents: ['q'] },
        { id: 'b', role: 'assistant', content: 'b', parents: ['q'] },
        { id: 'm', role: 'user', content: 'm', parents: ['a', 'b'] },
      ],
    });
    expect((await shapeOf(vizprompt)).edges.toSorted()).toEqual(['q / a → m / ', 'q / b → m / ']);
  });

  it('but a field that names no message is not one', async () => {
    const vizprompt = await openProject();
    await vizprompt.importConversations(chat(() => ({ previous: 'a draft', parentTitle: 'x' })));
    expect((await shapeOf(vizprompt)).nodes).toEqual(['question / one\n\ntwo']);
  });
});

describe('messages of several topics in one list', () => {
  it('are a flow each, called as the list of topics says', async () => {
    const vizprompt = await openProject();
    await vizprompt.importConversations({
      state: {
        messages: [
          { id: '1', role: 'user', content: 'q', topicId: 's' },
          { id: '2', role: 'user', content: 'r', topicId: 't' },
          { id: '3', role: 'assistant', content: 'a', topicId: 's', parentId: '1' },
        ],
        topics: [
          { id: 's', title: 'cats' },
          { id: 't', title: 'dogs' },
        ],
      },
    });
    const flows = await vizprompt.listFlows();
    expect(flows.map(({ name }) => name).toSorted()).toEqual(['cats', 'dogs']);
  });
});
