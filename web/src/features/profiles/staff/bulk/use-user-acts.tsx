import { lazy, useState } from 'react';
import type { BulkKind } from '#contract/moderation/bulk.ts';
import type { ExportColumn } from '#contract/profiles/staff.ts';
import { FloatingNotice } from '../../../../ui/feedback/Notice.tsx';
import { LazyBoundary } from '../../../../ui/loading/LazyBoundary.tsx';
import type { TagChoices } from '../more-filter-words.ts';
import type { Chosen, UserSelection } from './use-user-selection.ts';

const ExportDialog = lazy(async () => ({ default: (await import('../ExportDialog.tsx')).ExportDialog }));
const UserBulkDialog = lazy(async () => ({ default: (await import('./UserBulkDialog.tsx')).UserBulkDialog }));

/** The dialogs for acts on many users and for exports, which start with these columns. */
export function useUserActs(selection: UserSelection, tags: TagChoices, columns: readonly ExportColumn[]) {
  const [asked, setAsked] = useState<{ kind: BulkKind | 'export'; chosen: Chosen } | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const close = () => setAsked(null);
  const onAsked = (text: string | null) => {
    close();
    setSaid(text);
  };
  return {
    act: (kind: BulkKind) => setAsked({ kind, chosen: selection.chosen }),
    exportAll: (chosen: Chosen) => setAsked({ kind: 'export', chosen }),
    parts: (
      <LazyBoundary onClose={close}>
        {asked?.kind === 'export' && (
          <ExportDialog chosen={asked.chosen} columns={columns} onClose={close} onDone={onAsked} />
        )}
        {asked !== null && asked.kind !== 'export' && (
          <UserBulkDialog
            kind={asked.kind}
            chosen={asked.chosen}
            tags={tags}
            onStarted={selection.clear}
            onAsked={onAsked}
            onClose={close}
          />
        )}
        {said !== null && (
          <FloatingNotice kind="success" onClose={() => setSaid(null)}>
            {said}
          </FloatingNotice>
        )}
      </LazyBoundary>
    ),
  };
}
