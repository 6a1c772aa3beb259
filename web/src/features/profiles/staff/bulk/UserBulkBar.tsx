import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type BulkKind, bulkKinds } from '#contract/moderation/bulk.ts';
import { may } from '#contract/roles.ts';
import { useOwnRole } from '../../../../api/session/permission.ts';
import { SelectionBar } from '../../../../ui/data/table/ListParts.tsx';
import { formatNumber } from '../../../../ui/text/format.ts';
import { bulkWords } from './bulk-words.ts';
import type { UserSelection } from './use-user-selection.ts';

const kinds = Object.keys(bulkWords) as BulkKind[];

interface UserBulkBarProps {
  selection: UserSelection;
  /** The number of people who match the filters, as text. */
  total: string;
  onAct: (kind: BulkKind) => void;
  onExport: () => void;
}

/** The acts for the selected users, without those that the role may not perform. */
export function UserBulkBar({ selection, total, onAct, onExport }: UserBulkBarProps) {
  const role = useOwnRole();
  const { chosen, selectAll } = selection;
  return (
    <SelectionBar label={t`Selected users`} count={chosen.count}>
      {selectAll && (
        <Button size="xs" variant="subtle" onClick={selectAll}>
          {t`Select all ${total} matching users`}
        </Button>
      )}
      {kinds
        .filter((kind) => kind !== 'takeBack' && may(role, bulkKinds[kind]))
        .map((kind) => (
          <Button key={kind} size="xs" variant="default" onClick={() => onAct(kind)}>
            {t(bulkWords[kind])}
          </Button>
        ))}
      {may(role, 'users.export') && (
        <Button size="xs" variant="default" onClick={onExport}>
          {t`Export ${{ count: formatNumber(chosen.count) }}`}
        </Button>
      )}
      <Button size="xs" variant="subtle" onClick={selection.clear}>
        {t`Clear`}
      </Button>
    </SelectionBar>
  );
}
