import { useEffect, useState } from 'react';
import type { Person } from '#contract/profiles/user.ts';
import { BlockButton, BlockNotice, UnblockHint } from '../../features/connections/BlockControls.tsx';
import { useBlock } from '../../features/connections/queries.ts';
import { LazyBoundary } from '../../ui/loading/LazyBoundary.tsx';
import { preloadable } from '../../ui/loading/preload.ts';
import { memberName } from '../../ui/text/person.ts';

const [ReportSheet, preloadReportSheet] = preloadable(
  async () => (await import('../../features/moderation/own-reports/ReportSheet.tsx')).ReportSheet,
);

interface ReportOrBlockProps {
  user: Pick<Person, '_id' | 'firstName' | 'name'>;
  isOpen: boolean;
  onClose: () => void;
  /** Called once the two no longer see each other. */
  onHidden: () => void;
  /** The page still shows the person after a block, which can be undone there. */
  isStaying?: boolean;
}

/** Reporting or blocking a person from their card or profile: the sheet, and what was done. */
export function ReportOrBlock({ user, isOpen, onClose, onHidden, isStaying = false }: ReportOrBlockProps) {
  const [isReported, setReported] = useState(false);
  const block = useBlock(user._id);
  // Loaded in advance, so that it opens at once.
  useEffect(preloadReportSheet, []);
  const blockAndClose = () => {
    onClose();
    block.block();
    if (!isStaying) onHidden();
  };
  return (
    <>
      {isOpen && (
        <LazyBoundary>
          <ReportSheet
            user={user}
            block={<BlockButton block={{ ...block, block: blockAndClose }} />}
            onSent={() => setReported(true)}
            onClose={() => {
              onClose();
              if (isReported) onHidden();
            }}
          />
        </LazyBoundary>
      )}
      {isStaying && <UnblockHint block={block} />}
      <BlockNotice block={block} name={memberName(user)} />
    </>
  );
}
