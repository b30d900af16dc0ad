import {
  ActionBarPrimitive,
  AuiIf,
  BranchPickerPrimitive,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  useAuiState,
} from '@assistant-ui/react';

export function Thread() {
  return (
    <ThreadPrimitive.Root className="thread">
      <ThreadPrimitive.Viewport className="messages">
        <ThreadPrimitive.Messages components={{ UserMessage, AssistantMessage, EditComposer }} />
      </ThreadPrimitive.Viewport>
      <ComposerPrimitive.Root className="composer">
        <ComposerPrimitive.Input placeholder="Say something" aria-label="Message" autoFocus />
        <AuiIf condition={({ thread }) => !thread.isRunning}>
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        </AuiIf>
        <AuiIf condition={({ thread }) => thread.isRunning}>
          <Stop />
        </AuiIf>
      </ComposerPrimitive.Root>
    </ThreadPrimitive.Root>
  );
}

/** Stops the answer on the server: it would go on without a page. */
function Stop() {
  const id = useAuiState(({ threadListItem }) => threadListItem.remoteId);
  const stop = () => void fetch(`/api/chat/${id}/stream`, { method: 'DELETE' });
  return <ComposerPrimitive.Cancel onClick={stop}>Stop</ComposerPrimitive.Cancel>;
}

function UserMessage() {
  return (
    <MessagePrimitive.Root className="message user">
      <div className="text">
        <MessagePrimitive.Parts />
      </div>
      <div className="actions">
        <BranchPicker />
        <ActionBarPrimitive.Edit>Edit</ActionBarPrimitive.Edit>
      </div>
    </MessagePrimitive.Root>
  );
}

function EditComposer() {
  return (
    <ComposerPrimitive.Root className="composer edit">
      <ComposerPrimitive.Input aria-label="Edited message" autoFocus />
      <ComposerPrimitive.Cancel>Cancel</ComposerPrimitive.Cancel>
      <ComposerPrimitive.Send>Ask again</ComposerPrimitive.Send>
    </ComposerPrimitive.Root>
  );
}

function AssistantMessage() {
  return (
    <MessagePrimitive.Root className="message assistant">
      <div className="text">
        <MessagePrimitive.Parts />
      </div>
      <div className="actions">
        <BranchPicker />
        <ActionBarPrimitive.Reload>Answer again</ActionBarPrimitive.Reload>
      </div>
    </MessagePrimitive.Root>
  );
}

/** `< 2 / 3 >`, where a message has others next to it. */
function BranchPicker() {
  return (
    <BranchPickerPrimitive.Root className="branches" hideWhenSingleBranch>
      <BranchPickerPrimitive.Previous aria-label="Previous branch">
        ‹
      </BranchPickerPrimitive.Previous>
      <span>
        <BranchPickerPrimitive.Number /> / <BranchPickerPrimitive.Count />
      </span>
      <BranchPickerPrimitive.Next aria-label="Next branch">›</BranchPickerPrimitive.Next>
    </BranchPickerPrimitive.Root>
  );
}
