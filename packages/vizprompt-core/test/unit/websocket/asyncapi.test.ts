import { readFile } from 'node:fs/promises';
import { asyncApiDocument } from '@vizprompt/core/websocket';
import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../src/websocket/read-message.ts';
import { problemOf, serveProject } from '../../support/websocket/serve-project.ts';

interface Operation {
  readonly action: 'receive' | 'send';
  readonly messages: readonly { readonly $ref: string }[];
  readonly reply?: { readonly messages: readonly { readonly $ref: string }[] };
}

interface Document {
  readonly asyncapi: string;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly payload: { readonly $ref: string } }>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

const document = asyncApiDocument() as unknown as Document;

/** The actions that version 1 of the protocol has. */
const OF_VERSION_1 = [
  'create_node',
  'get_node',
  'update_node',
  'delete_node',
  'get_flow',
  'update_flow',
  'connect_nodes',
  'create_branch',
  'search_nodes',
  'list_tags',
  'subscribe',
  'unsubscribe',
  'list_flows',
  'create_flow',
  'retry',
  'chat',
  'build',
];

describe('the AsyncAPI document', () => {
  it('is the file that is shipped', async () => {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../../asyncapi.json');
    const { exports } = JSON.parse(
      await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
    );
    expect(exports['./asyncapi.json']).toBe('./asyncapi.json');
  });

  it('has every action, with what it answers', () => {
    const { tell, ...actions } = document.operations;
    const names = Object.keys(actions);
    expect(names).toEqual([...ACTIONS.keys()]);
    expect(names).toEqual(expect.arrayContaining(OF_VERSION_1));
    for (const [name, { action, messages, reply }] of Object.entries(actions)) {
      const of = (message: string): object => ({ $ref: `#/channels/project/messages/${message}` });
      expect([action, messages]).toEqual(['receive', [of(name)]]);
      expect(reply?.messages).toEqual([of(`${name}_result`), of('error')]);
    }
    expect(tell?.messages.map(({ $ref }) => $ref.split('/').at(-1))).toEqual(
      expect.arrayContaining(['node_created', 'flow_updated', 'chat_delta', 'build_progress']),
    );
  });

  it('leads from every reference to what it names', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(references.length).toBeGreaterThan(100);
    for (const path of new Set(references)) {
      let part: unknown = document;
      for (const key of path.split('/')) part = (part as Record<string, unknown>)[key];
      expect([path, typeof part]).toEqual([path, 'object']);
    }
    const { messages, schemas } = document.components;
    for (const { payload } of Object.values(messages)) {
      expect(schemas).toHaveProperty([payload.$ref.split('/').at(-1) ?? '']);
    }
  });

  it('takes what the server takes, and refuses what it refuses', async () => {
    const { connect } = await serveProject();
    const client = await connect();
    const id = '01990000-0000-7000-8000-000000000000';
    const cases: readonly [string, object | undefined, boolean][] = [
      ['create_node', { prompt: '' }, true],
      ['create_node', undefined, false],
      ['create_node', { prompt: '', more: 1 }, false],
      ['get_node', { node_id: id }, true],
      ['get_node', {}, false],
      ['list_tags', undefined, true],
      ['list_tags', {}, true],
      ['list_tags', { x: 1 }, false],
      ['search_nodes', { limit: 0 }, false],
      ['search_nodes', { limit: 1 }, true],
      ['subscribe', { event: 'node_created' }, true],
      ['subscribe', { event: 'node:created' }, false],
      ['unsubscribe', undefined, true],
      ['cancel', { id: 1.5 }, false],
      ['cancel', { id: 1 }, true],
    ];
    for (const [action, data, isTaken] of cases) {
      const sent = { id: 1, action, ...(data === undefined ? {} : { data }) };
      const code = await client.codeOf(action, data as never);
      const isRefused = code === 'invalid_input';
      expect([sent, problemOf(action, sent) === undefined, !isRefused]).toEqual([
        sent,
        isTaken,
        isTaken,
      ]);
    }
  });
});
