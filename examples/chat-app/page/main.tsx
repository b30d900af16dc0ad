import { AssistantRuntimeProvider } from '@assistant-ui/react';
import { createRoot } from 'react-dom/client';
import { Thread } from './thread.tsx';
import { ThreadList } from './thread-list.tsx';
import { useChats } from './use-chats.ts';

function App() {
  return (
    <AssistantRuntimeProvider runtime={useChats()}>
      <ThreadList />
      <Thread />
    </AssistantRuntimeProvider>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
