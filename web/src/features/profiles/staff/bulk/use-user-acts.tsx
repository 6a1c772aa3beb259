import { useState } from 'react';
import type { BulkKind } from '#contract/moderation/bulk.ts';
import type { ExportColumn } from '#contract/profiles/user-filters.ts';
import { FloatingNotice } from '../../../../ui/feedback/Notice.tsx';
import { lazyPart } from '../../../../ui/loading/LazyBoundary.tsx';
import type { TagChoices } from '../more-filter-words.ts';
import type { Asked } from './UserActDialog.tsx';
import type { Chosen, UserSelection } from './use-user-selection.ts';

const [UserActDialog] = lazyPart(async () => (await import('./UserActDialog.tsx')).UserActDialog);

/** The dialogs for acts on many users and for exports, which start with these columns. */
export function useUserActs(selection: UserSelection, tags: TagChoices, columns: readonly ExportColumn[]) {
  const [asked, setAsked] = useState<Asked | null>(null);
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
      <>
        {asked !== null && (
          <UserActDialog
            {...asked}
            columns={columns}
            tags={tags}
            onStarted={selection.clear}
            onAsked={onAsked}
            onClose={close}
          />
        )}
        <FloatingNotice onClose={() => setSaid(null)}>{said}</FloatingNotice>
      </>
    ),
  };
}
