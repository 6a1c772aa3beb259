import { t } from '@lingui/core/macro';
import { Anchor, Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { FloatingNotice } from '../../ui/feedback/Notice.tsx';
import { passingFocus } from '../../ui/layout/Page.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import type { useBlock } from './queries.ts';

type Block = ReturnType<typeof useBlock>;

/** How long the notice offers Undo; the page itself offers it until it is closed. */
const undoMs = 5000;

/**
 * The Block button. It stays in place and keeps the focus after a press, so that a second press can't hit another
 * button.
 */
export function BlockButton({ block }: { block: Block }) {
  return (
    <Button
      variant="default"
      aria-disabled={block.isBlocked || undefined}
      leftSection={<IconBan size={17} stroke={1.75} aria-hidden="true" />}
      onClick={block.block}
    >
      {block.isBlocked ? t({ message: 'Blocked', context: 'profile' }) : t`Block`}
    </Button>
  );
}

/** Offers Undo after the notice has disappeared. */
export function UnblockHint({ block }: { block: Block }) {
  if (!block.isBlocked) return null;
  return (
    <Hint ref={passingFocus} mt="0.9rem">
      {t`You can undo this while the page is open.`}{' '}
      <Anchor
        component="button"
        type="button"
        mih="var(--hw-link-height)"
        fw={600}
        underline="always"
        inherit
        onClick={block.unblock}
      >
        {t`Unblock`}
      </Anchor>
    </Hint>
  );
}

/** Shows whether blocking worked, with Undo. */
export function BlockNotice({ block, name }: { block: Block; name: string }) {
  const { status, unblock, dismiss } = block;
  if (status === null) return null;
  if (status.kind === 'failed') {
    return (
      <FloatingNotice kind="error" onClose={dismiss}>
        {status.text}
      </FloatingNotice>
    );
  }
  if (status.kind === 'unblocked') {
    return (
      <FloatingNotice key="unblocked" kind="success" onClose={dismiss}>
        {t`${name} is no longer blocked.`}
      </FloatingNotice>
    );
  }
  return (
    <FloatingNotice
      key="blocked"
      kind="success"
      staysMs={undoMs}
      onClose={dismiss}
      action={
        <Button size="xs" variant="default" onClick={unblock}>
          {t`Undo`}
        </Button>
      }
    >
      {t`You and ${name} no longer see each other.`}
    </FloatingNotice>
  );
}
