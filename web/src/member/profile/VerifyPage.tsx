import { VerifyPictures } from '../../features/selfies/VerifyPictures.tsx';
import { t } from '../../ui/text/text.ts';
import { MembersOnly, NarrowPage } from '../layout/NarrowPage.tsx';

/** Where members verify that their pictures show them. */
export function VerifyPage() {
  return (
    <MembersOnly title={t('Photo verification')}>
      <NarrowPage title={t('Photo verification')} back={{ to: '/app/profile', text: t('Your profile') }}>
        <VerifyPictures />
      </NarrowPage>
    </MembersOnly>
  );
}
