import { useEffect, useState } from 'react';
import type { Person } from '#contract/profiles/user.ts';
import { BlockButton, BlockNotice, UnblockHint } from '../../features/connections/BlockControls.tsx';
import { useBlock } from '../../features/connections/queries.ts';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { memberName } from '../../ui/text/person.ts';

const [ReportSheet, preloadReportSheet] = lazyPart(
  async () => (await import('../../features/moderation/own-reports/ReportSheet.tsx')).ReportSheet,
);

interface SheetProps {
  user: Pick<Person, '_id' | 'firstName' | 'name'>;
  block: ReturnType<typeof useBlock>;
  /** The match whose messages are copied into the report. */
  matchId?: string;
  isOpen: boolean;
  onClose: () => void;
  /** Called when a report was sent and its confirmation is closed; the two no longer see each other. */
  onReported?: () => void;
}

/** The sheet that reports or blocks a person, opened from their card, their profile or the conversation. */
export function ReportOrBlockSheet({ user, block, matchId, isOpen, onClose, onReported }: SheetProps) {
  const [isReported, setReported] = useState(false);
  // Loaded in advance, so that it opens at once.
  useEffect(preloadReportSheet, []);
  if (!isOpen) return null;
  const blockAndClose = () => {
    onClose();
    block.block();
  };
  return (
    <ReportSheet
      user={user}
      {...(matchId !== undefined && { matchId })}
      block={<BlockButton block={{ ...block, block: blockAndClose }} />}
      onSent={() => setReported(true)}
      onClose={() => {
        onClose();
        if (isReported) onReported?.();
      }}
    />
  );
}

interface ReportOrBlockProps extends Pick<SheetProps, 'user' | 'isOpen' | 'onClose'> {
  /** Called once the two no longer see each other. */
  onHidden: () => void;
  /** The page still shows the person after a block, which can be undone there. */
  isStaying?: boolean;
}

/** Reporting or blocking a person from their card or profile: the sheet, and the result. */
export function ReportOrBlock({ user, isOpen, onClose, onHidden, isStaying = false }: ReportOrBlockProps) {
  const block = useBlock(user._id);
  const blockAndLeave = () => {
    block.block();
    if (!isStaying) onHidden();
  };
  return (
    <>
      <ReportOrBlockSheet
        user={user}
        block={{ ...block, block: blockAndLeave }}
        isOpen={isOpen}
        onClose={onClose}
        onReported={onHidden}
      />
      {isStaying && <UnblockHint block={block} />}
      <BlockNotice block={block} name={memberName(user)} />
    </>
  );
}
