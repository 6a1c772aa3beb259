import { msg, plural, t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { revealUser } from '#contract/profiles/staff.ts';
import { addressMask, readableAddress } from '#contract/text.ts';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../api/session/permission.ts';
import { ReasonButton } from '../../../ui/feedback/ReasonButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatDay } from '../../../ui/text/format.ts';

/**
 * An email address. A masked one can be revealed together with the birth date, for a reason. Both stay visible until
 * the page is left.
 */
export function Contact({ userId, email }: { userId: string; email: string }) {
  const mayReveal = useMay('users.reveal');
  const reveal = useMutation({
    mutationFn: (reason: string) => call(revealUser, { params: { id: userId }, body: { reason } }),
    gcTime: 0,
  });
  if (reveal.data !== undefined) {
    const { email: whole, birthDate, remaining } = reveal.data.data;
    return (
      <span role="status">
        {readableAddress(whole)}
        {birthDate !== null && ` · ${t`born ${{ day: formatDay(birthDate) }}`}`}
        <Hint span display="block">
          {t`${plural({ count: remaining }, { one: '# more this hour', other: '# more this hour' })}`}
        </Hint>
      </span>
    );
  }
  return (
    <>
      {readableAddress(email)}
      {mayReveal && email.includes(addressMask) && (
        <ReasonButton
          text={t`Reveal...`}
          button={{ ms: 'xs', variant: 'subtle', size: 'compact-sm' }}
          title={t`Reveal private data?`}
          description={t`Saved in the audit trail with your name.`}
          confirm={t`Reveal`}
          busyText={t`Revealing...`}
          command={reveal}
          suggestions={[msg`Answering their request`, msg`Checking a payment`, msg`Comparing accounts for a case`]}
        >
          {t`You'll see the full email address and birth date. You can do this a limited number of times an hour.`}
        </ReasonButton>
      )}
    </>
  );
}
