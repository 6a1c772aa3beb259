import { t } from '@lingui/core/macro';
import { ConfirmAge } from '../../features/profiles/age/ConfirmAge.tsx';
import { MembersOnly, NarrowPage } from '../layout/NarrowPage.tsx';

/** The page where members confirm that they are adults, to which the provider returns. */
export function VerifyAgePage() {
  return (
    <MembersOnly title={t`Confirm your age`}>
      <NarrowPage title={t`Confirm your age`} back={{ to: '/app/settings/privacy', text: t`Privacy` }}>
        <ConfirmAge />
      </NarrowPage>
    </MembersOnly>
  );
}
