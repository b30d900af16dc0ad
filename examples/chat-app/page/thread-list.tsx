import { ThreadListItemPrimitive, ThreadListPrimitive } from '@assistant-ui/react';

export function ThreadList() {
  return (
    <ThreadListPrimitive.Root className="threads">
      <ThreadListPrimitive.New>New chat</ThreadListPrimitive.New>
      <ThreadListPrimitive.Items components={{ ThreadListItem: Item }} />
    </ThreadListPrimitive.Root>
  );
}

function Item() {
  return (
    <ThreadListItemPrimitive.Root className="item">
      <ThreadListItemPrimitive.Trigger>
        <ThreadListItemPrimitive.Title fallback="New chat" />
      </ThreadListItemPrimitive.Trigger>
      <ThreadListItemPrimitive.Delete aria-label="Delete this chat">
        ×
      </ThreadListItemPrimitive.Delete>
    </ThreadListItemPrimitive.Root>
  );
}
