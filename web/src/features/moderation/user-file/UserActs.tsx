import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import type { AdminUser } from '#contract/profiles/user.ts';
import { useMay } from '../../../api/session/permission.ts';
import { FloatingNotice } from '../../../ui/feedback/Notice.tsx';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { personName } from '../../../ui/text/person.ts';
import type { ActProps } from './act-props.ts';

const [OpenCaseDialog] = lazyPart(async () => (await import('./OpenCaseDialog.tsx')).OpenCaseDialog);
const [WriteToMember] = lazyPart(async () => (await import('./WriteToMember.tsx')).WriteToMember);

interface Act {
  text: string;
  isPossible: boolean;
  Dialog: ComponentType<ActProps>;
}

/** The acts that the viewer may perform on a person, one line each. */
function useActs(user: AdminUser, name: string): Act[] {
  const [mayWrite, mayOpen] = [useMay('reports.handle'), useMay('cases.handle')];
  const canRead = user.isActive && user.leavingSince === null && user.staffRole === null;
  return [
    { text: t`Write to ${name}`, isPossible: mayWrite && canRead, Dialog: WriteToMember },
    { text: t`Open a case`, isPossible: mayOpen, Dialog: OpenCaseDialog },
  ].filter(({ isPossible }) => isPossible);
}

/** The acts on a person, in the head of their page; nothing for a party. */
export function UserActs({ user }: { user: AdminUser }) {
  const name = personName(user) ?? t`Unknown`;
  const acts = useActs(user, name);
  const [chosen, setChosen] = useState<Act | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const close = () => setChosen(null);
  if (!user.can.act || acts.length === 0) return null;
  return (
    <>
      {acts.map((act) => (
        <Button key={act.text} variant="default" onClick={() => setChosen(act)}>
          {act.text}
        </Button>
      ))}
      {chosen !== null && (
        <chosen.Dialog
          user={user}
          name={name}
          onDone={(text) => {
            close();
            setDone(text);
          }}
          onClose={close}
        />
      )}
      <FloatingNotice onClose={() => setDone(null)}>{done}</FloatingNotice>
    </>
  );
}
