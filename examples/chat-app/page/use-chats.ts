import {
  type AssistantRuntime,
  createSimpleTitleAdapter,
  type RemoteThreadListAdapter,
  type ThreadHistoryAdapter,
  type ThreadMessage,
  useAui,
  useAuiState,
  useRemoteThreadListRuntime,
} from '@assistant-ui/react';
import {
  AssistantChatTransport,
  createResumableSessionStorage,
  useChatRuntime,
} from '@assistant-ui/react-ai-sdk';
import { type OpenThread, vizPromptThreads } from '@vizprompt/core/assistant-ui/client';
import { createAssistantStream } from 'assistant-stream';
import { useMemo } from 'react';

const threads = vizPromptThreads({ api: '/api' });
const titles = createSimpleTitleAdapter();

const adapter: RemoteThreadListAdapter = {
  ...threads,
  async generateTitle(remoteId, messages) {
    const title = await titles.generateTitle(messages);
    await threads.rename(remoteId, title);
    return createAssistantStream((stream) => stream.appendText(title));
  },
  unstable_useAdapters: function useAdapters() {
    const aui = useAui();
    return useMemo(() => ({ history: historyOf(aui) }), [aui]);
  },
};

/** The server stores what is said; the page only reads it, and deletes. */
function historyOf(aui: OpenThread): ThreadHistoryAdapter {
  const history = threads.history<ThreadMessage>(aui);
  const nothing = { append: () => Promise.resolve(), update: () => Promise.resolve() };
  return {
    ...history,
    ...nothing,
    withFormat: (format) => ({ ...history.withFormat(format), ...nothing }),
  };
}

/** After a reload the page continues with the answer that is on its way. */
const resumable = {
  storage: createResumableSessionStorage(),
  resumeApi: (id: string) => `/api/chat/${id}/stream`,
};

/** Which branch is on the screen is stored, too, so that a reload shows the same one. */
function useChat(): AssistantRuntime {
  const remoteId = useAuiState(({ threadListItem }) => threadListItem.remoteId);
  const transport = useMemo(() => new AssistantChatTransport({ api: '/api/chat', resumable }), []);
  return useChatRuntime({
    transport,
    unstable_onBranchChange({ headId }) {
      if (remoteId === undefined || headId === null) return;
      const ids = [remoteId, 'branch', headId].map(encodeURIComponent);
      void fetch(`/api/chat/${ids.join('/')}`, { method: 'PUT' });
    },
  });
}

/** The threads of the server and the chat in each; the address of the page says which one is open. */
export function useChats(): AssistantRuntime {
  return useRemoteThreadListRuntime({
    adapter,
    runtimeHook: useChat,
    initialThreadId: location.hash.slice(1) || undefined,
    onThreadIdChange: (id) => history.replaceState(null, '', id === undefined ? '#' : `#${id}`),
  });
}
