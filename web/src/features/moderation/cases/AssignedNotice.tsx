import { plural, t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { onRealtime } from '../../../api/realtime/realtime.ts';
import { FloatingNotice } from '../../../ui/feedback/Notice.tsx';

const staysMs = 20_000;

interface Assigned {
  caseIds: readonly string[];
  by: readonly string[];
}

const withOne = <T,>(list: readonly T[], one: T) => (list.includes(one) ? list : [...list, one]);

/** Announces that colleagues have assigned cases to the viewer, in one notice even if several are assigned at once. */
export function AssignedNotice() {
  const [assigned, setAssigned] = useState<Assigned | null>(null);
  useEffect(
    () =>
      onRealtime((event) => {
        if (event.kind !== 'assigned') return;
        setAssigned((before) => ({
          caseIds: withOne(before?.caseIds ?? [], event.caseId),
          by: withOne(before?.by ?? [], event.by),
        }));
      }),
    [],
  );
  if (assigned === null) return null;
  const { caseIds, by } = assigned;
  const close = () => setAssigned(null);
  const to = caseIds.length === 1 ? `/cases/${caseIds[0] ?? ''}` : '/cases?view=mine';
  return (
    <FloatingNotice
      kind="success"
      staysMs={staysMs}
      action={
        <Link to={to} onClick={close}>
          {caseIds.length === 1 ? t`Open the case` : t`Show my cases`}
        </Link>
      }
      onClose={close}
    >
      {t`${plural({ count: caseIds.length }, { one: 'A case was assigned to you', other: '# cases were assigned to you' })} by ${{ names: by.join(', ') }}.`}
    </FloatingNotice>
  );
}
