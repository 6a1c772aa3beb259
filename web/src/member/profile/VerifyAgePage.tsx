import { t } from '@lingui/core/macro';
import { ConfirmAge } from '../../features/profiles/age/ConfirmAge.tsx';
import { MembersOnly, NarrowPage } from '../layout/NarrowPage.tsx';

/** Where members confirm that they are adults, and where they return to from the provider. */
export function VerifyAgePage() {
  return (
    <MembersOnly title={t`Confirm your age`}>
      <NarrowPage title={t`Confirm your age`} back={{ to: '/app/settings/privacy', text: t`Privacy` }}>
        <ConfirmAge />
      </NarrowPage>
    </MembersOnly>
  );
}
