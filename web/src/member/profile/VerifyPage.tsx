import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { VerifyPictures } from '../../features/selfies/VerifyPictures.tsx';
import { markKindRead } from '../../features/notifications/queries.ts';
import { MembersOnly, NarrowPage } from '../layout/NarrowPage.tsx';

/** Where members verify that their pictures show them. */
export function VerifyPage() {
  useEffect(() => void markKindRead('verification'), []);
  return (
    <MembersOnly title={t`Photo verification`}>
      <NarrowPage title={t`Photo verification`} back={{ to: '/app/profile', text: t`Your profile` }}>
        <VerifyPictures />
      </NarrowPage>
    </MembersOnly>
  );
}
