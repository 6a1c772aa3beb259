import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { WhyHidden } from '../../features/discovery/insights/WhyHidden.tsx';
import { AsMember } from '../../features/profiles/staff/AsMember.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';

const dialogs = { asMember: AsMember, whyHidden: WhyHidden };

/** What other members see of a user, and why some don't, each in a dialog. */
export function UserVisibility({ userId, name }: { userId: string; name: string }) {
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null);
  const Shown = open === null ? null : dialogs[open];
  return (
    <>
      <Buttons>
        <Button variant="default" onClick={() => setOpen('asMember')}>
          {t`View as member`}
        </Button>
        <Button variant="default" onClick={() => setOpen('whyHidden')}>
          {t`Why can’t they be seen?`}
        </Button>
      </Buttons>
      {Shown !== null && <Shown userId={userId} name={name} onClose={() => setOpen(null)} />}
    </>
  );
}
