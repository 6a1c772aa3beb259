import type { BulkKind } from '#contract/moderation/bulk.ts';
import type { ExportColumn } from '#contract/profiles/user-filters.ts';
import { ExportDialog } from '../ExportDialog.tsx';
import type { TagChoices } from '../more-filter-words.ts';
import { UserBulkDialog } from './UserBulkDialog.tsx';
import type { Chosen } from './use-user-selection.ts';

/** The requested act, and its users. */
export interface Asked {
  kind: BulkKind | 'export';
  chosen: Chosen;
}

interface UserActDialogProps extends Asked {
  columns: readonly ExportColumn[];
  tags: TagChoices;
  onStarted: () => void;
  onAsked: (text: string | null) => void;
  onClose: () => void;
}

/** The dialog of an act on many users, or of an export. */
export function UserActDialog({ kind, columns, onAsked, ...props }: UserActDialogProps) {
  const { chosen, onClose } = props;
  if (kind === 'export') return <ExportDialog chosen={chosen} columns={columns} onDone={onAsked} onClose={onClose} />;
  return <UserBulkDialog {...props} kind={kind} onAsked={onAsked} />;
}
